/** Whole runs: of services that differ in nothing, of those that can't be checked, and what the command prints and keeps. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod/mini';
import { endpoints } from '../../../src/api/endpoints';
import { shortenPauses } from '../../../test/support/pauses';
import { receivedBy, receivedCalls } from '../../../test/support/received';
import { newNumber, Running } from '../../../test/support/running';
import { project } from '../../cli/environment';
import { UsageError } from '../../cli/errors';
import { specialNumbers } from '../../sandbox/domain/phone-numbers';
import { CheckAborted, type CheckResult, isOpen } from '../check';
import { readOptions } from '../options';
import { formatReport, proofNames, untriedIn } from '../report';
import { checkService } from '../run';
import { runConformance } from './adapting/copy';
import { faultyFetch, type ProxyFault, withFaultyProxy } from './faulty-proxy';
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

test('with --write and --to, everything passes, one message arrives, and nothing else is left', async () => {
  const [number, sent] = [newNumber(), z.looseObject({ to: z.string() })];
  await changing.control('DELETE', '/requests');
  const send = ['--write', '--to', number, '--opted-out', specialNumbers.optedOut];
  const { out, err, code } = await run([...send, '--record', folder]);
  // It shows no progress outside a terminal.
  expect({ err, code }).toEqual({ err: '', code: 0 });
  expect(out).toMatch(
    /^Checking http:\S+ with the API_TOKEN from the environment\. This creates and removes records\.\n(. .+\n)*✓ listMessages +200; records: \d+\n/,
  );
  expect(out).toMatch(/\nSkipped, and not counted in the exit status: 2 checks \(add --campaign[^)]+\)\n/);
  expect(out).toMatch(/\n\d{2} passed, 0 differ, 0 couldn't be checked, 2 skipped\.\n/);
  expect(out.replace(/\s+/g, ' ')).toMatch(/a delivery, signed .*never seen, so not proven: message\.received, /);
  const sends = (await receivedCalls(changing.sandbox)).filter(({ call }) => call === 'sendMessage');
  expect(new Set(sends.map(({ body }) => sent.parse(body).to))).toEqual(new Set([number, specialNumbers.optedOut]));
  const { data } = await changing.read('listMessages', { query: { direction: 'outbound' } });
  expect(data.filter(({ to }) => to === number)).toHaveLength(1);
  expect(await changing.read('listContacts', { query: { tag: 'conformance-check' } })).toMatchObject({ data: [] });
  expect(await changing.read('listWebhooks')).toMatchObject({ data: [] });

  const recorded = ['responses/listContacts', 'deliveries/message.sent', 'refusals/getContact-404']
    .map((name) => readFileSync(join(folder, `${name}.json`), 'utf8'))
    .join();
  // A time is kept where the contract has one.
  expect(recorded).toMatch(/"updated_at": "20\d\d-.*"sent_at": "20\d\d-/s);
  const people = (await changing.read('listContacts', { query: { limit: 100 } })).data;
  const personal = people.flatMap(({ id, phone, email, last_name }) => [id, phone, email, last_name]);
  const secrets = [...personal, number, changing.sandbox.tokens.advanced, 'Quayside', 'whsec_'];
  expect(secrets.filter((text) => text && text.length > 3 && recorded.includes(text))).toEqual([]);
});

test('finds a note beside the newest conversations, to which each run adds one', async () => {
  const note = { id: 'note_1', conversation_id: 'cnv_1', direction: 'note', private: true, text: 'Call back' };
  let reads = 0;
  const withNote = async (got: Response): Promise<Response> => {
    reads += 1;
    const { data, ...page } = Object(await got.json());
    const all = data.map((each: object) => ({ ...each, private: false }));
    return Response.json({ ...page, data: reads > 8 ? [...all, note] : all });
  };
  const rows = await checkThrough({ afterwards: { listConversationMessages: withNote } });
  const found = rows.find(({ check }) => check === 'listConversationMessages, without notes');
  expect(found).toMatchObject({ outcome: 'passed', detail: 'notes are no messages' });
});

test('nothing is open for a service without records', async () => {
  const rows = await checkThrough({
    reviveResponse: (key, value) => {
      if (key === 'data' && Array.isArray(value)) return [];
      return key === 'next_cursor' ? null : value;
    },
  });
  expect(rows.filter(isOpen)).toEqual([]);
  expect(rows).toContainEqual(expect.objectContaining({ check: 'listContacts', outcome: 'skipped' }));
});

test('only reads without --write', async () => {
  await running.control('DELETE', '/requests');
  await checkThrough({});
  const methods = (await receivedCalls(running.sandbox)).map(({ call }) => call && endpoints[call].method);
  expect(new Set(methods)).toEqual(new Set(['GET']));
});

test('with --write sends the named template', async () => {
  const to = newNumber();
  const [channel, template, variables] = ['sms', 'parcel_sms', { parcel_id: 'PX-1', arrival_time: '09:00' }];
  await changing.control('DELETE', '/requests');
  const named = ['--template', template, '--channel', channel, '--variables', JSON.stringify(variables)];
  await checkThrough({}, '--write', '--to', to, ...named);
  const sends = (await receivedCalls(changing.sandbox)).filter(({ call }) => call === 'sendMessage');
  expect(sends.map(({ body }) => body)).toEqual(Array(2).fill({ channel, to, template, variables }));
});

test('leaves checks open that the plan or the scopes of the token do not allow', async () => {
  const control = await changing.control('POST', '/tokens', { plan: 'growth', scopes: ['contacts:read'] });
  const { token } = z.object({ token: z.string() }).parse(control.body);
  const { rows } = await checkAt(changing.url, ['--write', '--to', newNumber()], token);
  expect(rows.filter(({ outcome }) => outcome === 'differs')).toEqual([]);
  const open = Object.fromEntries(rows.filter(isOpen).map(({ check, detail }) => [check, detail]));
  expect(open).toMatchObject({
    createContact: "the token doesn't have the scope contacts:write",
    createWebhook: 'the workspace needs the Advanced plan',
  });
  expect(open).not.toHaveProperty('listContacts');
});

describe('the report', () => {
  test('says once what differs and what to do about it, and what is not proven', async () => {
    const fault: ProxyFault = { reviveResponse: (key, value) => (key === 'consent' ? undefined : value) };
    const { out, err, code } = await withFaultyProxy(running.url, fault, (url) =>
      run(['--base-url', url, '--record', join(folder, 'refusing')]),
    );
    const text = stripVTControlCharacters(out);
    expect(text).toContain(
      '✗ listContacts: no record has `consent`, so Contact Opted Out would never start\n' +
        "    Read it in `hooks.listContacts.response`, or leave it out: `fields: ['contact.consent']` in\n      `missing`.\n",
    );
    expect(text).toContain('\nThe hooks, and the list `missing`, are in src/api/service.ts.\n');
    expect(text).toContain(
      '\nNot tried, so not proven: sending; keys, without which a lost response sends twice; consent, without which an opt-out gets lost; opt-outs, which an API may ignore unless it is asked not to; webhooks; deliveries and their signatures.\n',
    );
    expect(out + err).not.toMatch(new RegExp(`${running.sandbox.tokens.advanced}|\\n +at `));
    expect(code).toBe(1);
  });

  test('tells what is accepted by its name, and nothing once all is tried', () => {
    const skipped = [
      ...['sendMessage', 'sendMessage, repeated with its key', 'createWebhook', 'a delivery, signed'],
      'sendMessage, to somebody who opted out',
      'consent, written and read back',
    ].map((check): CheckResult => ({ check, outcome: 'skipped', detail: 'add --write', differences: [] }));
    expect(untriedIn(skipped, ['sending', 'webhooks', 'consent']).open).toEqual([
      'keys, without which a lost response sends twice',
      'opt-outs, which an API may ignore unless it is asked not to',
      'deliveries and their signatures',
    ]);
    const text = formatReport(skipped, 'recordings', untriedIn(skipped, proofNames));
    expect(text).toContain('Accepted without a proof: sending; keys, without which');
    expect(text).not.toContain('Not tried');
    const passed = skipped.map((row): CheckResult => ({ ...row, outcome: 'passed' }));
    expect(formatReport(passed, 'recordings')).not.toContain('proven');
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
      /^http\S+ has none of the calls that test a connection: GET \S+ \(404\), .*\. Every path starts with `prefix`, now "\S+": correct BASE_URL, or edit `prefix`, the paths in `hooks`, or `calls` in `missing` in src\/api\/service\.ts\.$/,
    ],
    [
      'an API with other paths',
      (_request, response) =>
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"message":"Unknown route"}'),
      /^An API responds at http\S+, but not to the calls that test a connection: GET \S+ \(400\), .* `prefix`, now "\S+": edit `prefix`, the paths in `hooks`/,
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
  const rows = await checkThrough({ instead: { getWorkspace: () => new Response(null, { status: 404 }) } });
  expect(rows.find(({ check }) => check === 'getWorkspace')).toMatchObject({ outcome: 'differs' });
  expect(rows.find(({ check }) => check === 'listChannels')).toMatchObject({ outcome: 'passed' });
});

const environment = { BASE_URL: 'https://api.example.com', API_TOKEN: 'tok_0001' };
const send = ['--write', '--to', '+12025550123'];

test.each<[sentence: string, args: string[], environment?: Record<string, string>]>([
  ['BASE_URL is missing', [], { API_TOKEN: 'tok_0001' }],
  ['the address must start with https://', ['--base-url', 'http://api.example.com']],
  ['this address is in a private network', [], { ...environment, BASE_URL: 'https://10.0.0.1' }],
  ['The API Token contains invalid characters', [], { ...environment, API_TOKEN: 'tök' }],
  ['--token would show the token', ['--token=tok_1']],
  ["Unknown option '--fast'", ['--fast']],
  ['--to needs --write', ['--to', '+12025550123']],
  ['--template needs --to', ['--write', '--template', 'parcel_sms']],
  ['--to takes a phone number', ['--write', '--to', '2025550123']],
  ['--variables takes a JSON object of texts', [...send, '--variables', '{"parcel_id": 1}']],
  ['--callback-url takes an https address', ['--write', '--callback-url', 'http://example.com']],
  ['--accept takes names with commas', ['--accept', 'everything']],
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
