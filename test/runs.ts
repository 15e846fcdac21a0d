/** A run of every step. Tests and documents that run every step take what to fill in from here. */

import type { runStep } from '../lab/playground/service/zapier';
import { type Account, callApi, control } from '../lab/sandbox/client';
import { specialNumbers } from '../lab/sandbox/domain/phone-numbers';
import { visibleStepsOf } from '../lab/zapier/core/app-definition';
import { currentApp } from '../scripts/docs/definition';
import { endpoints } from '../src/api/endpoints';
import { exists } from '../src/api/missing';
import { type Message, message } from '../src/api/resources';
import { hiddenFieldsOf } from '../src/step/register';
import { customer, otherCustomer, quickCustomer, quickFacts, type Records } from './support/records';
import { newNumber, parcelMessage, withId } from './support/running';

/** The input of a step, as the stand-in for Zapier takes it. */
export type Bundle = NonNullable<Parameters<typeof runStep>[1]>;

/** A run of an action, a search or a polling trigger. */
export interface Run {
  /** Such as `creates.send_message`. */
  place: string;
  /** What is special about the run. */
  when: string;
  /** The function of the operation that runs. */
  part: 'perform' | 'performResume' | 'inputFields';
  /** How many API requests it makes. */
  requests: number;
  bundle: Bundle;
}

const run = (place: string, when: string, requests: number, inputData: object, bundle: Bundle = {}): Run => ({
  place,
  when,
  part: 'perform',
  requests,
  bundle: { inputData: { ...inputData }, ...bundle },
});

const form = (place: string, when: string, requests: number, inputData: object): Run => ({
  ...run(place, `the form, ${when}`, requests, inputData),
  part: 'inputFields',
});

const resume = (when: string, requests: number, reply: Message, bundle: Bundle, querystring: object = {}): Run => {
  const { created_at } = reply;
  const cleanedRequest = { id: 'evt_1', type: 'message.received', created_at, data: reply, querystring };
  const given = run('creates.send_message_and_wait', when, requests, {}, { ...bundle, cleanedRequest });
  return { ...given, part: 'performResume' };
};

const variable = (label: string, format: string) => ({ label, format, required: true });

/** What Zapier keeps about the fields of the form for a template. */
export const templateForm = {
  variable_parcel_id: variable('Parcel Number', 'text'),
  variable_arrival_time: variable('Arrival Time', 'time'),
};

const parcel = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to: customer };
const freeForm = parcelMessage(customer);
const filledIn = { ...parcel, variable_parcel_id: 'PX-1', variable_arrival_time: '14:30' };
const [asFilledIn, formBundle]: [object, Bundle] = exists('listTemplates')
  ? [filledIn, { meta: { inputFields: templateForm } }]
  : [freeForm, {}];

/** A send reads its template first, if the service can list it. */
const templateRead = exists('listTemplates') ? 1 : 0;

const person = { last_name: 'Visser', language: 'nl', consent: 'opted_in', attributes: { floor: '3' } };

const messageRuns = ({ sent, reply, quicklyAnswered, quickReply, slowlyAnswered, slowReply }: Records): Run[] => [
  run('creates.send_message', 'as the form was filled in', 1 + templateRead, asFilledIn, formBundle),
  run('creates.send_message', 'with Template Variables', 1 + templateRead, freeForm),
  run(
    'creates.send_message',
    'in a test',
    1 + templateRead,
    { ...freeForm, test_recipient: otherCustomer },
    { meta: { isLoadingSample: true } },
  ),
  // Only the template shows that this text is a time.
  ...(exists('listTemplates')
    ? [run('creates.send_message', 'with a time, without the form', 2, { ...filledIn, variable_arrival_time: '2 pm' })]
    : []),
  form('creates.send_message', 'with a template chosen', 1, parcel),
  // To somebody else, because the same message again would be a repeat, which is read again.
  run(
    'creates.send_message_and_wait',
    'as the form was filled in',
    3 + templateRead,
    { ...asFilledIn, to: '+12025550164' },
    formBundle,
  ),
  form('creates.send_message_and_wait', 'with a template chosen', 1, parcel),
  resume('the reply', 2, reply, { outputData: { webhook_id: 'wh_none', recipient: customer, sent } }),
  resume('a reply after more than 100 messages', 3, slowReply, {
    outputData: { webhook_id: 'wh_none', recipient: slowlyAnswered.to, sent: slowlyAnswered },
  }),
  resume(
    'a reply that arrives while the step still runs',
    4,
    quickReply,
    { inputData: { ...asFilledIn, to: quickCustomer }, outputData: {} },
    quickFacts(quicklyAnswered),
  ),
];

