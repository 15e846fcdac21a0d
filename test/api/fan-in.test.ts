/** A service with one event for several of ours. */
import { decodeDelivery } from '../../src/api/decode';
import { encodeDelivery } from '../../src/api/encode';
import { endpoints } from '../../src/api/endpoints';
import { events } from '../../src/api/events';
import { message, vocabulary } from '../../src/api/resources';
import { fromWire, toWire } from '../../src/api/translate';
import { mapValues } from '../../src/api/wire';

// As on Zapier, where the contract is translated.
delete process.env.CONTRACT;

const several = ['message.sent', 'message.delivered', 'message.read'] as const;

beforeAll(() =>
  mapValues(vocabulary.event, Object.fromEntries(several.map((name) => [name, 'message.status'] as const))),
);

const eventWith = (type: string, status: string | null) => ({
  ...{ id: 'evt_1', type, created_at: null, data: { ...message.sample, status } },
});
const typesOf = (...all: object[]) => decodeDelivery(all)?.map(({ type }) => type);

test.each(several)('%s is told from the others by the status of its record', (type) => {
  const sent = encodeDelivery({ id: 'evt_1', type, data: events[type].sample });
  expect(sent).toMatchObject({ type: 'message.status' });
  expect(typesOf(Object(sent))).toEqual([type]);
});

test('a status that no event is about, or no status, is not an event of ours', () => {
  expect(typesOf(eventWith('message.status', 'queued'), eventWith('message.status', null))).toEqual([
    'message.status',
    'message.status',
  ]);
});

test('any other event stays as it is, whatever its status', () => {
  expect(typesOf(eventWith('message.failed', 'read'), eventWith('contact.created', 'read'))).toEqual([
    'message.failed',
    'contact.created',
  ]);
});

test('a webhook asks for the event once, and its events are all of ours', () => {
  const { events: schema } = endpoints.createWebhook.body.shape;
  expect(toWire(schema, ['message.failed', ...several])).toEqual(['message.failed', 'message.status']);
  expect(fromWire(schema, ['message.status'])).toEqual([...several]);
});

test('the app is not defined with one word for two of ours that are no events', async () => {
  mapValues(vocabulary.messageStatus, { queued: 'sent' });
  await expect(import('../../src')).rejects.toThrow(`src/api: "sent" can't stand for two of our words.`);
});
