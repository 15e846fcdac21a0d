import * as z from 'zod/mini';
import { type Check, type CheckResult, runCheck } from '../../conformance/checks/check';
import { messageChecks, prepareMessage } from '../../conformance/checks/messages';
import { readingChecks } from '../../conformance/checks/reading';
import { Records } from '../../conformance/checks/records';
import { refusalChecks } from '../../conformance/checks/refusals';
import { trafficChecks } from '../../conformance/checks/traffic';
import { readOptions } from '../../conformance/options';
import { checkService } from '../../conformance/run';
import { specialNumbers } from '../../sandbox/domain/phone-numbers';
import { endpoints as calls, headers, list } from '../../src/api/endpoints';
import { errorResponse } from '../../src/api/errors';
import { contact, conversation, template, webhook } from '../../src/api/resources';
import { toWire } from '../../src/api/translate';
import { shortenPauses } from '../support/pauses';
import { receivedCalls } from '../support/received';
import { newNumber, Running } from '../support/running';
import { startSeeded } from '../support/seeded';
import { clientOf } from './client';
import { type ProxyFault, type Reviver, withFaultyProxy } from './faulty-proxy';
import { pathOnWire, withFilesOnly } from './names';
import { withServer } from './server';

const running = new Running({ isSmall: true });
/** For tests that leave something behind. */
const changing = new Running({ isSmall: true });
/** Its records have fields that few others have. */
const rich = new Running({ isSmall: true });
shortenPauses();

/** Checks a sandbox through a proxy with the fault. */
const checkThrough = (
  fault: ProxyFault,
  { url: service, sandbox, settle }: Running,
  ...args: string[]
): Promise<CheckResult[]> =>
  withFaultyProxy(service, fault, async (url) => {
    const options = readOptions(['--base-url', url, ...args], { API_TOKEN: sandbox.tokens.advanced });
    return (await checkService(options, { settle })).rows;
  });

const runChecks = async (checks: Check[]): Promise<CheckResult[]> => {
  const rows: CheckResult[] = [];
  for (const each of checks) rows.push(await runCheck(each));
  return rows;
};

/** What differs, with the file of `src/api` alone. */
const differencesIn = (rows: CheckResult[]): string[] =>
  rows.filter(({ outcome }) => outcome === 'differs').map(({ check, detail }) => `${check}: ${withFilesOnly(detail)}`);

const copedIn = (rows: CheckResult[]): string[] =>
  rows.filter(({ outcome }) => outcome === 'copes').map(({ check, detail }) => `${check}: ${withFilesOnly(detail)}`);

/** Removes or changes the value of every field with this name. */
const changed =
  (name: string, change: (value: unknown) => unknown): Reviver =>
  (key, value) =>
    key === name ? change(value) : value;

/** Renames a field wherever it is. */
const renamed =
  (from: string, to: string): Reviver =>
  (_key, value) => {
    if (typeof value !== 'object' || value === null || !(from in value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key === from ? to : key, each]));
  };

const revivers =
  (...all: Reviver[]): Reviver =>
  (key, value) =>
    all.reduce((revived, revive) => revive(key, revived), value);

const paged = [
  ...['listMessages', 'listChannels', 'listTemplates', 'listContacts', 'listConversations'],
  ...['listConversationMessages', 'listCampaigns'],
];
const lists = [
  ...['listMessages', 'listChannels', 'listTemplates', 'listContacts'],
  ...['listConversations', 'listCampaigns', 'listWebhooks'],
];
const single = [...['getMessage', 'getContact', 'getConversation'], ...['listConversationMessages', 'getCampaign']];

const resources = '(src/api/resources.ts)';
const endpoints = '(src/api/endpoints.ts)';
const errors = '(src/api/errors.ts)';

/** A field in the two calls that read a record. */
const readAs = (name: string, schema: z.ZodMiniObject, field: string): string[] => [
  `list${name}s: \`${pathOnWire(list(schema), 'data', field)}\``,
  `get${name}: \`${pathOnWire(schema, field)}\``,
];