const campaignRuns = ({ campaign: id }: Records): Run[] => {
  const saved = { campaign: id, audience: 'saved', max_recipients: '1000' };
  const one = { campaign: id, audience: 'one', to: customer };
  return [
    run('creates.start_campaign', 'for one recipient', 2 + templateRead, one),
    run('creates.start_campaign', 'for one recipient, as the form was filled in', 2 + templateRead, one, {
      meta: { inputFields: { template_text: { template: 'openingstijden', channel: 'whatsapp' } } },
    }),
    run('creates.start_campaign', 'for the saved audience, in a test', 1, saved, { meta: { isLoadingSample: true } }),
    run('creates.start_campaign', 'for the saved audience', 2, saved),
    form('creates.start_campaign', 'for one recipient', 2, one),
  ];
};

/** In this order, because a later run finds or changes the contact of an earlier one. */
const contactRuns = ({ contact }: Records): Run[] => {
  const wilhelmina = { ...person, phone: '+12025550161', email: 'wilhelmina@example.com', first_name: 'Wilhelmina' };
  const sanne = { ...person, email: 'sanne@example.com', first_name: 'Sanne' };
  const lotte = { ...person, phone: customer, email: 'lotte@example.com', first_name: 'Lotte' };
  return [
    run('creates.create_contact', 'a contact', 1, { ...wilhelmina, tags: 'vip' }),
    run('creates.create_or_update_contact', 'a new contact', 1, { ...sanne, tags: 'vip' }),
    run('creates.create_or_update_contact', 'a contact that exists', 2, { email: sanne.email, first_name: 'Sanne' }),
    run('creates.create_or_update_contact', 'a contact that exists, with a phone number', 4, {
      ...sanne,
      phone: '+12025550162',
      on_difference: 'replace',
    }),
    run('creates.update_contact', 'a contact', 1, { ...lotte, contact, add_tags: 'vip', remove_tags: 'new' }),
    run('searches.find_contact', 'by its ID', 1, { contact }),
    run('searches.find_contact', 'by phone number', 1, { phone: customer }),
    run('searches.find_contact', 'by email', 1, { email: wilhelmina.email }),
    run('searches.find_contact', 'by name', 1, { name: 'Wilhelmina' }),
    run('searches.find_contact', 'by phone number, which finds nothing, then by email', 2, {
      phone: '+12025550160',
      email: wilhelmina.email,
    }),
    run('triggers.message_received', 'a poll', 1, {}),
    run('triggers.new_contact', 'a poll', 1, {}),
    run('triggers.new_contact', 'a poll for contacts with a tag', 1, { tag: 'vip' }),
    run('triggers.contact_opted_out', 'a poll', 1, {}),
    run('searches.find_contacts', 'contacts with a tag who agreed', 1, { tag: 'vip', consent: 'opted_in' }),
    run('searches.find_contacts', 'those added since yesterday', 1, { created_after: 'yesterday' }),
  ];
};

const searchRuns = ({ conversation: id, sent, slowlyAnswered, answeredElsewhere }: Records): Run[] => [
  run('searches.find_conversation_history', '50 messages of a conversation', 2, {
    conversation: id,
    message_limit: '50',
  }),
  run('searches.find_conversation_history', '50 messages of a phone number', 3, {
    phone: customer,
    channel: 'whatsapp',
    status: 'open',
  }),
  run('searches.find_conversation_history', '150 messages of a phone number', 4, {
    phone: customer,
    message_limit: '150',
  }),
  run('searches.find_reply', 'a message with a reply', 2, { message: sent.id }),
  run('searches.find_reply', 'a message with a reply on another channel', 2, { message: answeredElsewhere.id }),
  run('searches.find_reply', 'a message with more than 100 newer ones', 3, { message: slowlyAnswered.id }),
  run('searches.find_message_status', 'a message', 1, { message: sent.id }),
  run('searches.find_messages', '100 messages', 1, { message_limit: '100' }),
  run('searches.find_messages', '150 messages', 2, { message_limit: '150' }),
  run('searches.find_messages', 'of a kind', 1, { direction: 'inbound', status: 'received', channel: 'whatsapp' }),
  run('searches.find_messages', 'with a word', 2, { direction: 'inbound', contains: ['stop'], after: '1 hour ago' }),
  run('searches.find_messages', 'that nobody read', 1, { status: 'not_read' }),
  run('searches.find_conversations', '50 open conversations', 1, { status: 'open', channel: 'whatsapp' }),
  run('searches.find_conversations', 'that wait for a reply', 1, {
    status: 'open',
    awaiting_reply: 'true',
    quiet_since: '1 min ago',
  }),
  run('searches.find_campaign', 'by name', 1, { name: 'Weekend' }),
  run('searches.find_campaign', 'by name and status', 1, { name: 'Weekend', status: 'draft' }),
  run('searches.find_template', 'by name', 1, { name: 'parcel_out_for_delivery', channel: 'whatsapp' }),
];

