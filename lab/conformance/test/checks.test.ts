/** Each check has a service that breaks it, and what a person is told to do about it. */
import { randomUUID } from 'node:crypto';
import { headers } from '../../../src/api/endpoints';
import { campaignRun } from '../../../src/api/resources';
import { hooks } from '../../../src/api/service';
import type { Hooks } from '../../../src/api/transport';
import { Running } from '../../../test/support/running';
import { specialNumbers } from '../../sandbox/domain/phone-numbers';
import type { CheckResult } from '../check';
import { removeCreated } from '../clean-up';
import { readOptions } from '../options';
import { openReceiver, type Received, type Receiver } from '../receiver';
import { checksOf, runChecks } from '../run';
import { clientOf } from './client';
import { faultyFetch, type ProxyFault, type Reviver } from './faulty-proxy';

const running = new Running({ isSmall: true });

/** How a service breaks a check: its requests and responses, its deliveries or that there are none, and the options. */
interface Fault extends ProxyFault {
  delivery?: (content: string) => string;
  isSilent?: boolean;
  /** The hooks of a wrong adapter. */
  hooks?: Hooks;
  args?: string[];
}

/** Returns the receiver of a service that changes its deliveries, and waits less when it makes none. */
const changedReceiver = (receiver: Receiver, { delivery: change = String, isSilent }: Fault = {}): Receiver => {
  const changed = (received: Received): Received => ({ ...received, content: change(received.content) });
  return {
    ...receiver,
    get received() {
      return receiver.received.map(changed);
    },
    wait: async (isWanted, timeoutMs) => {
      const found = await receiver.wait((each) => isWanted(changed(each)), isSilent ? 1000 : timeoutMs);
      return found && changed(found);
    },
    settle: () => running.settle(),
  };
};

const options = ['--write', '--to', '+12025550123', '--opted-out', specialNumbers.optedOut];

/** Runs the checks of these names of a service with a fault. Returns their results. */
const check = async (names: readonly string[], fault: Fault): Promise<CheckResult[]> => {
  const receiver = await openReceiver(0);
  const { advanced: API_TOKEN } = running.sandbox.tokens;
  Object.assign(hooks, fault.hooks);
  const service = clientOf(running.url, API_TOKEN, faultyFetch(running.respond, fault));
  const all = checksOf(
    service,
    changedReceiver(receiver, fault),
    readOptions(['--base-url', running.url, ...(fault.args ?? options)], { API_TOKEN }),
  );
  try {
    const rows = await runChecks(all.filter(({ name }) => names.includes(name)));
    await removeCreated(service.requests, service);
    await running.settle();
    expect(rows.map((row) => row.check)).toEqual(names);
    return rows;
  } finally {
    // An open server would keep the process of a failed test from ending.
    await receiver.stop();
    // A service that changes their address leaves its webhooks behind, and another row would find them gone.
    const { data } = await running.read('listWebhooks', { query: { limit: 100 } });
    for (const { id } of data) await running.request('deleteWebhook', { id });
    for (const name of Object.keys(fault.hooks ?? {})) Reflect.deleteProperty(hooks, name);
  }
};

const changed =
  (name: string, change: (value: unknown) => unknown): Reviver =>
  (key, value) =>
    key === name ? change(value) : value;

/** Changes each record of a list, or the list itself. */
const listed = (change: (records: object[]) => unknown): Reviver =>
  changed('data', (value) => (Array.isArray(value) ? change(value) : value));

/** Removes a field of a request, as a service does that ignores it. */
const ignored = (name: string): ProxyFault => ({ reviveRequest: changed(name, () => undefined) });

const respondWith =
  (status: number, body: unknown = {}) =>
  () =>
    Response.json(body, { status });

const withFlag = (isPrivate: (index: number) => boolean): ProxyFault => ({
  reviveResponse: listed((records) => records.map((each, index) => ({ ...each, private: isPrivate(index) }))),
});

const gone = () => respondWith(404, { error: { code: 'not_found', message: 'No.' }, request_id: 'req_1' })();

/** Responds to a contact that exists with the first one, or with another ID, as a service does that creates or updates. */
const upsert = (id?: string) => {
  let first: object | undefined;
  return async (got: Response): Promise<Response> => {
    const body = Object(await got.json());
    first ??= body;
    return got.status === 409
      ? Response.json({ ...first, ...(id && { id }) }, { status: 201 })
      : Response.json(body, { status: got.status });
  };
};

