import * as z from 'zod/mini';
import type { Account } from '../../playground/call-api';
import { callApi, control } from '../../playground/call-api';
import { listContacts } from '../../playground/service-events';
import type { runStep } from '../../playground/zapier';
import { encodeDelivery } from '../../src/api/encode';
import { connectionTests, type EndpointName, endpoints, exists } from '../../src/api/endpoints';
import { type Message, message } from '../../src/api/resources';

/** The input of a step, as the stand-in for Zapier takes it. */
export type Bundle = NonNullable<Parameters<typeof runStep>[1]>;

/** Runs a step by its path in the app. Returns its result and the API requests that it made. */
export type RecordRun = (path: string, bundle?: Bundle) => Promise<{ requests: EndpointName[]; result: unknown }>;

/** A run of an action or a search. */
export interface Run {
  /** Such as `creates.send_message`. */
  place: string;
  /** When the step makes the requests. */
  when: string;
  /** The function of the operation that runs. */
  part: 'perform' | 'performResume' | 'inputFields';
  bundle: Bundle;
}

const run = (place: string, when: string, inputData: object, bundle: Bundle = {}): Run => ({
  place,
  when,
  part: 'perform',
  bundle: { inputData: { ...inputData }, ...bundle },
});

const form = (place: string, when: string, inputData: object): Run => ({
  ...run(place, `the form, ${when}`, inputData),
  part: 'inputFields',
});

const customer = '+12025550123';
/** Replies before Zapier knows what the step sent. */
const quickCustomer = '+12025550124';
/** Replies on another channel. */
const otherCustomer = '+12025550125';
const parcel = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to: customer };
const filledIn = exists('getTemplate')
  ? { ...parcel, variable_parcel_id: 'PX-1', variable_arrival_time: '14:30' }
  : { ...parcel, variables: { parcel_id: 'PX-1', arrival_time: '14:30' } };

const meta = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const formFields = z.array(z.looseObject({ key: z.string(), meta: z.optional(meta) }));

const deliver = (data: Message) =>
  encodeDelivery({ id: 'evt_1', type: 'message.received', created_at: data.created_at, data });

/** Lists the runs of every action and search, and prepares the records that they need. */
export const listRuns = async (service: Account, record: RecordRun): Promise<Run[]> => {
  const write = async (text: string, from = customer, channel = 'whatsapp') =>
    message.schema.parse(await control(service.url, 'POST', 'messages', { from, text, channel }));
  const send = async (to: string) => {
    const bundle = { inputData: { ...filledIn, to } };
    return message.schema.parse((await record('creates.send_message.operation.perform', bundle)).result);
  };

  const { result } = await record('creates.send_message.operation.inputFields', { inputData: parcel });
  const fields = formFields.parse(result);
  const inputFields = Object.fromEntries(fields.flatMap((field) => (field.meta ? [[field.key, field.meta]] : [])));
  for (let written = 0; written < 100; written += 1) await write('Hello?');
  // Find Reply stops at messages that are older than the one it looks up.
  await control(service.url, 'POST', 'clock', { advance_seconds: 60 });
  const sent = await send(customer);
  const reply = await write('Yes');
  await send(quickCustomer);
  const watch = {
    url: 'https://hooks.example.com/2/',
    events: ['message.received'],
    filters: { from: [quickCustomer] },
  };
  await callApi(service, endpoints.createWebhook, { body: watch });
  const quickReply = await write('Yes', quickCustomer);
  const sentToOther = await send(otherCustomer);
  await write('Yes', otherCustomer, 'sms');
  const [contact] = await listContacts(service, customer);
  const { data } = await callApi(service, endpoints.listCampaigns, { query: { query: 'opening hours' } });
  const saved = { campaign: data[0]?.id, audience: 'saved', max_recipients: 1_000 };
  const arrivesAt = { ...filledIn, variable_arrival_time: '2:30 pm' };
  return [
    form('creates.send_message', 'with a template chosen', parcel),
    run('creates.send_message', 'a message, as the form was filled in', filledIn, { meta: { inputFields } }),
    // Only the template shows that this text is a time.
    ...(exists('getTemplate')
      ? [run('creates.send_message', 'a message with a time, without the form', arrivesAt)]
      : []),
    form('creates.send_message_and_wait', 'with a template chosen', parcel),
    run('creates.send_message_and_wait', 'the message, as the form was filled in', filledIn, { meta: { inputFields } }),
    {
      place: 'creates.send_message_and_wait',
      when: 'the reply',
      part: 'performResume',
      bundle: { outputData: { webhook_id: 'wh_none', recipient: customer, sent }, cleanedRequest: deliver(reply) },
    },
    {
      place: 'creates.send_message_and_wait',
      when: 'a reply that arrives while the step still runs',
      part: 'performResume',
      bundle: { inputData: { ...filledIn, to: quickCustomer }, outputData: {}, cleanedRequest: deliver(quickReply) },
    },
    form('creates.trigger_campaign', 'for one recipient', { ...saved, audience: 'one' }),
    run('creates.trigger_campaign', 'the saved audience', saved),
    run('creates.trigger_campaign', 'the saved audience, in a test', saved, { meta: { isLoadingSample: true } }),
    run('creates.trigger_campaign', 'one recipient', { ...saved, audience: 'one', to: customer }),
    run('creates.create_contact', 'a contact', { email: 'noor@example.com' }),
    run('creates.upsert_contact', 'a new contact', { email: 'sanne@example.com' }),
    run('creates.upsert_contact', 'a contact that exists', { email: 'sanne@example.com', first_name: 'Sanne' }),
    run('creates.upsert_contact', 'a contact that exists, with a phone number and an email', {
      phone: '+12025550161',
      email: 'sanne@example.com',
    }),
    run('creates.update_contact', 'a contact', { contact: contact?.id, first_name: 'Noor' }),
    run('searches.find_contact', 'by phone number', { phone: customer }),
    run('searches.find_contact', 'by email', { email: 'noor@example.com' }),
    run('searches.find_contact', 'by name', { name: 'Noor' }),
    run('searches.find_contact', 'by phone number, which finds nothing, then by email', {
      phone: '+12025550160',
      email: 'noor@example.com',
    }),
    run('searches.find_conversation', '50 messages of a conversation', { conversation: reply.conversation_id }),
    run('searches.find_conversation', '50 messages of a phone number', { phone: customer }),
    run('searches.find_conversation', '150 messages of a phone number', { phone: customer, message_limit: '150' }),
    run('searches.find_reply', 'a message with a reply', { message: sent.id }),
    run('searches.find_reply', 'a message with a reply in a newer conversation', { message: sentToOther.id }),
    run('searches.find_message', 'a message', { message: sent.id }),
    run('searches.find_messages', '100 messages', { message_limit: '100' }),
    run('searches.find_messages', '150 messages', { message_limit: '150' }),
    run('searches.find_campaign', 'by name', { name: 'Weekend' }),
    run('searches.find_template', 'by name', { name: 'parcel' }),
    run('creates.delete_contact', 'a contact', { contact: contact?.id }),
    run('creates.api_request', 'a request', { method: 'GET', path: connectionTests[0]?.path }),
  ];
};
