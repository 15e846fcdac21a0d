import * as z from 'zod/mini';
import type { Zapier } from '../../playground/zapier';
import { encodeDelivery } from '../../src/api/encode';
import { message } from '../../src/api/resources';
import { newNumber, parcelMessage, type Running } from '../sandbox/running';
import { causesIn, controlOf, nextStart, withId } from './causes';

/** The results of a step against the service: live, and in the test of the Zap editor where that differs. */
export interface Recording {
  place: string;
  live: Record<string, unknown>[];
  tested: Record<string, unknown>[];
  /** What the live result of an instant trigger has to match. */
  like?: object;
}

const record = z.record(z.string(), z.unknown());
const several = z.array(record);

const recordTriggers = async (running: Running, zapier: Zapier): Promise<Recording[]> => {
  const recordings: Recording[] = [];
  for (const [trigger, inputData, cause, like] of causesIn(running)) {
    const zap = await zapier.turnOn(trigger, inputData);
    await cause();
    const live = [record.parse(await nextStart(zap))];
    const tested = several.parse(await zapier.run(`triggers.${trigger}.operation.performList`, { inputData }));
    await zap.turnOff();
    recordings.push({ place: `triggers.${trigger}`, live, tested, like });
  }
  const polled = several.parse(await zapier.run('triggers.new_contact.operation.perform'));
  return [...recordings, { place: 'triggers.new_contact', live: polled, tested: [] }];
};

/** Sends a message that the customer replies to. Returns its id. */
const sendAndReply = async (running: Running, zapier: Zapier): Promise<string> => {
  const to = newNumber();
  const sent = await zapier.run('creates.send_message.operation.perform', { inputData: parcelMessage(to) });
  await controlOf(running)('/messages', { from: to, text: 'Thanks' });
  return withId.parse(sent).id;
};

/** Runs actions and searches in order, because each needs a record of an earlier one. */
const recordActions = async (running: Running, zapier: Zapier): Promise<Recording[]> => {
  const recordings: Recording[] = [];
  const run = async (place: string, inputData: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const result = await zapier.run(`${place}.operation.perform`, { inputData });
    const live = several.parse([result].flat());
    recordings.push({ place, live, tested: [] });
    return live[0] ?? {};
  };
  const phone = newNumber();
  const person = { phone, first_name: 'Wilhelmina', last_name: 'Bos', tags: ['vip'], attributes: { customer: '7' } };
  const { id: contact } = await run('creates.create_contact', person);
  await run('creates.update_contact', { contact, add_tags: ['old'] });
  await run('creates.upsert_contact', { phone, last_name: 'Bos' });
  await controlOf(running)('/messages', { from: phone, text: 'Where is my parcel?' });
  await run('searches.find_contact', { phone });
  await run('searches.find_conversation', { phone });
  await run('searches.find_template', { name: 'parcel' });
  const { id: message } = await run('creates.send_message', parcelMessage(newNumber()));
  const asked = await sendAndReply(running, zapier);
  await run('searches.find_message', { message });
  await run('searches.find_messages', {});
  await run('searches.find_reply', { message: asked });
  const { id: campaign } = await run('searches.find_campaign', { name: 'Zomertijden' });
  await run('creates.trigger_campaign', { campaign, audience: 'one', to: newNumber() });
  await run('creates.api_request', { method: 'GET', path: 'contacts' });
  await run('creates.delete_contact', { contact });
  return recordings;
};

/** Runs the step that pauses, and records what it continues with. */
const recordWaiting = async (running: Running, zapier: Zapier): Promise<Recording> => {
  const place = 'creates.send_message_and_wait';
  const to = newNumber();
  const outputData = record.parse(await zapier.run(`${place}.operation.perform`, { inputData: parcelMessage(to) }));
  const data = message.schema.parse(
    await controlOf(running)('/messages', { from: to, text: 'Leave it with the neighbours' }),
  );
  const cleanedRequest = encodeDelivery({ id: 'evt_1', type: 'message.received', created_at: data.created_at, data });
  const live = await zapier.run(`${place}.operation.performResume`, { outputData, cleanedRequest });
  return { place, live: [record.parse(live)], tested: [] };
};

/** Runs every visible step on Zapier's core and over real HTTP. Returns the results of each. */
export const recordEveryStep = async (running: Running, zapier: Zapier): Promise<Recording[]> => [
  ...(await recordActions(running, zapier)),
  await recordWaiting(running, zapier),
  ...(await recordTriggers(running, zapier)),
];
