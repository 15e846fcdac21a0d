/** What becomes of a response when `response` in src/api/service.ts is adapted badly, or passes on what it is given. */
import { rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { endpoints } from '../../src/api/endpoints';
import { contact } from '../../src/api/resources';
import { withServer } from '../conformance/server';
import { runNode } from '../support/processes';
import { copyProject, makeEdit, makeFolder } from './adapting/copy';
import { runSteps } from './adapting/run-steps';

const token = 'tok_h00ks3cr3t';
const reversed = [...token].reverse().join('');

/**
 * The service may have the id of what it creates in a header. The copy also reads ids backwards, as a hook may decode a
 * text, and throws when the service says so.
 */
const adapted = `export const response = (answer: Answer, _call: Call): Answer => {
  if (answer.headers['x-break']) throw new Error('The hook is broken.');
  const { location, 'x-backwards': backwards } = answer.headers;
  const id = location ?? (backwards && [...backwards].reverse().join(''));
  return id ? { ...answer, headers: { ...answer.headers, 'x-request-id': id }, body: { ...Object(answer.body), id } } : answer;
};
`;

const folder = makeFolder();
const copy = join(folder, 'copy');

beforeAll(() => {
  copyProject(copy);
  const from = 'export const response = (answer: Answer, _call: Call): Answer => answer;\n';
  makeEdit(copy, { file: 'src/api/service.ts', from, to: adapted });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Response = [status: number, headers: Record<string, string>, body: object | undefined];

const respondWith =
  ([status, headers, body]: Response): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body && JSON.stringify(body));

/** Runs a step of the copy, and returns its result or its error as text. */
const run = async (step: string, inputData: object, answer: Response): Promise<string> => {
  const { results } = await withServer(respondWith(answer), (base_url) =>
    runSteps(copy, { base_url, api_token: token }, [[step, inputData]]),
  );
  expect(results).toHaveLength(1);
  return JSON.stringify(results[0]);
};

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

const broken = { 'x-break': '1' };
const refusal = { error: { code: 'unknown', message: 'No' } };

test.each<[status: number, error: RegExp]>([
  [401, /^"ExpiredAuthError: .*missing, invalid or expired/],
  [422, /^"HaltedError: .*didn't accept the input\. No\./],
  [429, /^"ThrottledError: .*\\"delay\\\\?":\s?7/],
])('a refusal with %i keeps its class when the hook throws', async (status, error) => {
  expect(await create([status, { ...broken, 'retry-after': '7' }, refusal])).toMatch(error);
});

test('a service that is unavailable has done nothing, also when the hook throws', async () => {
  // A long one isn't asked for again, which would take 20 seconds.
  const long = { ...refusal, page: ' '.repeat(1_000_000) };
  expect(await create([503, { ...broken, 'retry-after': '7' }, long])).toMatch(
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
    runNode(['conformance/main.ts', '--base-url', url, '--record', join(folder, 'recorded')], {
      cwd: copy,
      env: { ...process.env, API_TOKEN: token },
    }),
  );
  const { method, path } = endpoints.getWorkspace;
  const reason = `\`response\` in src/api/service.ts fails on ${method} ${path} (status 200): The hook is broken.`;
  expect(err).toBe(`The service couldn't be checked: ${reason}.\n`);
  expect(code).toBe(1);
});