/** Shows only the newest of the attributes. */
const lastAttribute = async (got: Response): Promise<Response> => {
  const body = Object(await got.json());
  return Response.json({ ...body, attributes: Object.fromEntries(Object.entries(Object(body.attributes)).slice(-1)) });
};

const withCampaign: Fault = { args: ['--write', '--campaign', 'cmp_1'] };

/** A check, how a service breaks it, and what the report says about it. */
type Row<Advice> = [check: string, what: string, fault: () => Fault, told: RegExp, advice: Advice];

/** What differs, and what the report tells a person to do about it. */
const differing: Row<RegExp>[] = [
  // Reading
  [
    'getWorkspace',
    'has no such call',
    () => ({ instead: { getWorkspace: gone } }),
    /responds 404 instead of 200/,
    /leave it out: `calls: \['getWorkspace'\]`/,
  ],
  [
    'listMessages',
    "doesn't say who sent a message",
    () => ({ reviveResponse: changed('source', () => undefined) }),
    /New Outbound Message would never start/,
    /leave it out: `fields: \['message\.source'\]`/,
  ],
  [
    'listMessages',
    'writes times as numbers',
    () => ({ reviveResponse: changed('created_at', () => 1_781_171_000) }),
    /`message\.created_at` is a number, not text/,
    /Return it as the contract has it in `hooks\.listMessages\.response`/,
  ],
  [
    'listMessages',
    'writes phone numbers without a plus',
    () => ({ reviveResponse: changed('to', () => '2025550123') }),
    /`message\.to` isn't a phone number with a plus/,
    /`fields: \['message\.to'\]`/,
  ],
  [
    'listChannels',
    'has another name for the list',
    () => ({ instead: { listChannels: respondWith(200, { items: [] }) } }),
    /the response isn't a list in `data`/,
    /Use the preset `list` in `hooks\.listChannels`/,
  ],
  [
    'listTemplates',
    'reports a failure with 200',
    () => ({ instead: { listTemplates: respondWith(200, { error: 'No.', data: [], next_cursor: null }) } }),
    /a step can't use the response/,
    /Give a failure the status of a refusal/,
  ],
  [
    'listContacts',
    "doesn't know tags",
    () => ({ reviveResponse: changed('tags', () => undefined) }),
    /Find Contacts would find nobody by a tag/,
    /`fields: \['contact\.tags'\]`/,
  ],
  [
    'listContacts',
    "doesn't know consent",
    () => ({ reviveResponse: changed('consent', () => undefined) }),
    /Contact Opted Out would never start/,
    /`fields: \['contact\.consent'\]`/,
  ],
  [
    'listContacts',
    'has no id',
    () => ({ reviveResponse: changed('id', () => undefined) }),
    /`contact\.id` is missing/,
    /hooks\.listContacts\.response/,
  ],
  [
    'listContacts, in pages',
    'ignores the cursor',
    () => ({ ignoredParams: ['after'] }),
    /the next page repeats the page before/,
    /Correct the pages of `hooks\.listContacts`/,
  ],
  [
    'listContacts, in pages',
    'has no cursor',
    () => ({ reviveResponse: changed('next_cursor', () => null) }),
    /has more records, but no cursor/,
    /Correct the pages/,
  ],
  [
    'listContacts, in pages',
    'has the oldest first',
    () => ({ reviveResponse: listed((records) => records.toReversed()) }),
    /isn't sorted by `created_at`/,
    /the service's parameter for the order in `hooks\.listContacts\.request`/,
  ],
  [
    'getContact, of an unknown record',
    'responds 200',
    () => ({ statuses: { 404: 200 } }),
    /responds 200 instead of 404/,
    /Give the refusal this status/,
  ],
  [
    'getContact, of an unknown record',
    'responds 404 with text',
    () => ({ instead: { getContact: () => new Response('Not found', { status: 404 }) } }),
    /responds 404 with text instead of JSON, which may be from another server/,
    /Give the refusal this status/,
  ],
  [
    'a wrong token',
    'takes any token',
    () => ({ instead: { getWorkspace: respondWith(200) } }),
    /responds 200 instead of 401/,
    /Give the refusal this status/,
  ],
  [
    'known words',
    'writes words in capitals',
    () => ({ reviveResponse: changed('direction', (word) => String(word).toUpperCase()) }),
    /has the unknown words "(IN|OUT)BOUND"/,
    /Return one of "inbound", "outbound"/,
  ],
  // Filters
  [
    'listConversations, filtered',
    'refuses the contact',
    () => ({ refusedParam: 'contact_id' }),
    /`contact_id`: responds 422 instead of 200/,
    /leave it out: `filters: \['listConversations\.contact_id'\]`/,
  ],
  [
    'listConversations, filtered',
    "ignores the contact and doesn't name it",
    () => ({
      ignoredParams: ['channel'],
      reviveResponse: (key, value) =>
        key === 'data' && Array.isArray(value)
          ? value.map((each, index) => (index === 0 ? each : { ...each, channel: undefined }))
          : value,
    }),
    /the app can't tell whether they have the value/,
    /`filters: \['listConversations\.channel'\]`/,
  ],
  // Notes
  [
    'listMessages, without notes',
    'lists notes as messages',
    () => withFlag((index) => index === 0),
    /a record with `private`: true is taken for a message/,
    /Return undefined for it where `hooks\.listMessages\.response`/,
  ],
  // Contacts
  [
    'createContact',
    'loses the tags',
    () => ignored('tags'),
    /`tags` isn't kept: \["conformance-check"\] reads as \[\]/,
    /leave it out: `fields: \['contact\.tags'\]`/,
  ],
  [
    'createContact, repeated with its key',
    'ignores keys',
    () => ({ droppedHeaders: [headers.idempotencyKey] }),
    /responds 409 instead of 201/,
    /hooks\.createContact\.request/,
  ],
  [
    'createContact, of an existing contact',
    'changes the contact that exists',
    () => ({ afterwards: { createContact: upsert() } }),
    /Create Contact would change a customer's name/,
    /leave it out: `calls: \['createContact'\]`/,
  ],
  [
    'createContact, first in the list',
    'lists new contacts last',
    () => ({ reviveResponse: listed((records) => records.slice(1)) }),
    /New Contact would miss people/,
    /hooks\.listContacts\.request/,
  ],
  [
    'updateContact, tags',
    "doesn't add tags",
    () => ignored('add_tags'),
    /`tags` isn't kept/,
    /`fields: \['contact\.tags'\]`/,
  ],
  [
    'updateContact, tags',
    "doesn't remove tags",
    () => ignored('remove_tags'),
    /`tags` isn't kept: \["conformance-check"\] reads as \["conformance-check","added"\]/,
    /hooks\.updateContact\.request/,
  ],
  [
    'updateContact',
    'replaces the contact',
    () => ({
      reviveRequest: (key, value) =>
        key === '' && Object(value).first_name === 'Changed' ? { ...Object(value), email: null } : value,
    }),
    /an update of `first_name` removes or changes `email`/,
    /Read the contact and send the rest/,
  ],
  [
    'consent, written and read back',
    'reads unknown for everyone',
    () => ({ reviveResponse: changed('consent', () => 'unknown') }),
    /`consent` isn't kept: "opted_out" reads as "unknown"/,
    /leave it out: `fields: \['contact\.consent'\]`/,
  ],
  [
    'consent, written and read back',
    'drops an opt-out',
    () => ({ reviveRequest: (key, value) => (key === 'consent' && value === 'opted_out' ? undefined : value) }),
    /"opted_out" reads as "opted_in"/,
    /hooks\.updateContact\.request/,
  ],
  [
    'consent, written and read back',
    'lifts an opt-out at another update',
    () => ({
      reviveRequest: (key, value) =>
        key === '' && Object(value).first_name === 'Changed' ? { ...Object(value), consent: 'opted_in' } : value,
    }),
    /an update of `first_name` removes or changes `consent`/,
    /Read the contact and send the rest/,
  ],
  [
    'updateContact, another attribute',
    'replaces all attributes',
    () => ({ afterwards: { getContact: lastAttribute } }),
    /an update of another attribute removes/,
    /`fields: \['contact\.attributes'\]`/,
  ],
  [
    'updateContact, another attribute',
    'empties the name',
    () => ({
      reviveRequest: (key, value) =>
        key === '' && Object(value).attributes && !Object(value).email ? { ...Object(value), first_name: null } : value,
    }),
    /an update of `attributes` removes or changes `first_name`/,
    /Read the contact and send the rest/,
  ],
  [
    'deleteContact',
    'keeps the contact',
    () => ({ instead: { deleteContact: () => new Response(null, { status: 204 }) } }),
    /responds 200 instead of 404/,
    /Give the refusal this status/,
  ],
  // Sending
  [
    'sendMessage, variables',
    'gets them as a list',
    () => ({
      args: [...options, '--template', 'parcel_out_for_delivery', '--channel', 'whatsapp'],
      hooks: { sendMessage: { request: ({ body }) => ({ body: { values: Object.values(Object(body).variables) } }) } },
    }),
    /the variables are taken by their order, so values would arrive swapped/,
    /Take each by its name in `hooks\.sendMessage\.request`/,
  ],
  [
    'sendMessage, recipient',
    'gets the first contact that a search finds',
    () => ({
      hooks: {
        sendMessage: {
          request: async (_call, read) => {
            const found = Object(await read('/v1/contacts', { query: '+' }));
            return { body: { contact: found.data[0].id } };
          },
        },
      },
    }),
    /a message to a number without its last digit goes to the same person/,
    /throw an error unless exactly one has it/,
  ],
  [
    'sendMessage',
    'refuses the variables',
    () => ({ reviveRequest: changed('variables', () => ({})) }),
    /responds 422 instead of 202 and refuses/,
    /Send what the service takes in `hooks\.sendMessage\.request`/,
  ],
  [
    'sendMessage',
    'says that a colleague sent it',
    () => ({ reviveResponse: changed('source', () => 'colleague') }),
    /New Outbound Message would start on a Zap's own message/,
    /`fields: \['message\.source'\]`/,
  ],
  [
    'sendMessage',
    'writes local times as if they were UTC',
    () => ({
      reviveResponse: changed('created_at', (at) => new Date(Date.parse(String(at)) + 3_600_000).toISOString()),
    }),
    /`created_at` is 60 minutes from the time of the response/,
    /Write times in UTC in `hooks\.sendMessage\.response`/,
  ],
  [
    'sendMessage, repeated with its key',
    'sends again',
    () => ({ droppedHeaders: [headers.idempotencyKey] }),
    /a repeat with the same key does the work again/,
    /Set `keepsIdempotencyKeys` to false/,
  ],
  [
    'sendMessage, repeated with its key',
    "doesn't say that it was a repeat",
    () => ({ droppedHeaders: [headers.idempotentReplayed] }),
    /`idempotent-replayed` isn't true on a repeat/,
    /Add the header in `response`/,
  ],
  [
    'getMessage, of what was sent',
    'says that it came in',
    () => ({
      afterwards: { getMessage: async (got) => Response.json({ ...Object(await got.json()), direction: 'inbound' }) },
    }),
    /`direction` of the message is "inbound" and not "outbound"/,
    /hooks\.getMessage\.response/,
  ],
  [
    'sendMessage, to somebody who opted out',
    'sends it',
    () => ({ args: [...options.slice(0, 3), '--opted-out', '+12025550124'] }),
    /the service accepts a message to somebody who has opted out/,
    /Ask it to refuse such messages in `hooks\.sendMessage\.request`/,
  ],
  [
    'sendMessage, to somebody who opted out',
    'asks for a new token',
    () => ({ statuses: { 422: 401 }, reviveResponse: changed('code', () => 'no') }),
    /responds 401 instead of 422 with the code "recipient_opted_out"/,
    /Give the refusal this status/,
  ],
  [
    'triggerCampaign',
    'has no such call',
    () => ({ ...withCampaign, instead: { triggerCampaign: gone } }),
    /responds 404 instead of 202/,
    /`calls: \['triggerCampaign'\]`/,
  ],
  [
    'triggerCampaign, repeated with its key',
    'starts it twice',
    () => ({
      ...withCampaign,
      instead: { triggerCampaign: () => Response.json({ ...campaignRun.sample, id: randomUUID() }) },
    }),
    /a repeat with the same key does the work again/,
    /keepsIdempotencyKeys/,
  ],
  // Webhooks
  [
    'createWebhook',
    'gives no secret',
    () => ({ reviveResponse: changed('secret', () => undefined) }),
    /`secret` is missing/,
    /`calls: \['createWebhook'\]`/,
  ],
  [
    'createWebhook',
    'gives a secret that can be guessed',
    () => ({ reviveResponse: changed('secret', () => 'whsec_YQ==') }),
    /`secret` is too short to be safe/,
    /hooks\.createWebhook\.response/,
  ],
  [
    'createWebhook',
    "doesn't say which filters it keeps",
    () => ({ reviveResponse: changed('filters', () => ({})) }),
    /`filters` of the response doesn't repeat `contact_id`, so Send Message and Wait for Reply would stop/,
    /`filters: \['webhook\.contact_id'\]`/,
  ],
  [
    'createWebhook, repeated with its key',
    'creates another one',
    () => ({ droppedHeaders: [headers.idempotencyKey] }),
    /does the work again/,
    /keepsIdempotencyKeys/,
  ],
  [
    'listWebhooks, with the new ones',
    'keeps only one',
    () => ({ reviveResponse: listed((records) => records.slice(0, 1)) }),
    /the first of the new webhooks isn't in the list/,
    /`calls: \['createWebhook'\]`/,
  ],
  [
    'a delivery, signed',
    'signs with another secret',
    () => ({ reviveResponse: changed('secret', () => 'whsec_dGhlIHNlY3JldCBvZiBzb21lYm9keSBlbHNlLCAzMmIh') }),
    /the signature isn't made with the secret/,
    /Correct `signature`/,
  ],
  [
    'a delivery, signed',
    'changes what it has signed',
    () => ({ delivery: (content) => `${content} ` }),
    /the signature isn't made with the secret/,
    /Correct `signature`/,
  ],
  [
    'a delivery, signed',
    'delivers what was sent as an event of what came in',
    () => ({ delivery: (content) => content.replace(/"type":"message\.\w+"/, '"type":"message.received"') }),
    /the message that was sent is delivered as one that came in/,
    /Correct its type and `direction` in `delivery`/,
  ],
  [
    'a delivery, signed',
    'delivers what was sent in the other direction',
    () => ({ delivery: (content) => content.replace('"direction":"outbound"', '"direction":"inbound"') }),
    /the message that was sent is delivered as one that came in/,
    /Correct its type and `direction` in `delivery`/,
  ],
  [
    'a delivery, signed',
    'delivers to the last webhook only',
    () => ({ isSilent: true, reviveRequest: changed('url', (url) => String(url).replace(/first$/, 'elsewhere')) }),
    /the first of two webhooks gets no delivery/,
    /each new webhook replaces the one before/,
  ],
  [
    'a delivery, without notes',
    'marks notes in its deliveries',
    () => ({ delivery: (content) => content.replace(/"direction":/g, '"private":false,$&') }),
    /a delivery with `private`: true is taken for a message/,
    /Return it with `direction: 'note'` in `delivery`/,
  ],
  ...['from', 'contact_id'].map(
    (name): Row<RegExp> => [
      'a delivery, filtered',
      `ignores ${name}`,
      () => ignored(name),
      new RegExp(`\`${name}\` lets others' messages through, so anyone's message would end a wait`),
      new RegExp(`\`filters: \\['webhook\\.${name}'\\]\``),
    ],
  ),
  [
    'a delivery, of what came before',
    'delivers only what comes later',
    () => ({ isSilent: true, ...ignored('after') }),
    /gets no delivery of a later one that came before the webhook, so a wait could miss its reply/,
    /`filters: \['webhook\.after'\]`/,
  ],
  [
    'deleteWebhook',
    'has no such call',
    () => ({ instead: { deleteWebhook: gone } }),
    /responds 404 instead of 204/,
    /`calls: \['deleteWebhook'\]`/,
  ],
];

