import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import type { CheckResult } from '../../conformance/checks/check';
import { compare } from '../../conformance/contract/shape';
import { readOptions } from '../../conformance/options';
import { checkService } from '../../conformance/run';
import type { Sandbox } from '../../sandbox/sandbox';
import { endpoints as calls } from '../../src/api/endpoints';
import { receivedBy } from '../received';
import { newNumber, Running } from '../sandbox/running';
import { startSeeded } from '../sandbox/seeded';
import { type ProxyFault, type Reviver, withFaultyProxy } from './faulty-proxy';

const running = new Running();
const project = resolve(__dirname, '../..');

/** Checks a sandbox through a proxy with the fault. */
const checkThrough = (
  fault: ProxyFault,
  { url: service, tokens }: Sandbox,
  ...args: string[]
): Promise<CheckResult[]> =>
  withFaultyProxy(service, fault, async (url) => {
    const options = readOptions(['--base-url', url, ...args], { API_TOKEN: tokens.advanced });
    return (await checkService(options)).rows;
  });

/** What differs, without the line numbers of `src/api`. */
const differencesIn = (rows: CheckResult[]): string[] =>
  rows
    .filter(({ outcome }) => outcome === 'differs')
    .map(({ check, detail }) => `${check}: ${detail.replaceAll(/(\.ts):\d+/g, '$1')}`);

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
  ...['listMessages', 'listTemplates', 'listContacts', 'listConversations'],
  ...['listConversationMessages', 'listCampaigns'],
];
const lists = [
  ...['listMessages', 'listChannels', 'listTemplates', 'listContacts'],
  ...['listConversations', 'listCampaigns', 'listWebhooks'],
];
const single = [
  ...['getMessage', 'getTemplate', 'getContact', 'getConversation'],
  ...['listConversationMessages', 'getCampaign'],
];

const resources = '(src/api/resources.ts)';
const endpoints = '(src/api/endpoints.ts)';
const errors = '(src/api/errors.ts)';

/** Faults that a service may have at the same time, and all the differences that the command then reports. */
const faults: [what: string, fault: ProxyFault, differences: string[]][] = [
  [
    'fields with other names, types, words and formats',
    {
      reviveResponse: revivers(
        renamed('assignee', 'assigned_to'),
        renamed('category', 'kind'),
        changed('message_count', String),
        changed('consent', () => 'agreed'),
        changed('updated_at', () => '11-06-2026 09:41'),
        (_key, value) => (Object(value).data?.[0]?.key ? { ...Object(value), next_cursor: 'more' } : value),
      ),
    },
    [
      `listChannels: has more pages ${endpoints}`,
      `listTemplates: \`data[].category\` is missing; there is \`kind\` ${resources}`,
      `getTemplate: \`category\` is missing; there is \`kind\` ${resources}`,
      `listContacts: \`data[].consent\` has the unknown word "agreed" ${resources}; \`data[].updated_at\` isn't an ISO 8601 time with Z ${resources}`,
      `getContact: \`consent\` has the unknown word "agreed" ${resources}; \`updated_at\` isn't an ISO 8601 time with Z ${resources}`,
      `listConversations: \`data[].message_count\` is text, not a number ${resources}; \`data[].assignee\` is missing; there is \`assigned_to\` ${resources}`,
      `getConversation: \`message_count\` is text, not a number ${resources}; \`assignee\` is missing; there is \`assigned_to\` ${resources}`,
    ],
  ],
  [
    'ignored and refused parameters',
    {
      ignoredParams: ['after', 'direction', 'phone', 'query', 'tag', 'conversation_id'],
      refusedParams: ['contact_id'],
    },
    [
      ...paged.map((name) => `${name}, in pages: the next page repeats the page before ${endpoints}`),
      `listMessages, filtered: \`direction\` returns records with another value ${endpoints}; \`conversation_id\` returns records with another value ${endpoints}`,
      `listTemplates, filtered: \`query\` returns records for an unknown value ${endpoints}`,
      `listContacts, filtered: \`phone\` returns records with another value ${endpoints}; \`query\` returns records for an unknown value ${endpoints}; \`tag\` returns records for an unknown value ${endpoints}`,
      `listConversations, filtered: \`contact_id\`: responds 422 instead of 200 and refuses \`contact_id\`: Unknown parameter ${endpoints}`,
      `listCampaigns, filtered: \`query\` returns records for an unknown value ${endpoints}`,
      `an invalid cursor: responds 200 instead of 422 ${endpoints}`,
    ],
  ],
  [
    'missing cursors and request ids, and other statuses',
    {
      reviveResponse: changed('next_cursor', () => null),
      statuses: { 401: 403, 404: 400 },
      droppedHeaders: ['x-request-id'],
    },
    [
      ...paged.map((name) => `${name}, in pages: has no cursor, but more records ${endpoints}`),
      ...single.map((name) => `${name}, when there is none: responds 400 instead of 404 ${endpoints}`),
      "a path that doesn't exist: responds 400 instead of 404",
      ...['a wrong token', 'no token'].map((name) => `${name}: responds 403 instead of 401 ${endpoints}`),
      `the header x-request-id: is missing from the response to GET /v1/workspace ${endpoints}`,
    ],
  ],
  [
    'another error format',
    { reviveResponse: (key, value) => (key === '' && Object(value).request_id ? { title: 'No' } : value) },
    [
      ...single.map((name) => `${name}, when there is none`),
      ...["a path that doesn't exist", 'a wrong token', 'no token', 'an invalid limit', 'an invalid cursor'],
    ].map(
      (name) =>
        `${name}: \`error\` is missing; there is \`title\` ${errors}; \`request_id\` is missing; there is \`title\` ${errors}`,
    ),
  ],
];

