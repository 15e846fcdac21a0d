import * as z from 'zod/mini';
import type { Account } from '../../playground/call-api';
import { callApi } from '../../playground/call-api';
import { applyEvent, listContacts, passTime } from '../../playground/service-events';
import type { Zapier } from '../../playground/zapier';
import { encodeDelivery } from '../../src/api/encode';
import { connectionTests, type EndpointName, endpoints, exists } from '../../src/api/endpoints';
import { message } from '../../src/api/resources';

/** The input of a step, as the stand-in for Zapier takes it. */
export type Bundle = NonNullable<Parameters<Zapier['run']>[1]>;

/** A run of a step. */
interface RecordedRun {
  /** The API requests that the step made. */
  requests: EndpointName[];
  result: unknown;
}

/** Runs a step and records its API requests. */
export type RecordRun = (path: string, bundle?: Bundle) => Promise<RecordedRun>;

const inputOf = (inputData: object): Bundle => ({ inputData: { ...inputData } });

/** A run of an action or a search: the key of the step, when it makes the requests, and how to record them. */
export type Run = [key: string, when: string, record: () => Promise<RecordedRun>];

const customer = '+12025550123';
const parcel = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to: customer };
const variables = { variable_parcel_id: 'PX-1', variable_arrival_time: '14:30' };

const meta = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const formFields = z.array(z.looseObject({ key: z.string(), meta: z.optional(meta) }));

/** Lists the runs of every action and search, and prepares the records that they need. */
export const listRuns = async (service: Account, zapier: Zapier, record: RecordRun): Promise<Run[]> => {
  const create = (key: string, when: string, input: object, bundle: Bundle = {}): Run => [
    key,
    when,
    () => record(`creates.${key}.operation.perform`, { ...inputOf(input), ...bundle }),
  ];
  const search = (key: string, when: string, input: object): Run => [
    key,
    when,
    () => record(`searches.${key}.operation.perform`, inputOf(input)),
  ];
  const write = async (text: string) =>
    message.schema.parse(await applyEvent(service, { type: 'customer writes', phone: customer, text }));

  const form = 'creates.send_message.operation.inputFields';
  const fields = formFields.parse(await zapier.run(form, inputOf(parcel)));
  const inputFields = Object.fromEntries(fields.flatMap((field) => (field.meta ? [[field.key, field.meta]] : [])));
  for (let written = 0; written < 100; written += 1) await write('Hello?');
  // Find Reply stops at messages that are older than the one it looks up.
  await passTime(service, 60);
  const sent = message.schema.parse(
    await zapier.run('creates.send_message.operation.perform', inputOf({ ...parcel, ...variables })),
  );
  const reply = await write('Yes');
  const [contact] = await listContacts(service, customer);
  const { data } = await callApi(service, endpoints.listCampaigns, { query: { query: 'Weekend' } });
  const saved = { campaign: data[0]?.id, audience: 'saved' };
  return [
    ['send_message', 'the form, with a template chosen', () => record(form, inputOf(parcel))],
    create(
      'send_message',
      'a message, as the form was filled in',
      { ...parcel, ...variables },
      { meta: { inputFields } },
    ),
    // Only the template shows that this text is a time.
    ...(exists('getTemplate')
      ? [
          create('send_message', 'a message with a time, without the form', {
            ...parcel,
            ...variables,
            variable_arrival_time: '2:30 pm',
          }),
        ]
      : []),
    [
      'send_message_and_wait',
      'the form, with a template chosen',
      () => record('creates.send_message_and_wait.operation.inputFields', inputOf(parcel)),
    ],
    create('send_message_and_wait', 'the message', { ...parcel, ...variables }),
    [
      'send_message_and_wait',
      'the reply',
      () =>
        record('creates.send_message_and_wait.operation.performResume', {
          outputData: { webhook_id: 'wh_none', recipient: customer, sent },
          cleanedRequest: encodeDelivery({ id: 'evt_1', type: 'message.received', data: reply }),
        }),
    ],
    [
      'trigger_campaign',
      'the form, for one recipient',
      () => record('creates.trigger_campaign.operation.inputFields', inputOf({ ...saved, audience: 'one' })),
    ],
    create('trigger_campaign', 'the saved audience', saved),
    create('trigger_campaign', 'the saved audience, with Maximum Recipients', { ...saved, max_recipients: 1_000 }),
    create('trigger_campaign', 'the saved audience, in a test', saved, { meta: { isLoadingSample: true } }),
    create('trigger_campaign', 'one recipient', { ...saved, audience: 'one', to: customer }),
    create('create_contact', 'a contact', { email: 'noor@example.com' }),
    create('upsert_contact', 'a new contact', { email: 'sanne@example.com' }),
    create('upsert_contact', 'a contact that exists', { email: 'sanne@example.com', first_name: 'Sanne' }),
    create('update_contact', 'a contact', { contact: contact?.id, first_name: 'Noor' }),
    search('find_contact', 'by phone number', { phone: customer }),
    search('find_contact', 'by email', { email: 'noor@example.com' }),
    search('find_contact', 'by name', { name: 'Noor' }),
    search('find_contact', 'by phone number, which finds nothing, then by email', {
      phone: '+12025550160',
      email: 'noor@example.com',
    }),
    search('find_conversation', '50 messages of a conversation', { conversation: reply.conversation_id }),
    search('find_conversation', '50 messages of a phone number', { phone: customer }),
    search('find_conversation', '150 messages of a phone number', { phone: customer, message_limit: '150' }),
    search('find_reply', 'a message with a reply', { message: sent.id }),
    search('find_message', 'a message', { message: sent.id }),
    search('find_messages', '100 messages', { message_limit: '100' }),
    search('find_messages', '150 messages', { message_limit: '150' }),
    search('find_campaign', 'by name', { name: 'Weekend' }),
    search('find_template', 'by name', { name: 'parcel' }),
    create('delete_contact', 'a contact', { contact: contact?.id }),
    create('api_request', 'a request', { method: 'GET', path: connectionTests[0]?.path }),
  ];
};
