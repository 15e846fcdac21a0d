/** Each check has a service that breaks it, and what a person is told to do about it. */
import { randomUUID } from 'node:crypto';
import { headers } from '../../../src/api/endpoints';
import { campaignRun } from '../../../src/api/resources';
import { hooks } from '../../../src/api/service';
import type { EndpointName, Hooks } from '../../../src/api/transport';
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
const changedReceiver = (receiver: Receiver, { delivery: change = String, isSilent }: Fault): Receiver => {
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

/** Runs checks of a service with a fault: all of them, or those of these names. Returns their names and results. */
const check = async (fault: Fault, wanted?: readonly string[]): Promise<CheckResult[]> => {
  const receiver = await openReceiver(0);
  const { advanced: API_TOKEN } = running.sandbox.tokens;
  Object.assign(hooks, fault.hooks);
  const service = clientOf(running.url, API_TOKEN, faultyFetch(running.respond, fault));
  const read = readOptions(['--base-url', running.url, ...(fault.args ?? options)], { API_TOKEN });
  const all = checksOf(service, changedReceiver(receiver, fault), read);
  try {
    const rows = await runChecks(all.filter(({ name }) => wanted?.includes(name) ?? true));
    await removeCreated(service.requests, service);
    await running.settle();
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
const listed = (change: (records: object[]) => unknown): ProxyFault => ({
  reviveResponse: changed('data', (value) => (Array.isArray(value) ? change(value) : value)),
});

/** A field has this value in every response. */
const reads = (name: string, value: unknown): ProxyFault => ({ reviveResponse: changed(name, () => value) });
const lacks = (name: string): ProxyFault => reads(name, undefined);

/** The service ignores a field of a request. */
const ignores = (name: string): ProxyFault => ({ reviveRequest: changed(name, () => undefined) });

/** A request with this field, or this value of it, changes other fields too. */
const alsoWrites = (others: object, name: string, value?: string): ProxyFault => ({
  reviveRequest: (key, body) => {
    const { [name]: given, email } = Object(body);
    return key === '' && given && !email && (value ?? given) === given ? { ...Object(body), ...others } : body;
  },
});

const responds = (name: EndpointName, status: number, body: unknown = {}): ProxyFault => ({
  instead: { [name]: () => Response.json(body, { status }) },
});
const gone = (name: EndpointName): ProxyFault =>
  responds(name, 404, { error: { code: 'not_found', message: 'No.' }, request_id: 'req_1' });

/** The response to a call, with these fields. */
const afterwards = (name: EndpointName, change: (body: Record<string, unknown>) => object): ProxyFault => ({
  afterwards: { [name]: async (got: Response) => Response.json({ ...change(Object(await got.json())) }) },
});

/** Responds to a contact that exists with the first one, or with another ID, as a service does that creates or updates. */
const upsert = (id?: string): ProxyFault => {
  let first: object | undefined;
  return {
    afterwards: {
      createContact: async (got) => {
        const body = Object(await got.json());
        first ??= body;
        return got.status === 409
          ? Response.json({ ...first, ...(id && { id }) }, { status: 201 })
          : Response.json(body, { status: got.status });
      },
    },
  };
};

const withFlag = (isPrivate: (index: number) => boolean): ProxyFault =>
  listed((records) => records.map((each, index) => ({ ...each, private: isPrivate(index) })));

const withCampaign = ['--write', '--campaign', 'cmp_1'];
const ignoresKeys: Fault = { droppedHeaders: [headers.idempotencyKey] };
const toAnother = [...options.slice(0, 3), '--opted-out', '+12025550124'];
const delivers = (from: string | RegExp, to: string): Fault => ({ delivery: (content) => content.replace(from, to) });

/** A check, what the report says and, after an arrow, tells a person to do, and how the service breaks the check. */
const differing: [check: string, told: string, fault: Fault][] = [
  // Reading
  ['getWorkspace', "responds 404 instead of 200 → leave it out: `calls: ['getWorkspace']`", gone('getWorkspace')],
  [
    'listMessages',
    "New Outbound Message would never start → leave it out: `fields: ['message.source']`",
    lacks('source'),
  ],
  [
    'listMessages',
    '`message.created_at` is a number, not text → Return it as the contract has it in `hooks.listMessages.response`',
    reads('created_at', 1_781_171_000),
  ],
  [
    'listMessages',
    "`message.to` isn't a phone number with a plus → `fields: ['message.to']`",
    reads('to', '2025550123'),
  ],
  [
    'listChannels',
    "the response isn't a list in `data` → Use the preset `list` in `hooks.listChannels`",
    responds('listChannels', 200, { items: [] }),
  ],
  [
    'listTemplates',
    "a step can't use the response → Give a failure the status of a refusal",
    responds('listTemplates', 200, { error: 'No.', data: [], next_cursor: null }),
  ],
  ['listContacts', "Find Contacts would find nobody by a tag → `fields: ['contact.tags']`", lacks('tags')],
  ['listContacts', "Contact Opted Out would never start → `fields: ['contact.consent']`", lacks('consent')],
  ['listContacts', '`contact.id` is missing → hooks.listContacts.response', lacks('id')],
  [
    'listContacts, in pages',
    'the next page repeats the page before → Correct the pages of `hooks.listContacts`',
    { ignoredParams: ['after'] },
  ],
  ['listContacts, in pages', 'has more records, but no cursor → Correct the pages', reads('next_cursor', null)],
  [
    'listContacts, in pages',
    "isn't sorted by `created_at` → the service's parameter for the order in `hooks.listContacts.request`",
    listed((records) => records.toReversed()),
  ],
  [
    'getContact, of an unknown record',
    'responds 200 instead of 404 → Give the refusal this status',
    { statuses: { 404: 200 } },
  ],
  [
    'getContact, of an unknown record',
    'responds 404 with text instead of JSON, which may be from another server → Give the refusal this status',
    { instead: { getContact: () => new Response('Not found', { status: 404 }) } },
  ],
  ['a wrong token', 'responds 200 instead of 401 → Give the refusal this status', responds('getWorkspace', 200)],
  [
    'known words',
    'BOUND" → Return one of "inbound", "outbound"',
    { reviveResponse: changed('direction', (word) => String(word).toUpperCase()) },
  ],
  // Filters
  [
    'listConversations, filtered',
    "`contact_id`: responds 422 instead of 200 → leave it out: `filters: ['listConversations.contact_id']`",
    { refusedParam: 'contact_id' },
  ],
  [
    'listConversations, filtered',
    "the app can't tell whether they have the value → `filters: ['listConversations.channel']`",
    {
      ignoredParams: ['channel'],
      ...listed((records) => records.map((each, index) => (index === 0 ? each : { ...each, channel: undefined }))),
    },
  ],
  // Notes
  [
    'listMessages, without notes',
    'a record with `private`: true is taken for a message → Return undefined for it where `hooks.listMessages.response`',
    withFlag((index) => index === 0),
  ],
  // Contacts
  [
    'createContact',
    "`tags` isn't kept: [\"conformance-check\"] reads as [] → leave it out: `fields: ['contact.tags']`",
    ignores('tags'),
  ],
  ['createContact, repeated with its key', 'responds 409 instead of 201 → hooks.createContact.request', ignoresKeys],
  [
    'createContact, of an existing contact',
    "Create Contact would change a customer's name → leave it out: `calls: ['createContact']`",
    upsert(),
  ],
  [
    'createContact, first in the list',
    'New Contact would miss people → hooks.listContacts.request',
    listed((records) => records.slice(1)),
  ],
  ['updateContact, tags', "`tags` isn't kept → `fields: ['contact.tags']`", ignores('add_tags')],
  [
    'updateContact, tags',
    'reads as ["conformance-check","added"] → hooks.updateContact.request',
    ignores('remove_tags'),
  ],
  [
    'updateContact',
    'an update of `first_name` removes or changes `email` → Read the contact and send the rest',
    alsoWrites({ email: null }, 'first_name', 'Changed'),
  ],
  [
    'updateContact',
    'an update of `first_name` removes or changes `phone` → Read the contact and send the rest',
    alsoWrites({ phone: null }, 'first_name', 'Changed'),
  ],
  [
    'consent, written and read back',
    '`consent` isn\'t kept: "opted_out" reads as "unknown" → leave it out: `fields: [\'contact.consent\']`',
    reads('consent', 'unknown'),
  ],
  [
    'consent, written and read back',
    '"opted_out" reads as "opted_in" → hooks.updateContact.request',
    { reviveRequest: changed('consent', (word) => (word === 'opted_out' ? undefined : word)) },
  ],
  [
    'consent, written and read back',
    'an update of `first_name` removes or changes `consent` → Read the contact and send the rest',
    alsoWrites({ consent: 'opted_in' }, 'first_name', 'Changed'),
  ],
  [
    'updateContact, another attribute',
    "an update of another attribute removes → `fields: ['contact.attributes']`",
    afterwards('getContact', ({ attributes, ...others }) => {
      return { ...others, attributes: Object.fromEntries(Object.entries(Object(attributes)).slice(-1)) };
    }),
  ],
  [
    'updateContact, another attribute',
    'an update of `attributes` removes or changes `first_name` → Read the contact and send the rest',
    alsoWrites({ first_name: null }, 'attributes'),
  ],
  [
    'deleteContact',
    'responds 200 instead of 404 → Give the refusal this status',
    { instead: { deleteContact: () => new Response(null, { status: 204 }) } },
  ],
  // Sending
  [
    'sendMessage, variables',
    'the variables are taken by their order, so values would arrive swapped → Take each by its name in `hooks.sendMessage.request`',
    {
      args: [...options, '--template', 'parcel_out_for_delivery', '--channel', 'whatsapp'],
      hooks: { sendMessage: { request: ({ body }) => ({ body: { values: Object.values(Object(body).variables) } }) } },
    },
  ],
  [
    'sendMessage, recipient',
    'a message to a number without its last digit goes to the same person → throw an error unless exactly one has it',
    {
      hooks: {
        sendMessage: {
          request: async (_call, read) => {
            const found = Object(await read('/v1/contacts', { query: '+' }));
            return { body: { contact: found.data[0].id } };
          },
        },
      },
    },
  ],
  [
    'sendMessage',
    'responds 422 instead of 202 and refuses → Send what the service takes in `hooks.sendMessage.request`',
    { reviveRequest: changed('variables', () => ({})) },
  ],
  [
    'sendMessage',
    "New Outbound Message would start on a Zap's own message → `fields: ['message.source']`",
    reads('source', 'colleague'),
  ],
  [
    'sendMessage',
    '`created_at` is 60 minutes from the time of the response → Write times in UTC in `hooks.sendMessage.response`',
    { reviveResponse: changed('created_at', (at) => new Date(Date.parse(String(at)) + 3_600_000).toISOString()) },
  ],
  [
    'sendMessage, repeated with its key',
    'a repeat with the same key does the work again → Set `keepsIdempotencyKeys` to false',
    ignoresKeys,
  ],
  [
    'sendMessage, repeated with its key',
    "`idempotent-replayed` isn't true on a repeat → Add the header in `response`",
    { droppedHeaders: [headers.idempotentReplayed] },
  ],
  [
    'getMessage, of what was sent',
    '`direction` of the message is "inbound" and not "outbound" → hooks.getMessage.response',
    afterwards('getMessage', (body) => ({ ...body, direction: 'inbound' })),
  ],
  [
    'sendMessage, to somebody who opted out',
    'the service accepts a message to somebody who has opted out → Ask it to refuse such messages in `hooks.sendMessage.request`',
    { args: toAnother },
  ],
  [
    'sendMessage, to somebody who opted out',
    'responds 401 instead of 422 with the code "recipient_opted_out" → Give the refusal this status',
    { statuses: { 422: 401 }, ...reads('code', 'no') },
  ],
  [
    'triggerCampaign',
    "responds 404 instead of 202 → `calls: ['triggerCampaign']`",
    { args: withCampaign, ...gone('triggerCampaign') },
  ],
  [
    'triggerCampaign, repeated with its key',
    'a repeat with the same key does the work again → keepsIdempotencyKeys',
    {
      args: withCampaign,
      instead: { triggerCampaign: () => Response.json({ ...campaignRun.sample, id: randomUUID() }) },
    },
  ],
  // Webhooks
  ['createWebhook', "`secret` is missing → `calls: ['createWebhook']`", lacks('secret')],
  ['createWebhook', '`secret` is too short to be safe → hooks.createWebhook.response', reads('secret', 'whsec_YQ==')],
  [
    'createWebhook',
    "doesn't repeat `contact_id`, so Send Message and Wait for Reply would stop → `filters: ['webhook.contact_id']`",
    reads('filters', {}),
  ],
  ['createWebhook, repeated with its key', 'does the work again → keepsIdempotencyKeys', ignoresKeys],
  [
    'listWebhooks, with the new ones',
    "the first of the new webhooks isn't in the list → `calls: ['createWebhook']`",
    listed((records) => records.slice(0, 1)),
  ],
  [
    'a delivery, signed',
    "the signature isn't made with the secret → Correct `signature`",
    reads('secret', 'whsec_dGhlIHNlY3JldCBvZiBzb21lYm9keSBlbHNlLCAzMmIh'),
  ],
  ['a delivery, signed', "the signature isn't made with the secret → Correct `signature`", delivers(/$/, ' ')],
  [
    'a delivery, signed',
    'the message that was sent is delivered as one that came in → Correct its type and `direction` in `delivery`',
    delivers(/"type":"message\.\w+"/, '"type":"message.received"'),
  ],
  [
    'a delivery, signed',
    'the message that was sent is delivered as one that came in → Correct its type and `direction` in `delivery`',
    delivers('"direction":"outbound"', '"direction":"inbound"'),
  ],
  [
    'a delivery, signed',
    'the first of two webhooks gets no delivery → each new webhook replaces the one before',
    { isSilent: true, reviveRequest: changed('url', (url) => String(url).replace(/first$/, 'elsewhere')) },
  ],
  [
    'a delivery, without notes',
    "a delivery with `private`: true is taken for a message → Return it with `direction: 'note'` in `delivery`",
    delivers(/"direction":/g, '"private":false,$&'),
  ],
  ...['from', 'contact_id'].map((name): [string, string, Fault] => [
    'a delivery, filtered',
    `\`${name}\` lets others' messages through, so anyone's message would end a wait → \`filters: ['webhook.${name}']\``,
    ignores(name),
  ]),
  [
    'a delivery, of what came before',
    "came before the webhook, so a wait could miss its reply → `filters: ['webhook.after']`",
    { isSilent: true, ...ignores('after') },
  ],
  ['deleteWebhook', "responds 404 instead of 204 → `calls: ['deleteWebhook']`", gone('deleteWebhook')],
];

/** What the app copes with, and what nobody can check of such a service. */
const others: [outcome: 'copes' | 'not checked' | 'skipped', check: string, told: string, fault: Fault][] = [
  ['copes', 'listConversations', 'is text, not a number', { reviveResponse: changed('message_count', String) }],
  [
    'copes',
    'known words',
    'also has the words "paused"',
    listed(([first, ...rest]) => [{ ...first, status: 'paused' }, ...rest]),
  ],
  ...['phone', 'tag', 'consent'].map((name): [outcome: 'copes', check: string, told: string, fault: Fault] => [
    'copes',
    'listContacts, filtered',
    `\`${name}\` also returns records without the value`,
    { ignoredParams: [name] },
  ]),
  ['copes', 'createContact, of an existing contact', 'creates a second contact', upsert('con_2')],
  [
    'copes',
    'createContact, of an existing contact',
    "doesn't give the id of the existing contact",
    lacks('existing_id'),
  ],
  [
    'copes',
    'sendMessage, to somebody who opted out',
    'accepted, and fails later',
    { args: toAnother, ...afterwards('getMessage', (body) => ({ ...body, status: 'failed' })) },
  ],
  ['not checked', 'listContacts, in pages', 'no record says when it was created', reads('created_at', null)],
  [
    'not checked',
    'listConversationMessages, without notes',
    'messages have `private`, which may mark internal notes: write one',
    withFlag(() => false),
  ],
  [
    'not checked',
    'createContact',
    "doesn't show the new contact under the ID of the response, so nobody touches it",
    responds('getContact', 200, { id: 'con_1', last_name: 'Noor' }),
  ],
  [
    'not checked',
    'updateContact, another attribute',
    'the service refuses the attribute',
    { reviveRequest: changed('attributes', () => 7) },
  ],
  ['not checked', 'sendMessage', 'refuses this person', { args: ['--write', '--to', specialNumbers.optedOut] }],
  [
    'not checked',
    'a delivery, signed',
    'nothing was delivered for the message',
    { isSilent: true, reviveRequest: changed('url', (url) => String(url).replace(/^.*\//, 'https://example.com/')) },
  ],
  [
    'skipped',
    'listContacts, filtered',
    'add a record to filter',
    responds('listContacts', 200, { data: [], next_cursor: null }),
  ],
  [
    'skipped',
    'a delivery, of what came before',
    'write to the test workspace from a phone',
    reads('direction', 'outbound'),
  ],
];

/** The result of a check, after those whose results it judges. */
const lastOf = async (name: string, fault: Fault): Promise<CheckResult | undefined> =>
  (await check(fault, name === 'known words' ? ['listMessages', name] : [name])).at(-1);

test.each(differing)('%s: %s', async (name, told, fault) => {
  const [text = '', todo = ''] = told.split(' → ');
  expect(await lastOf(name, fault)).toMatchObject({
    check: name,
    outcome: 'differs',
    differences: expect.arrayContaining([{ text: expect.stringContaining(text), todo: expect.stringContaining(todo) }]),
  });
});

test.each(others)('%s: %s, %s', async (outcome, name, told, fault) => {
  expect(await lastOf(name, fault)).toMatchObject({ check: name, outcome, detail: expect.stringContaining(told) });
});

test('every check passes for a service of the contract, and has a row that breaks it, or breaks one like it', async () => {
  const { data } = await running.read('listCampaigns', { query: { status: ['draft'] } });
  const results = await check({ args: [...options, '--campaign', String(data[0]?.id)] });
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  const kindOf = (name: string) => (/^(get|list)\w+(, .*)?$/.test(name) ? name.replace(/^\w+/, 'read') : name);
  const broken = new Set([...differing.map(([name]) => name), ...others.map(([, name]) => name)].map(kindOf));
  expect(results.map((each) => each.check).filter((name) => !broken.has(kindOf(name)))).toEqual([]);
});