test('reports a cursor that is neither text nor a number', () => {
  const page = { data: [], next_cursor: { page: 2 } };
  const [difference] = compare(calls.listMessages.response, page, 'listMessages').differences;
  expect(difference).toMatch(/^`next_cursor` is an object, not text \(src\/api\/endpoints\.ts:\d+\)$/);
});

test.each(faults)('reports %s, and nothing else', async (_what, fault, differences) => {
  const rows = await checkThrough(fault, running.sandbox);
  expect(differencesIn(rows).toSorted()).toEqual(differences.toSorted());
});

test('reports where src/api declares the records of a list that has another name for them, and leaves open what needs a list', async () => {
  const rows = await checkThrough({ reviveResponse: renamed('data', 'items') }, running.sandbox);
  expect(differencesIn(rows).toSorted()).toEqual(
    lists.map((name) => `${name}: \`data\` is missing; there is \`items\` ${endpoints}`).toSorted(),
  );
  const open = rows.filter(({ outcome }) => outcome === 'not checked').map(({ check }) => check);
  expect(open).toEqual(expect.arrayContaining(['listContacts, in pages', 'listContacts, filtered', 'getContact']));
  const { detail = '' } = rows.find(({ check }) => check === 'listContacts') ?? {};
  const [, file = '', line = ''] = detail.match(/\((src\/\S+):(\d+)\)$/) ?? [];
  expect(readFileSync(join(project, file), 'utf8').split('\n')[Number(line) - 1]?.trim()).toMatch(/\bdata: /);
});

test('with --write sends the named template, reports what goes wrong, and removes what it created', async () => {
  const fault: ProxyFault = {
    droppedHeaders: ['idempotency-key'],
    reviveRequest: changed('filters', () => undefined),
    reviveResponse: revivers(
      changed('secret', () => 'whsec_dGhlIHNlY3JldCBvZiBzb21lYm9keSBlbHNlLCAzMmIh'),
      changed('last_name', () => 'Check'),
      changed('expires_at', (time) => Date.parse(String(time))),
    ),
  };
  const ignored = ['channel', 'from', 'source', 'campaign_id'].map(
    (filter) => `the filter \`${filter}\` is ignored ${resources}`,
  );
  const to = newNumber();
  const variables = { parcel_id: 'PX-1', arrival_time: '09:00' };
  const message = ['--template', 'parcel_sms', '--channel', 'sms', '--variables', JSON.stringify(variables)];
  await running.control('DELETE', '/requests');
  expect(differencesIn(await checkThrough(fault, running.sandbox, '--write', '--to', to, ...message))).toEqual([
    `createContact, repeated with its key: responds 409 instead of 201: A contact with this phone already exists. ${endpoints}`,
    'createContact, another with that key: a different contact is accepted with the same key',
    "updateContact: `last_name` isn't what was sent",
    `createWebhook: \`expires_at\` is a number, not text ${resources}`,
    'createWebhook, repeated with its key: a repeat with the same key creates another record',
    `createWebhook, filtered: \`expires_at\` is a number, not text ${resources}`,
    `createWebhook, a second one: \`expires_at\` is a number, not text ${resources}`,
    `listWebhooks, with the new ones: \`data[].expires_at\` is a number, not text ${resources}`,
    'sendMessage, repeated with its key: a repeat with the same key creates another record',
    "a delivery, signed: the signature isn't the one of the contract with the webhook's secret (src/api/events.ts)",
    `deliveries, filtered: ${ignored.join('; ')}`,
  ]);
  const sends = (await receivedBy(running.sandbox)).filter(
    ({ method, path }) => method === 'POST' && path === '/v1/messages',
  );
  expect(sends.map(({ body }) => body)).toEqual(
    Array(2).fill({ channel: 'sms', to, template: 'parcel_sms', variables }),
  );
  expect((await running.call('GET', '/v1/webhooks')).body).toMatchObject({ data: [] });
  expect((await running.call('GET', '/v1/contacts?tag=conformance-check')).body).toMatchObject({ data: [] });
});

test('leaves checks open that the plan or the scopes of the token do not allow', async () => {
  const control = await running.control('POST', '/tokens', { plan: 'growth', scopes: ['contacts:read'] });
  const { token } = z.object({ token: z.string() }).parse(control.body);
  const options = readOptions(['--base-url', running.url, '--write', '--to', newNumber()], { API_TOKEN: token });
  const { rows } = await checkService(options);
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

test('reports absent optional fields and unknown fields without calling them differences, and looks for the rate limit', async () => {
  const limited = await startSeeded({ rateLimit: 150, speed: 1 });
  const reviveResponse: Reviver = (key, value) => {
    if (key === 'assignee') return undefined;
    return key === '' ? { ...Object(value), shoe_size: 43 } : value;
  };
  try {
    const rows = await checkThrough({ reviveResponse }, limited, '--rate-limit');
    expect(differencesIn(rows)).toEqual([]);
    expect(rows.find(({ check }) => check === 'getConversation')).toMatchObject({
      outcome: 'held',
      detail: '200; absent: `assignee`; also there: `shoe_size`',
    });
    expect(rows.at(-1)).toMatchObject({ outcome: 'held', detail: '429 rate_limited, retry-after: 1 s' });
  } finally {
    await limited.stop();
  }
});
