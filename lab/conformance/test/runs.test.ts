/** Whole runs: of services that need no edit, of those that differ, and of those that can't be checked. */
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod/mini';
import { calls, endpoints, headers } from '../../../src/api/endpoints';
import { channel } from '../../../src/api/resources';
import { shortenPauses } from '../../../test/support/pauses';
import { receivedBy, receivedCalls } from '../../../test/support/received';
import { newNumber, Running } from '../../../test/support/running';
import { project } from '../../cli/environment';
import { UsageError } from '../../cli/errors';
import { accept, unused } from '../checks/accepted';
import { CheckAborted, type CheckResult } from '../checks/check';
import { readOptions } from '../options';
import { proofNames, untriedIn } from '../proofs';
import { formatReport } from '../report';
import { checkService } from '../run';
import { runConformance } from './adapting/copy';
import { faultyFetch, type ProxyFault, type Reviver, withFaultyProxy } from './faulty-proxy';
import { startGateway } from './gateway';
import { recordingsIn } from './recordings';
import { withServer } from './server';

const running = new Running({ isSmall: true });
/** For runs that leave something behind. */
const changing = new Running({ isSmall: true });
shortenPauses();

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sandboxFor = (args: readonly string[]): Running => (args.includes('--write') ? changing : running);

const checkAt = (url: string, args: readonly string[] = [], token?: string, send?: typeof fetch) => {
  const { sandbox, settle } = sandboxFor(args);
  const API_TOKEN = token ?? sandbox.tokens.advanced;
  return checkService(readOptions(['--base-url', url, ...args], { API_TOKEN }), { settle, send });
};

/** Checks a sandbox that has the fault, without a connection. */
const checkThrough = async (fault: ProxyFault, ...args: string[]): Promise<CheckResult[]> => {
  const { url, respond } = sandboxFor(args);
  return (await checkAt(url, args, undefined, faultyFetch(respond, fault))).rows;
};

/** Runs the command in this process. */
const run = (args: string[]) => {
  const { url, sandbox } = sandboxFor(args);
  return runConformance(project, args, { BASE_URL: url, API_TOKEN: sandbox.tokens.advanced });
};

const isOpen = ({ outcome }: CheckResult): boolean => outcome === 'differs' || outcome === 'not checked';