/** What the app copes with, and what nobody can check of such a service. */
const others: Row<'copes' | 'not checked' | 'skipped'>[] = [
  [
    'listConversations',
    'writes a count as text',
    () => ({ reviveResponse: changed('message_count', String) }),
    /is text, not a number/,
    'copes',
  ],
  [
    'listContacts, in pages',
    'has no times',
    () => ({ reviveResponse: changed('created_at', () => null) }),
    /no record says when it was created/,
    'not checked',
  ],
  [
    'known words',
    'has one more word',
    () => ({ reviveResponse: listed(([first, ...others]) => [{ ...first, status: 'paused' }, ...others]) }),
    /also has the words "paused"/,
    'copes',
  ],
  [
    'listContacts, filtered',
    'ignores the phone number',
    () => ({ ignoredParams: ['phone'] }),
    /`phone` also returns records without the value/,
    'copes',
  ],
  ['listContacts, filtered', 'ignores the tag', () => ({ ignoredParams: ['tag'] }), /`tag` also returns/, 'copes'],
  [
    'listContacts, filtered',
    'ignores the consent',
    () => ({ ignoredParams: ['consent'] }),
    /`consent` also returns/,
    'copes',
  ],
  [
    'listContacts, filtered',
    'finds nobody by email',
    () => ({ instead: { listContacts: () => Response.json({ data: [], next_cursor: null }) } }),
    /add a record to filter/,
    'skipped',
  ],
  [
    'listConversationMessages, without notes',
    'may have notes',
    () => withFlag(() => false),
    /messages have `private`, which may mark internal notes: write one/,
    'not checked',
  ],
  [
    'createContact',
    'shows another contact under the new ID',
    () => ({ instead: { getContact: respondWith(200, { id: 'con_1', last_name: 'Noor' }) } }),
    /doesn't show the new contact under the ID of the response, so nobody touches it/,
    'not checked',
  ],
  [
    'createContact, of an existing contact',
    'creates a second one',
    () => ({ afterwards: { createContact: upsert('con_2') } }),
    /creates a second contact/,
    'copes',
  ],
  [
    'createContact, of an existing contact',
    "doesn't say who exists",
    () => ({ reviveResponse: changed('existing_id', () => undefined) }),
    /doesn't give the id of the existing contact/,
    'copes',
  ],
  [
    'updateContact, another attribute',
    'knows no new attributes',
    () => ({ reviveRequest: changed('attributes', () => 7) }),
    /the service refuses the attribute/,
    'not checked',
  ],
  [
    'sendMessage',
    'may not write to the person',
    () => ({ args: ['--write', '--to', specialNumbers.optedOut] }),
    /refuses this person/,
    'not checked',
  ],
  [
    'sendMessage, to somebody who opted out',
    'lets it fail later',
    () => ({
      args: [...options.slice(0, 3), '--opted-out', '+12025550124'],
      afterwards: { getMessage: async (got) => Response.json({ ...Object(await got.json()), status: 'failed' }) },
    }),
    /accepted, and fails later/,
    'copes',
  ],
  [
    'a delivery, signed',
    'delivers nothing',
    () => ({
      isSilent: true,
      reviveRequest: changed('url', (url) => String(url).replace(/^.*\//, 'https://example.com/')),
    }),
    /nothing was delivered for the message/,
    'not checked',
  ],
  [
    'a delivery, of what came before',
    'has no message from a person',
    () => ({ reviveResponse: changed('direction', () => 'outbound') }),
    /write to the test workspace from a phone/,
    'skipped',
  ],
];

/** The checks whose results another check judges. */
const readBefore = new Map([['known words', ['listMessages']]]);

const lastOf = async (name: string, fault: Fault): Promise<CheckResult | undefined> =>
  (await check([...(readBefore.get(name) ?? []), name], fault)).at(-1);

test.each(differing)('%s finds a difference in a service that %s', async (name, _what, fault, told, advice) => {
  const row = await lastOf(name, fault());
  const texts = row?.differences.map(({ text, todo }) => `${text} → ${todo}`);
  expect({ outcome: row?.outcome, texts }).toEqual({
    outcome: 'differs',
    texts: expect.arrayContaining([expect.stringMatching(new RegExp(`${told.source}.* → .*${advice.source}`))]),
  });
});

test.each(others)('%s finds no difference in a service that %s', async (name, _what, fault, detail, outcome) => {
  expect(await lastOf(name, fault())).toMatchObject({ outcome, detail: expect.stringMatching(detail) });
});

test('every check passes for a service of the contract, and has a row that breaks it, or breaks one like it', async () => {
  const { data } = await running.read('listCampaigns', { query: { status: ['draft'] } });
  const args = [...options, '--campaign', String(data[0]?.id)];
  const receiver = await openReceiver(0);
  const API_TOKEN = running.sandbox.tokens.advanced;
  const service = clientOf(running.url, API_TOKEN, faultyFetch(running.respond, {}));
  const all = checksOf(
    service,
    changedReceiver(receiver),
    readOptions(['--base-url', running.url, ...args], { API_TOKEN }),
  );
  const results = await runChecks(all);
  await removeCreated(service.requests, service);
  await receiver.stop();
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  const kindOf = (name: string) => (/^(get|list)\w+(, .*)?$/.test(name) ? name.replace(/^\w+/, 'read') : name);
  const broken = new Set([...differing, ...others].map(([name]) => kindOf(name)));
  expect(all.map(({ name }) => name).filter((name) => !broken.has(kindOf(name)))).toEqual([]);
});