/** Faults that a service may have at the same time, and all the differences that the command then reports. */
const faults: [what: string, fault: ProxyFault, differences: string[], coped: string[]][] = [
  [
    'fields with other names, types and words, a refused parameter, missing cursors and request ids, and other statuses',
    {
      reviveResponse: revivers(
        renamed('category', 'kind'),
        changed('message_count', String),
        changed('consent', () => 'agreed'),
        changed('next_cursor', () => null),
      ),
      refusedParam: 'contact_id',
      statuses: { 401: 403, 404: 400 },
      droppedHeaders: [headers.requestId],
    },
    [
      // One template alone may lack it because it's null.
      `listTemplates: \`${pathOnWire(list(template.schema), 'data', 'category')}\` is missing; there is \`kind\` ${resources}`,
      ...readAs('Contact', contact.schema, 'consent').map(
        (field) => `${field} has the unknown word "agreed" ${resources}`,
      ),
      `listConversations, filtered: \`contact_id\`: responds 422 instead of 200 and refuses \`${pathOnWire(calls.listConversations.query, 'contact_id')}\`: Unknown parameter ${endpoints}`,
      `listContacts, filtered: \`consent\`: responds 422 instead of 200 and refuses \`${pathOnWire(calls.listContacts.query, 'consent')}\`: consent: must be one of opted_in, opted_out, unknown ${endpoints}`,
      ...paged.map((name) => `${name}, in pages: has no cursor, but more records ${endpoints}`),
      ...single.map((name) => `${name}, of an unknown record: responds 400 instead of 404 ${errors}`),
    ],
    [
      ...readAs('Conversation', conversation.schema, 'message_count').map(
        (field) => `${field} is text, not a number ${resources}`,
      ),
      `a path that doesn't exist: responds 400 instead of 404 ${errors}`,
      ...['a wrong token', 'no token'].map((name) => `${name}: responds 403 instead of 401 ${errors}`),
      `the header ${headers.requestId}: is missing from the response to GET ${calls.getWorkspace.path} ${endpoints}`,
    ],
  ],
  [
    'ignored parameters and another error format',
    {
      ignoredParams: ['after', 'direction', 'email', 'query', 'tag', 'conversation_id'],
      reviveResponse: (key, value) => (key === '' && Object(value).request_id ? { title: 'No' } : value),
    },
    [
      ...paged.map((name) => `${name}, in pages: the next page repeats the page before ${endpoints}`),
      `listTemplates, filtered: \`query\` returns records for an unknown value ${endpoints}`,
      `listContacts, filtered: \`query\` returns records for an unknown value ${endpoints}; \`email\` returns records with another value ${endpoints}; \`tag\` returns records for an unknown value ${endpoints}`,
      `listCampaigns, filtered: \`query\` returns records for an unknown value ${endpoints}`,
    ],
    [
      ...[
        ...single.map((name) => `${name}, of an unknown record`),
        ...["a path that doesn't exist", 'a wrong token', 'no token', 'an invalid limit'],
      ].map(
        (name) =>
          `${name}: ${['error', 'request_id'].map((field) => `\`${pathOnWire(errorResponse, field)}\` is missing ${errors}`).join('; ')}`,
      ),
      `an invalid cursor: responds 200 instead of 422 ${endpoints}`,
      `listMessages, filtered: \`direction\` returns records with another value ${endpoints}; \`conversation_id\` returns records with another value ${endpoints}`,
    ],
  ],
];

for (const [what, fault, differences, coped] of faults) {
  test(`only reads, and reports ${what}, and nothing else`, async () => {
    await running.control('DELETE', '/requests');
    const rows = await checkThrough(fault, running);
    expect(differencesIn(rows).toSorted()).toEqual(differences.toSorted());
    expect(copedIn(rows).toSorted()).toEqual(coped.toSorted());
    const methods = (await receivedCalls(running.sandbox)).map(({ call }) => call && calls[call].method);
    // The contract doesn't know the call of a path that doesn't exist.
    expect(new Set(methods)).toEqual(new Set(['GET', undefined]));
  });
}

test('reports where src/api declares the records of a list that has another name for them, and leaves open what needs a list', async () => {
  const rows = await withServer(
    (_request, response) => response.setHeader('content-type', 'application/json').end('{"rows":[]}'),
    async (url) => (await checkService(readOptions(['--base-url', url], { API_TOKEN: 'tok_12345' }))).rows,
  );
  const detailOf = (name: string): string => rows.find(({ check }) => check === name)?.detail ?? '';
  for (const name of lists) {
    const field = pathOnWire(calls.listContacts.response, 'data');
    expect([name, detailOf(name)]).toEqual([
      name,
      expect.stringContaining(`\`${field}\` is missing; there is \`rows\``),
    ]);
  }
  const open = rows.filter(({ outcome }) => !['passed', 'differs'].includes(outcome)).map(({ check }) => check);
  expect(open).toEqual(expect.arrayContaining(['listContacts, in pages', 'listContacts, filtered', 'getContact']));
  expect(detailOf('listContacts')).toContain('(`data` in `list`, src/api/endpoints.ts)');
});