/** Returns the rows of an outcome, with the file of each place to edit alone. */
const detailsOf = (rows: CheckResult[], outcome: CheckResult['outcome']): string[] =>
  rows
    .filter((row) => row.outcome === outcome)
    .map(({ check, detail }) => `${check}: ${detail.replaceAll(/ \(`[^()]*, (src\/api[^()]*)\)/g, ' ($1)')}`);

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

/** Applies all changes of a value, one after the other. */
const inTurn =
  (...all: Reviver[]): Reviver =>
  (key, value) =>
    all.reduce((revived, revive) => revive(key, revived), value);

const [resources, places, errors] = ['(src/api/resources.ts)', '(src/api/endpoints.ts)', '(src/api/errors.ts)'];

const recorded = join(project, 'test/recorded');
for (const host of globSync('*/', { cwd: recorded })) {
  for (const { file, check } of recordingsIn(join(recorded, host))) {
    test(`the app reads ${relative(recorded, file)}`, () => void check(file));
  }
}

describe('with --write and --to, when everything passes', () => {
  const number = newNumber();
  const sent = z.looseObject({ to: z.string() });
  const saved = (file: string): string => readFileSync(join(folder, file), 'utf8');
  let finished: Awaited<ReturnType<typeof run>>;
  let sends: Awaited<ReturnType<typeof receivedCalls>>;

  beforeAll(async () => {
    mkdirSync(join(folder, 'refusals'), { recursive: true });
    const earlier = JSON.stringify({ endpoint: 'getContact', status: 418, headers: {} });
    writeFileSync(join(folder, 'refusals/getContact-418.json'), earlier);
    writeFileSync(join(folder, 'notes.json'), '{}');
    await changing.control('DELETE', '/requests');
    finished = await run(['--write', '--to', number, '--record', folder]);
    sends = (await receivedCalls(changing.sandbox)).filter(({ call }) => call === 'sendMessage');
  });

  test('prints each row and the summary, shows no progress outside a terminal, and exits with 0', () => {
    const { out, err, code } = finished;
    expect(out).toMatch(
      /^Checking http:\S+ with the API_TOKEN from the environment\. This creates and removes records\.\n(. .+\n)*✓ listMessages +200; records: \d+\n/,
    );
    expect(out).toMatch(
      /\nSkipped, and not counted in the exit status: 2 checks \([^)]+\), the rate limit \(add --rate-limit\)\n/,
    );
    expect(out).toMatch(/\n\d{2} passed, 0 differ, 0 couldn't be checked, 3 skipped\./);
    expect({ err, code }).toEqual({ err: '', code: 0 });
  });

  test('sends one message, to the number, and leaves no contact and no webhook behind', async () => {
    expect(new Set(sends.map(({ body }) => sent.parse(body).to))).toEqual(new Set([number]));
    const { data } = await changing.read('listMessages', { query: { direction: 'outbound' } });
    expect(data.filter(({ to }) => to === number)).toHaveLength(1);
    expect(await changing.read('listContacts', { query: { tag: 'conformance-check' } })).toMatchObject({ data: [] });
    expect(await changing.read('listWebhooks')).toMatchObject({ data: [] });
  });

  test('replaces earlier recordings with others that the app reads, without personal data and secrets', async () => {
    expect(readdirSync(join(folder, 'refusals'))).not.toContain('getContact-418.json');
    expect(saved('notes.json')).toBe('{}');
    const recordings = recordingsIn(folder);
    for (const { file, check } of recordings) check(file);
    const names = recordings.map(({ file }) => file.slice(folder.length + 1));
    expect(names).toEqual(
      expect.arrayContaining([
        join('responses', 'listContacts.json'),
        join('deliveries', 'message.sent.json'),
        join('refusals', 'getContact-404.json'),
      ]),
    );
    const all = names.map(saved).join('\n');
    const { data } = await changing.read('listContacts', { query: { limit: 100 } });
    const personal = data.flatMap(({ id, phone, email, first_name, last_name }) =>
      [id, phone, email, first_name, last_name].filter((text) => text && text.length > 3),
    );
    expect(personal.length).toBeGreaterThan(50);
    for (const text of [...personal, number, changing.sandbox.tokens.advanced, 'Quayside', 'whsec_']) {
      expect(all).not.toContain(text);
    }
  });
});

describe('nothing is open for a service', () => {
  test('whose IDs are numbers over 2^53', async () => {
    const gateway = await startGateway(changing.url);
    const { rows, left } = await checkAt(gateway.url, ['--write', '--to', newNumber()]);
    await gateway.stop();
    expect(rows.filter(isOpen)).toEqual([]);
    expect(rows.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(50);
    expect(left).toEqual([]);
  });

  test('that has errors, times, numbers, tags, types, pages and a status that differ, and changes a contact that exists', async () => {
    const isRecord = (value: unknown) => Object(value).id !== undefined && Object(value).created_at !== undefined;
    const rows = await checkThrough(
      {
        reviveResponse: inTurn(
          (key, value) =>
            key === '' && Object(value).request_id ? { type: 'about:blank', title: 'No', detail: 'No' } : value,
          (key, value) => (/_at$/.test(key) && typeof value === 'string' ? value.replace('Z', '+00:00') : value),
          (key, value) =>
            ['phone', 'to', 'from'].includes(key) && typeof value === 'string'
              ? value.replace(/^\+(\d)(\d{3})/, '+$1 ($2) ')
              : value,
          changed('tags', (tags) => (Array.isArray(tags) ? tags.toReversed() : tags)),
          changed('message_count', String),
          changed('assignee', () => 17),
          changed('next_cursor', () => undefined),
          (_key, value) =>
            isRecord(value) && Object(value).status === 'queued' ? { ...Object(value), status: 'paused' } : value,
        ),
        statuses: { 422: 400 },
        droppedHeaders: [headers.requestId],
        ignoredParams: ['limit'],
        afterwards: {
          updateContact: async (got) => Response.json({ id: Object(await got.json()).id }),
        },
      },
      ...['--write', '--to', newNumber()],
    );
    expect(rows.filter(isOpen)).toEqual([]);
  });

  test('without records, and only what needs no record passes', async () => {
    const rows = await checkThrough({
      reviveResponse: inTurn(
        changed('data', (data) => (Array.isArray(data) ? [] : data)),
        changed('next_cursor', () => null),
      ),
    });
    expect(rows.filter(isOpen)).toEqual([]);
    const byId = calls.filter(([, { method, path }]) => method === 'GET' && path.includes('{'));
    expect(rows.filter(({ outcome }) => outcome === 'passed').map(({ check }) => check)).toEqual([
      'getWorkspace',
      ...byId.map(([name]) => `${name}, of an unknown record`),
      ...["a path that doesn't exist", 'a wrong token', 'no token', 'an invalid limit', 'an invalid cursor'],
      'the header x-request-id',
    ]);
  });
});

const paged = [
  ...['listMessages', 'listChannels', 'listTemplates', 'listContacts', 'listConversations'],
  ...['listConversationMessages', 'listCampaigns'],
];
const single = [...['getMessage', 'getContact', 'getConversation'], ...['listConversationMessages', 'getCampaign']];

/** Faults that a service may have at the same time, and all the differences that the command then reports. */
const faults: [what: string, fault: ProxyFault, differences: string[], copes: string[]][] = [
  [
    'fields with other names, types and words, a refused parameter, missing cursors and request ids, and other statuses',
    {
      reviveResponse: inTurn(
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
      `listTemplates: \`data[].category\` is missing; there is \`kind\` ${resources}`,
      `listContacts: \`data[].consent\` has the unknown word "agreed" ${resources}`,
      `getContact: \`consent\` has the unknown word "agreed" ${resources}`,
      `listConversations, filtered: \`contact_id\`: responds 422 instead of 200 and refuses \`contact_id\`: Unknown parameter ${places}`,
      `listContacts, filtered: \`consent\`: responds 422 instead of 200 and refuses \`consent\`: consent: must be one of opted_in, opted_out, unknown ${places}`,
      ...paged.map((name) => `${name}, in pages: has no cursor, but more records ${places}`),
      ...single.map((name) => `${name}, of an unknown record: responds 400 instead of 404 ${errors}`),
    ],
    [
      `listConversations: \`data[].message_count\` is text, not a number ${resources}`,
      `getConversation: \`message_count\` is text, not a number ${resources}`,
      `a path that doesn't exist: responds 400 instead of 404 ${errors}`,
      ...['a wrong token', 'no token'].map((name) => `${name}: responds 403 instead of 401 ${errors}`),
      `the header ${headers.requestId}: is missing from the response to GET ${endpoints.getWorkspace.path} ${places}`,
    ],
  ],
  [
    'ignored parameters and another error format',
    {
      ignoredParams: ['after', 'direction', 'email', 'query', 'tag', 'conversation_id'],
      reviveResponse: (key, value) => (key === '' && Object(value).request_id ? { title: 'No' } : value),
    },
    [
      ...paged.map((name) => `${name}, in pages: the next page repeats the page before ${places}`),
      `listTemplates, filtered: \`query\` returns records for an unknown value ${places}`,
      `listContacts, filtered: \`query\` returns records for an unknown value ${places}; \`email\` returns records with another value ${places}; \`tag\` returns records for an unknown value ${places}`,
      `listCampaigns, filtered: \`query\` returns records for an unknown value ${places}`,
    ],
    [
      ...[
        ...single.map((name) => `${name}, of an unknown record`),
        ...["a path that doesn't exist", 'a wrong token', 'no token', 'an invalid limit'],
      ].map((name) => `${name}: \`error\` is missing ${errors}; \`request_id\` is missing ${errors}`),
      `an invalid cursor: responds 200 instead of 422 ${places}`,
      `listMessages, filtered: \`direction\` returns records with another value ${places}; \`conversation_id\` returns records with another value ${places}`,
    ],
  ],
];