/** Runs after which a record is gone. */
const lastRuns = ({ contact }: Records): Run[] => [run('creates.delete_contact', 'a contact', 1, { contact })];

const steps = visibleStepsOf(currentApp);

/** Returns a run that fills in only what the form asks for. */
const asAsked = ({ bundle: { inputData = {}, ...others }, ...each }: Run): Run => {
  const hidden = hiddenFieldsOf(each.place.split('.')[1] ?? '').map(({ key }) => key);
  const known = Object.entries(inputData).filter(([key]) => !hidden.includes(key));
  return { ...each, bundle: { ...others, inputData: Object.fromEntries(known) } };
};

/** Lists the runs of every action, search and polling trigger of the app. Throws when one of them has no run. */
export const listRuns = (records: Records): Run[] => {
  const runs = [messageRuns, campaignRuns, contactRuns, searchRuns, lastRuns].flatMap((list) => list(records));
  const missing = steps
    .filter(({ place, step }) => step.operation.type !== 'hook' && !runs.some((each) => each.place === place))
    .map(({ place }) => place);
  if (missing.length > 0) throw new Error(`Add a run of ${missing.join(' and ')} to test/runs.ts.`);
  // The app leaves out steps that the service lacks a call for. Without webhooks, it polls for messages.
  return runs
    .filter((each) => steps.some(({ place, step }) => place === each.place && step.operation.type !== 'hook'))
    .map(asAsked);
};

/** What starts a Zap with an instant trigger. */
interface Cause {
  /** What the form of the trigger has. */
  inputData?: Record<string, unknown>;
  happen: () => Promise<unknown>;
  /** What the record that starts the Zap has. */
  like: object;
}

/** Lists what starts each instant trigger, by its place. */
export const listCauses = (account: Account): [place: string, cause: Cause][] => {
  const act = async (path: string, content: object = {}) =>
    withId.parse(await control(account.url, 'POST', path, content));
  const write = async (text: string) =>
    message.schema.parse(await control(account.url, 'POST', 'messages', { from: newNumber(), text }));
  const converse = async () => ({ id: (await write('Hello')).conversation_id });
  const sendTo = (to: string) => callApi(account, endpoints.sendMessage, { body: parcelMessage(to) });
  const startCampaign = async (name: string): Promise<string> => {
    const { data } = await callApi(account, endpoints.listCampaigns, { query: { query: name } });
    await act(`campaigns/${data[0]?.id}/start`);
    return `campaigns/${data[0]?.id}`;
  };
  const causes: Record<string, Cause> = {
    'triggers.message_received': {
      inputData: { channel: 'whatsapp', contains: ['where'] },
      happen: async () => {
        await write('Thank you');
        await write('Where is my parcel?');
      },
      like: { text: 'Where is my parcel?', direction: 'inbound', status: 'received' },
    },
    'triggers.message_sent': {
      happen: async () => {
        await sendTo(newNumber());
        await act(`conversations/${(await converse()).id}/messages`, { text: 'We are on our way.' });
      },
      like: { text: 'We are on our way.', source: 'colleague', direction: 'outbound' },
    },
    'triggers.message_status_updated': {
      inputData: { statuses: ['read'] },
      happen: () => sendTo(newNumber()),
      like: { status: 'read', direction: 'outbound' },
    },
    'triggers.message_failed': {
      happen: () => sendTo(specialNumbers.failsLater),
      like: { status: 'failed', error: { code: expect.any(String), message: expect.any(String) } },
    },
    'triggers.conversation_opened': {
      inputData: { channel: 'whatsapp' },
      happen: converse,
      like: { status: 'open' },
    },
    'triggers.conversation_closed': {
      happen: async () => act(`conversations/${(await converse()).id}/close`),
      like: { status: 'closed', closed_at: expect.any(String) },
    },
    'triggers.conversation_reopened': {
      happen: async () => {
        const { id } = await converse();
        await act(`conversations/${id}/close`);
        await act(`conversations/${id}/reopen`);
      },
      like: { status: 'open' },
    },
    'triggers.campaign_started': {
      happen: () => startCampaign('Weekend parcel points'),
      like: {
        status: 'sending',
        stats: { recipients: expect.any(Number), sent: 0, delivered: 0, read: 0, replied: 0, failed: 0 },
        completed_at: null,
      },
    },
    'triggers.campaign_completed': {
      happen: () => startCampaign('Autumn opening hours'),
      like: { status: 'completed', completed_at: expect.any(String) },
    },
    'triggers.campaign_failed': {
      happen: async () => act(`${await startCampaign('Summer opening hours')}/fail`),
      like: { status: 'failed' },
    },
  };
  return Object.entries(causes).filter(([name]) => steps.some(({ place }) => place === name));
};