test('with --write sends the named template, reports what goes wrong, and removes what it created', async () => {
  const fault: ProxyFault = {
    droppedHeaders: [headers.idempotencyKey],
    reviveRequest: changed('filters', () => undefined),
    reviveResponse: revivers(
      changed('secret', () => 'whsec_dGhlIHNlY3JldCBvZiBzb21lYm9keSBlbHNlLCAzMmIh'),
      changed('first_name', (name) => (name === 'Changed' ? 'Conformance' : name)),
      changed('events', String),
    ),
  };
  const ignored = ['channel', 'from', 'contact_id', 'source', 'campaign_id'].map(
    (filter) => `the filter \`${filter}\` is ignored ${resources}`,
  );
  const to = newNumber();
  const variables = { parcel_id: 'PX-1', arrival_time: '09:00' };
  const message = ['--template', 'parcel_sms', '--channel', 'sms', '--variables', JSON.stringify(variables)];
  await changing.control('DELETE', '/requests');
  expect(differencesIn(await checkThrough(fault, changing, '--write', '--to', to, ...message))).toEqual([
    `createContact, repeated with its key: responds 409 instead of 201: A contact with this phone already exists. ${endpoints}`,
    'createContact, another contact with that key: a different contact is accepted with the same key',
    "updateContact: `first_name` isn't what was sent",
    `createWebhook: \`${pathOnWire(webhook.schema, 'events')}\` is text, not a list ${resources}`,
    'createWebhook, repeated with its key: a repeat with the same key creates another record',
    `createWebhook, filtered: \`${pathOnWire(webhook.schema, 'events')}\` is text, not a list ${resources}`,
    `createWebhook, a second one: \`${pathOnWire(webhook.schema, 'events')}\` is text, not a list ${resources}`,
    `listWebhooks, with the new ones: \`${pathOnWire(calls.listWebhooks.response, 'data', 'events')}\` is text, not a list ${resources}`,
    'sendMessage, repeated with its key: a repeat with the same key creates another record',
    "a delivery, signed: the signature isn't the one of the contract with the webhook's secret (src/api/service.ts)",
    `deliveries, filtered: ${ignored.join('; ')}`,
  ]);
  const sends = (await receivedCalls(changing.sandbox)).filter(({ call }) => call === 'sendMessage');
  expect(sends.map(({ body }) => body)).toEqual(
    Array(2).fill({ channel: 'sms', to, template: 'parcel_sms', variables }),
  );
  expect(await changing.read('listWebhooks')).toMatchObject({ data: [] });
  expect(await changing.read('listContacts', { query: { tag: 'conformance-check' } })).toMatchObject({ data: [] });
});

test('leaves checks open that the plan or the scopes of the token do not allow', async () => {
  const control = await changing.control('POST', '/tokens', { plan: 'growth', scopes: ['contacts:read'] });
  const { token } = z.object({ token: z.string() }).parse(control.body);
  const options = readOptions(['--base-url', changing.url, '--write', '--to', newNumber()], { API_TOKEN: token });
  const { rows } = await checkService(options, { settle: changing.settle });
  expect(differencesIn(rows)).toEqual([]);
  const open = rows.filter(({ outcome }) => outcome === 'not checked');
  expect(open).toContainEqual(
    expect.objectContaining({ check: 'createContact', detail: "the token doesn't have the scope contacts:write" }),
  );
  expect(open).toContainEqual(
    expect.objectContaining({ check: 'createWebhook', detail: 'the workspace needs the Advanced plan' }),
  );
  expect(open.map(({ check }) => check)).not.toContain('listContacts');
});

test('leaves the send open when the service refuses the person', async () => {
  const service = clientOf(changing.url, changing.sandbox.tokens.advanced);
  const sent = prepareMessage(service, new Records(service), specialNumbers.optedOut, {
    template: undefined,
    channel: undefined,
    variables: undefined,
  });
  const rows = await runChecks(messageChecks(service, sent));
  expect(rows.find(({ check }) => check === 'sendMessage')).toMatchObject({
    outcome: 'not checked',
    detail: 'the service refuses this person (recipient_opted_out): choose another number with --to',
  });
});

test('reports that no message says who sent it, since a trigger would never start', async () => {
  const rows = await withFaultyProxy(running.url, { reviveResponse: changed('source', () => undefined) }, (baseUrl) => {
    const service = clientOf(baseUrl, running.sandbox.tokens.advanced);
    return runChecks(readingChecks(new Records(service)));
  });
  expect(differencesIn(rows)).toEqual([
    `listMessages: no message says who sent it, so New Outbound Message would never start ${resources}`,
  ]);
});