test.each(faults)('only reads, and reports %s, and nothing else', async (_what, fault, differences, copes) => {
  await running.control('DELETE', '/requests');
  const rows = await checkThrough(fault);
  expect(detailsOf(rows, 'differs').toSorted()).toEqual(differences.toSorted());
  expect(detailsOf(rows, 'copes').toSorted()).toEqual(copes.toSorted());
  const methods = (await receivedCalls(running.sandbox)).map(({ call }) => call && endpoints[call].method);
  // The contract doesn't know the call of a path that doesn't exist.
  expect(new Set(methods)).toEqual(new Set(['GET', undefined]));
});

test('with --write sends the named template, and reports what goes wrong', async () => {
  const fault: ProxyFault = {
    droppedHeaders: [headers.idempotencyKey],
    reviveRequest: changed('filters', () => undefined),
    reviveResponse: inTurn(
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
  const rows = await checkThrough(fault, '--write', '--to', to, ...message);
  const events = `\`events\` is text, not a list ${resources}`;
  expect(detailsOf(rows, 'differs')).toEqual([
    `createContact, repeated with its key: responds 409 instead of 201: A contact with this phone already exists. ${places}`,
    'createContact, another contact with that key: a different contact is accepted with the same key',
    "updateContact: `first_name` isn't what was sent",
    `createWebhook: ${events}`,
    'createWebhook, repeated with its key: a repeat with the same key creates another record',
    ...['filtered', 'a second one'].map((which) => `createWebhook, ${which}: ${events}`),
    `listWebhooks, with the new ones: \`data[].events\` is text, not a list ${resources}`,
    'sendMessage, repeated with its key: a repeat with the same key creates another record',
    "a delivery, signed: the signature isn't the one of the contract with the webhook's secret (src/api/service.ts)",
    `deliveries, filtered: ${ignored.join('; ')}`,
  ]);
  const sends = (await receivedCalls(changing.sandbox)).filter(({ call }) => call === 'sendMessage');
  expect(sends.map(({ body }) => body)).toEqual(
    Array(2).fill({ channel: 'sms', to, template: 'parcel_sms', variables }),
  );
});

test('leaves checks open that the plan or the scopes of the token do not allow', async () => {
  const control = await changing.control('POST', '/tokens', { plan: 'growth', scopes: ['contacts:read'] });
  const { token } = z.object({ token: z.string() }).parse(control.body);
  const { rows } = await checkAt(changing.url, ['--write', '--to', newNumber()], token);
  expect(detailsOf(rows, 'differs')).toEqual([]);
  const open = detailsOf(rows, 'not checked');
  expect(open).toContain("createContact: the token doesn't have the scope contacts:write");
  expect(open).toContain('createWebhook: the workspace needs the Advanced plan');
  expect(open.join()).not.toContain('listContacts:');
});

describe('the report', () => {
  let printed: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    const record = join(folder, 'refusing');
    printed = await withFaultyProxy(running.url, { refusedParam: 'limit', statuses: { 404: 400 } }, (url) =>
      run(['--base-url', url, '--record', record]),
    );
  });

  test('names a refused parameter as one cause, and says what is not proven', () => {
    const out = stripVTControlCharacters(printed.out);
    expect(out.match(/^✗ .*in `.*$/gm)).toEqual(['✗ `limit` in `listQuery`, src/api/endpoints.ts']);
    expect(out).toMatch(/^✓ listContacts +200/m);
    expect(out).toContain(
      '\nNot tried, so not proven: sending; keys, without which a lost response sends twice; webhooks; deliveries and their signatures.\n',
    );
    expect(out).toMatch(
      /\nSkipped, and not counted in the exit status: .*\d+ checks \(add --write\).*, 2 checks \(add --campaign/,
    );
    expect(out + printed.err).not.toMatch(new RegExp(`${running.sandbox.tokens.advanced}|\\n +at `));
    expect(printed.code).toBe(1);
  });

  test('tells what is accepted by its name, and nothing once all is tried', () => {
    const skipped: CheckResult[] = [
      ...['sendMessage', 'sendMessage, repeated with its key', 'createWebhook', 'a delivery, signed'],
    ].map((check) => ({ check, outcome: 'skipped', detail: 'add --write', differences: [] }));
    expect(untriedIn(skipped, ['sending', 'webhooks']).open).toEqual([
      'keys, without which a lost response sends twice',
      'deliveries and their signatures',
    ]);
    const text = formatReport(skipped, 'recordings', untriedIn(skipped, proofNames));
    expect(text).toContain('Accepted without a proof: sending; keys, without which');
    expect(text).not.toContain('Not tried');
    const tried = skipped.map((row) => ({ ...row, outcome: 'passed' as const }));
    expect(formatReport(tried, 'recordings')).not.toContain('proven');
  });
});

test('a list that has another name for its records is one cause, and what needs a list stays open', async () => {
  const { rows } = await withServer(
    (_request, response) => response.setHeader('content-type', 'application/json').end('{"rows":[]}'),
    (url) => checkAt(url, [], 'tok_12345'),
  );
  const found = rows.filter(({ detail }) => detail.includes('`data` is missing; there is `rows` (`data` in `list`'));
  expect(found.length).toBeGreaterThanOrEqual(7);
  const open = rows.filter(({ outcome }) => !['passed', 'differs'].includes(outcome)).map(({ check }) => check);
  expect(open).toEqual(expect.arrayContaining(['listContacts, in pages', 'listContacts, filtered', 'getContact']));
});

describe('a line of the contract accepts', () => {
  const row: CheckResult = {
    ...{ check: 'listContacts', outcome: 'differs' },
    detail: '`a` is missing (`a` of a contact, src/api/resources.ts); `b` is missing',
    differences: ['`a` is missing (`a` of a contact, src/api/resources.ts)', '`b` is missing'],
  };

  test.each<[what: string, reasons: Record<string, string>, outcome: string, detail: string]>([
    [
      'every difference of a check, with the reason',
      { listContacts: 'Nobody needs it.' },
      ...([
        'accepted',
        '`a` is missing (accepted: Nobody needs it.); `b` is missing (accepted: Nobody needs it.)',
      ] as const),
    ],
    ['one difference by its words', { '`a` is missing': 'Nobody needs it.' }, 'differs', '`b` is missing'],
    ['nothing else', { getContact: 'Nobody needs it.' }, 'differs', row.detail],
  ])('%s', (_what, reasons, outcome, detail) => {
    expect(accept(row, reasons)).toMatchObject({ outcome, detail });
    expect(accept({ ...row, outcome: 'passed' }, reasons)).toMatchObject({ outcome: 'passed' });
  });

  test('what no check found, which is told', () => {
    const reasons = { listContacts: 'A.', '`b` is missing': 'B.', getContact: 'C.', '`c` is missing': 'D.' };
    expect(unused([row, { ...row, check: 'getContact', outcome: 'passed', differences: [] }], reasons)).toEqual([
      'getContact',
      '`c` is missing',
    ]);
  });
});

describe('stops with one sentence', () => {
  const reasonToStop = async (url: string, token = running.sandbox.tokens.advanced): Promise<string> => {
    const stopped = await checkAt(url, [], token).catch((error: unknown) => error);
    expect(stopped).toBeInstanceOf(CheckAborted);
    return String(stopped).replace(/^Error: /, '');
  };
  const redirect: RequestListener = ({ url, headers: given }, response) => {
    response.writeHead(307, { location: running.url + url }).end(given.authorization);
  };
  const nowhere: RequestListener = (_request, response) => {
    response.writeHead(404).end('Not Found');
  };

  test.each<[what: string, listener: RequestListener, sentence: RegExp]>([
    ['a redirect', redirect, /^BASE_URL redirects to http:\/\/127\.0\.0\.1:\d+, so set it to the API's own address\.$/],
    [
      'an HTML page',
      (_request, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'),
      /^BASE_URL isn't the address of the API: http\S+ returns text or HTML instead of JSON\.$/,
    ],
    [
      'an address without the API',
      nowhere,
      /^http\S+ has none of the calls that test a connection: GET \S+ \(404\), .*\. Every path starts with `pathPrefix`, now "\S+": correct BASE_URL, or edit the prefix, these paths or `missing` in src\/api\/endpoints\.ts\.$/,
    ],
    [
      'an API with other paths',
      (_request, response) =>
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"message":"Unknown route"}'),
      /^An API responds at http\S+, but not to the calls that test a connection: GET \S+ \(400\), .* `pathPrefix`, now "\S+": edit the prefix, these paths or/,
    ],
    [
      'a token in the text of the service, which is masked',
      ({ headers: given }, response) =>
        response.writeHead(401).end(JSON.stringify({ message: `held: ${given.authorization}` })),
      /^The service rejects API_TOKEN with status 401: held: Bearer …$/,
    ],
  ])('for %s', async (_what, listener, sentence) => {
    await running.control('DELETE', '/requests');
    expect(await withServer(listener, (url) => reasonToStop(url, 'API_TOKEN'))).toMatch(sentence);
    // Not even the target of a redirect gets the token.
    expect(await receivedBy(running.sandbox)).toEqual([]);
  });

  test('for a wrong token, a plan without the API, and an address where nothing listens', async () => {
    expect(await reasonToStop(running.url, 'tok_unknown')).toBe(
      'The service rejects API_TOKEN with status 401: The API token is missing, wrong or no longer valid.',
    );
    expect(await reasonToStop(running.url, running.sandbox.tokens.starter)).toBe(
      'The workspace needs the Growth plan to use the API.',
    );
    const closed = await withServer(nowhere, async (url) => url);
    const reason = `The service can't be reached: GET ${endpoints.getWorkspace.path} got no response: `;
    expect((await reasonToStop(closed)).startsWith(reason)).toBe(true);
  });

  test('after three requests in a row without a response', async () => {
    let requests = 0;
    const dying: RequestListener = (_request, response) => {
      requests += 1;
      if (requests > 1) return void response.destroy();
      response.setHeader('content-type', 'application/json').end('{"id":"ws_1"}');
    };
    expect(await withServer(dying, (url) => reasonToStop(url))).toBe(
      'The service stopped responding: 3 requests in a row got no response.',
    );
    expect(requests).toBe(4);
  });
});

test('goes on when the service has no workspace endpoint', async () => {
  const withoutWorkspace: RequestListener = ({ url }, response) => {
    if (url === endpoints.getWorkspace.path) return void response.writeHead(404).end();
    const list = { data: [channel.sample], next_cursor: null };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(list));
  };
  const { rows } = await withServer(withoutWorkspace, (url) => checkAt(url));
  expect(rows.find(({ check }) => check === 'getWorkspace')).toMatchObject({ outcome: 'differs' });
  expect(rows.find(({ check }) => check === 'listChannels')).toMatchObject({ outcome: 'passed' });
});

const environment = { BASE_URL: 'https://api.example.com', API_TOKEN: 'tok_0001' };
const send = ['--write', '--to', '+12025550123'];

test.each<[sentence: string, args: string[], environment?: Record<string, string>]>([
  ['BASE_URL is missing', [], { API_TOKEN: 'tok_0001' }],
  ['API_TOKEN is missing', [], { BASE_URL: 'https://api.example.com' }],
  ['the address must start with https://', ['--base-url', 'http://api.example.com']],
  ['this address is in a private network', [], { ...environment, BASE_URL: 'https://10.0.0.1' }],
  ['The API Token contains invalid characters', [], { ...environment, API_TOKEN: 'tök' }],
  ['--token would show the token', ['--token', 'tok_0001']],
  ['--token would show the token', ['--token=tok_1']],
  ["Unknown option '--fast'", ['--fast']],
  ['--to needs --write', ['--to', '+12025550123']],
  ['--template needs --to', ['--write', '--template', 'parcel_sms']],
  ['--to takes a phone number', ['--write', '--to', '2025550123']],
  ['--variables takes a JSON object of texts', [...send, '--variables', '{"parcel_id": 1}']],
  ['--callback-url takes an https address', ['--write', '--callback-url', 'http://example.com']],
  ['--accept takes names with commas', ['--accept', 'everything']],
  ['--port takes a port from 0 to 65535, not "70000"', ['--write', '--port', '70000']],
])('explains wrong use: %s', (sentence, args, given = environment) => {
  const read = () => readOptions(args, given);
  expect(read).toThrow(UsageError);
  expect(read).toThrow(new RegExp(`^([A-Z][^.]+: )?${sentence}[^\n]*\\.$`));
  expect(read).not.toThrow(/tok_1/);
});

test('takes the address and the token from the environment, and the address from --base-url first', () => {
  expect(readOptions([], environment).connection).toMatchObject({ baseUrl: environment.BASE_URL, token: 'tok_0001' });
  const { connection } = readOptions(['--base-url', 'https://eu.example.com/v1'], environment);
  expect(connection).toMatchObject({ baseUrl: 'https://eu.example.com', token: 'tok_0001' });
});

test('names a port that is taken', async () => {
  const { port } = new URL(changing.url);
  await expect(checkAt(changing.url, ['--write', '--port', port])).rejects.toThrow(
    new UsageError(`--port: ${port} can't be opened. Choose another one.`),
  );
});
