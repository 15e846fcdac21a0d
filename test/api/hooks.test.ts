/** What becomes of requests and responses when the contract is adapted badly, or passes on what it is given. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connectionEntries, exampleConnection } from '../../src/api/connection';
import { contact } from '../../src/api/resources';
import { withServer } from '../conformance/server';
import { checkCopy, copyProject, makeFolder } from './adapting/copy';
import { runSteps } from './adapting/run-steps';

const token = 'tok_h00ks3cr3t';
const reversed = [...token].reverse().join('');
const credentials = btoa(`noor:${token}`);

const head = `import { basic } from './presets';
import type { Answer, Authorize, Call, Hooks } from './transport';
export * from './own-service';
export const prefix: string = '/v1';
export const authorize: Authorize = basic(() => 'noor');
export const hooks: Hooks = {};
`;

/**
 * The service may have the id of what it creates in a header. The copy also reads ids backwards, as a hook may decode a
 * text, and throws when the service says so.
 */
const response = `export const response = (answer: Answer, _call: Call): Answer => {
  if (answer.headers['x-break']) throw new Error('The hook is broken.');
  const { location, 'x-backwards': backwards } = answer.headers;
  const id = location ?? (backwards && [...backwards].reverse().join(''));
  return id ? { ...answer, headers: { ...answer.headers, 'x-request-id': id }, body: { ...Object(answer.body), id } } : answer;
};
`;

/** Adds to every body, as the page does. */
const request = `export const request = (call: Call): Call => ({
  ...call,
  headers: { ...call.headers, 'x-api-version': '2' },
  ...(call.body !== undefined && { body: { ...Object(call.body), sender: 'snd_1' } }),
});
`;

const folder = makeFolder();
const copy = join(folder, 'copy');

beforeAll(() => {
  copyProject(copy);
  // What this project itself adapts stays out of the way.
  const [service, own] = ['service', 'own-service'].map((name) => join(copy, `src/api/${name}.ts`));
  renameSync(service ?? '', own ?? '');
  writeFileSync(service ?? '', head + request + response);
  const file = join(copy, 'src/api/endpoints.ts');
  const everyCall = readFileSync(file, 'utf8')
    .replace(/(missing: readonly Feature\[\] =) .*;/, '$1 [];')
    .replace(/(hasOnlyNamedCalls: boolean =) .*;/, '$1 false;')
    .replace(/(keepsIdempotencyKeys: boolean =) .*;/, '$1 true;');
  writeFileSync(file, everyCall);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Response = [status: number, headers: Record<string, string>, body: object | undefined];

const respondWith =
  ([status, headers, body]: Response): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body && JSON.stringify(body));

/** Runs a step of the copy against a service, and returns its result or its error as text. */
const runAgainst = async (step: string, inputData: object, listener: RequestListener): Promise<string> => {
  const { results } = await withServer(listener, (base_url) =>
    runSteps(copy, { ...exampleConnection, base_url, api_token: token, ai_agents: 'everything' }, [
      [step, { ...inputData }],
    ]),
  );
  expect(results).toHaveLength(1);
  return JSON.stringify(results[0]);
};

const run = (step: string, inputData: object, answer: Response) => runAgainst(step, inputData, respondWith(answer));

const create = (answer: Response) =>
  run('creates.create_contact.operation.perform', { email: 'a@example.com' }, answer);
const remove = (answer: Response) => run('creates.delete_contact.operation.perform', { contact: 'con_1' }, answer);

test.each([
  ['in a header', { location: `/contacts/${token}` }, '/contacts/…'],
  ['in a header that the hook decodes', { 'x-backwards': reversed }, '…'],
])('a result has no token that the service echoes %s', async (_where, headers, id) => {
  const result = await create([201, headers, contact.sample]);
  expect(JSON.parse(result)).toMatchObject({ id });
  expect(result).not.toContain(token);
});

test('an error has no credentials that the service echoes, in the form in which the request has them', async () => {
  const echo: RequestListener = ({ headers }, answer) =>
    answer.writeHead(422).end(JSON.stringify({ error: { message: `Wrong: ${headers.authorization}, ${token}` } }));
  const result = await runAgainst('creates.create_contact.operation.perform', { email: 'a@example.com' }, echo);
  expect(result).toContain('Wrong: Basic …, …');
});

test('Call the API sends what was typed, with the prefix and the connection, and nothing else', async () => {
  const seen: { body: string; headers: IncomingMessage['headers'] }[] = [];
  const listener: RequestListener = async (got, answer) => {
    seen.push({ body: await text(got), headers: got.headers });
    answer.end('{}');
  };
  const typed = '{"name": "Noor", "id": 12345678901234567890}';
  const inputData = { method: 'POST', path: 'contacts', body: typed };
  expect(await runAgainst('creates.call_api.operation.perform', inputData, listener)).toBe('{"response":{}}');
  expect(seen.map(({ body }) => body)).toEqual([typed]);
  expect(seen[0]?.headers).toMatchObject({ authorization: `Basic ${credentials}`, 'content-type': 'application/json' });
  expect(seen[0]?.headers).not.toHaveProperty('x-api-version');
});

const variables = Object.fromEntries(connectionEntries.map(([key, { example }]) => [key.toUpperCase(), example]));
const broken = { 'x-break': '1' };
const refusal = { error: { code: 'unknown', message: 'No' } };

test.each<[status: number, error: RegExp]>([
  [401, /^"ExpiredAuthError: .*missing, invalid or expired/],
  [422, /^"HaltedError: .*with the code unknown\. No\./],
  [429, /^"ThrottledError: .*\\"delay\\\\?":\s?7/],
])('a refusal with %i keeps its class when the hook throws', async (status, error) => {
  expect(await create([status, { ...broken, 'retry-after': '7' }, refusal])).toMatch(error);
});

test('a service that is unavailable has done nothing, also when the hook throws', async () => {
  expect(await create([503, { ...broken, 'retry-after': '7' }, refusal])).toMatch(
    /status 503.*Nothing was sent or changed, so/,
  );
});

test.each<[string, (answer: Response) => Promise<string>, Response]>([
  ['a creation', create, [201, broken, contact.sample]],
  ['a deletion', remove, [204, broken, undefined]],
])('%s is an unexpected response when the hook throws', async (_what, call, answer) => {
  expect(await call(answer)).toMatch(/^"HaltedError: .*unexpected response.*may have succeeded, so check/);
});

test('conformance names the hook when it throws', async () => {
  const workspace = respondWith([200, broken, { id: 'ws_1' }]);
  const { err, code } = await withServer(workspace, (url) =>
    checkCopy(copy, ['--base-url', url, '--record', join(folder, 'recorded')], { ...variables, API_TOKEN: token }),
  );
  const reason = 'a hook in src/api/service.ts fails on the response to getWorkspace (status 200): The hook is broken.';
  expect(err).toBe(`The service couldn't be checked: ${reason}.\n`);
  expect(code).toBe(1);
});
