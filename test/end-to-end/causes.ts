import * as z from 'zod/mini';
import type { Zap } from '../../playground/zapier';
import { specialNumbers } from '../../sandbox/domain/phone-numbers';
import { newNumber, parcelMessage, type Running } from '../sandbox/running';

/** What a trigger or a test step gives. */
export const records = z.array(z.looseObject({ id: z.string() }));

/** Anything that the service made. */
export const withId = z.looseObject({ id: z.string() });

/** Returns the first record that starts the Zap. A delivery that a filter refuses starts nothing. */
export const nextStart = async (zap: Zap): Promise<{ id: string }> => {
  const [record] = records.parse(await zap.nextRun());
  return record ?? nextStart(zap);
};

/** Returns a function that makes a control call and returns its record. */
export const controlOf =
  (running: Running) =>
  async (path: string, content: object = {}): Promise<{ id: string }> =>
    withId.parse((await running.control('POST', path, content)).body);

type Cause = [trigger: string, inputData: Record<string, unknown>, cause: () => Promise<unknown>, like: object];

/** Lists for each instant trigger its input, what makes the event happen, and what its record is like. */
export const causesIn = (running: Running): Cause[] => {
  const control = controlOf(running);
  const converse = async () => control('/conversations', { from: newNumber() });
  const startCampaign = async (wanted: string): Promise<string> => {
    const { data } = await running.read('listCampaigns');
    const found = data.find(({ name }) => name === wanted);
    await control(`/campaigns/${found?.id}/start`);
    return `${found?.id}`;
  };
  return [
    [
      'message_received',
      { channel: 'whatsapp', contains: ['where'] },
      async () => {
        await control('/messages', { from: newNumber(), text: 'Thank you' });
        await control('/messages', { from: newNumber(), text: 'Where is my parcel?' });
      },
      { text: 'Where is my parcel?', direction: 'inbound', status: 'received' },
    ],
    [
      'message_sent',
      {},
      async () => {
        await running.request('sendMessage', { body: parcelMessage(newNumber()) });
        await control(`/conversations/${(await converse()).id}/messages`, { text: 'We are on our way.' });
      },
      { text: 'We are on our way.', source: 'agent', direction: 'outbound' },
    ],
    [
      'message_status_updated',
      { statuses: ['read'] },
      () => running.request('sendMessage', { body: parcelMessage(newNumber()) }),
      { status: 'read', direction: 'outbound' },
    ],
    [
      'message_failed',
      {},
      () => running.request('sendMessage', { body: parcelMessage(specialNumbers.failsLater) }),
      { status: 'failed', error: { code: expect.any(String), message: expect.any(String) } },
    ],
    ['conversation_opened', { channel: 'whatsapp' }, converse, { status: 'open' }],
    [
      'conversation_closed',
      {},
      async () => control(`/conversations/${(await converse()).id}/close`),
      { status: 'closed', closed_at: expect.any(String) },
    ],
    [
      'conversation_reopened',
      {},
      async () => {
        const { id } = await converse();
        await control(`/conversations/${id}/close`);
        await control(`/conversations/${id}/reopen`);
      },
      { status: 'open' },
    ],
    [
      'campaign_started',
      {},
      () => startCampaign('Weekend parcel points'),
      {
        status: 'sending',
        stats: { recipients: expect.any(Number), sent: 0, delivered: 0, read: 0, replied: 0, failed: 0 },
        completed_at: null,
      },
    ],
    [
      'campaign_completed',
      {},
      () => startCampaign('Autumn opening hours'),
      { status: 'completed', completed_at: expect.any(String) },
    ],
    [
      'campaign_failed',
      {},
      async () => control(`/campaigns/${await startCampaign('Summer opening hours')}/fail`),
      { status: 'failed' },
    ],
  ];
};