test('counts numbers for ids and unknown error codes as differences that the app copes with', async () => {
  const reviveResponse = revivers(
    changed('id', (id) => Number(String(id).replace(/\D/g, '').slice(0, 6) || 7)),
    changed('code', () => 'nope'),
  );
  const rows = await withFaultyProxy(running.url, { reviveResponse }, (baseUrl) => {
    const service = clientOf(baseUrl, running.sandbox.tokens.advanced);
    return runChecks([...readingChecks(new Records(service)), ...refusalChecks(service)]);
  });
  expect(copedIn(rows)).toContain(
    `listContacts: \`${pathOnWire(list(contact.schema), 'data', 'id')}\` is a number, not text ${resources}`,
  );
  expect(copedIn(rows)).toContain(`a wrong token: \`error.code\` has the unknown word "nope" ${errors}`);
  expect(
    differencesIn(rows).filter((each) => !each.startsWith('get') && !each.startsWith('listConversationM')),
  ).toEqual([]);
});

test('reports absent optional fields and unknown fields without calling them differences', async () => {
  const reviveResponse: Reviver = (key, value) => {
    if (key === 'assignee') return undefined;
    return key === '' ? { ...Object(value), shoe_size: 43 } : value;
  };
  const rows = await withFaultyProxy(running.url, { reviveResponse }, (baseUrl) => {
    const service = clientOf(baseUrl, running.sandbox.tokens.advanced);
    return runChecks([...readingChecks(new Records(service)), ...refusalChecks(service)]);
  });
  expect(differencesIn(rows)).toEqual([]);
  expect(rows.find(({ check }) => check === 'getConversation')).toMatchObject({
    outcome: 'passed',
    detail: '200; absent: `assignee`; also there: `shoe_size`',
  });
});

test('takes a field that only some records of a list have as no new name of another', async () => {
  const reviveResponse: Reviver = (_key, value) => {
    if (!Object(value).id) return value;
    const known = Object.entries(Object(value)).filter(([, each]) => each !== null);
    return { ...Object.fromEntries(known), object: 'record' };
  };
  // Only a message of a campaign has its name, only some contacts have a username, and only some messages quote another.
  // The checks read the conversation with the most messages.
  const [campaign] = (await rich.read('listCampaigns', { query: { status: 'completed' } })).data;
  const { data } = await rich.read('listConversations', { query: { limit: 100 } });
  const [longest] = data.toSorted((one, other) => Number(other.message_count) - Number(one.message_count));
  await rich.request('triggerCampaign', { id: String(campaign?.id), body: { to: longest?.contact?.phone } });
  await rich.advance(60);
  await rich.control('POST', '/messages', { username: 'lena.muller', text: 'Hello' });
  await rich.control('POST', '/messages', {
    from: longest?.contact?.phone,
    username: 'noor.visser',
    channel: longest?.channel,
    text: 'Yes',
    reply_to: longest?.last_message?.id,
  });
  const rows = await withFaultyProxy(rich.url, { reviveResponse }, (baseUrl) => {
    const service = clientOf(baseUrl, rich.sandbox.tokens.advanced);
    return runChecks(readingChecks(new Records(service)));
  });
  expect(differencesIn(rows)).toEqual([]);
});

test.each(['1781171000', '60000', 'Fri, 31 Dec 2099 23:59:59 GMT'])(
  'reports a rate limit that asks for a pause of hours by %s',
  async (pause) => {
    const body = { error: { code: 'rate_limited', message: 'Too many requests' }, request_id: 'req_1' };
    const rows = await withServer(
      (_request, response) => {
        const given = { 'content-type': 'application/json', [headers.retryAfter]: pause };
        response.writeHead(429, given).end(JSON.stringify(toWire(errorResponse, body)));
      },
      (baseUrl) => runChecks(trafficChecks(clientOf(baseUrl), true)),
    );
    expect(differencesIn(rows)).toContain(
      `the rate limit: \`${headers.retryAfter}\` asks for a pause of over 15 minutes; it may be a time, or in milliseconds (src/api/service.ts)`,
    );
  },
);

test('looks for the rate limit', async () => {
  const { url: baseUrl, tokens, stop } = await startSeeded({ rateLimit: 3, speed: 0.1 });
  const rows = await runChecks(trafficChecks(clientOf(baseUrl, tokens.advanced), true));
  await stop();
  expect(rows.at(-1)).toMatchObject({
    outcome: 'passed',
    detail: expect.stringMatching(/^429 rate_limited, retry-after: \d+ s$/),
  });
});
