/** What becomes of requests and responses when the contract is adapted badly, or passes on what it is given. */

import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { project } from '../../lab/cli/environment';
import { runConformance } from '../../lab/conformance/test/adapting/copy';
import { withServer } from '../../lab/conformance/test/server';
import { runStep } from '../../lab/playground/service/zapier';
import { contact } from '../../src/api/resources';
import type { Call, HttpResponse } from '../../src/api/transport';
import { skipPauses } from '../support/pauses';

/**
 * The service may have the id of what it creates in a header. The contract also reads ids backwards, as a hook may decode a
 * text, throws when the service says so, and adds to every body, as the page does.
 */
jest.mock('../../src/api/service', () => ({
  ...jest.requireActual('../../src/api/presets').contract,
  missing: { calls: [], events: [], filters: [], fields: [] },
  keepsIdempotencyKeys: true,
  authorize: (token: string) => ({ headers: { authorization: `Basic ${btoa(`noor:${token}`)}` } }),
  hooks: {
    updateContact: {
      response: (body: unknown, { parameters }: Call) => ({ ...parameters, first_name: `Read: ${body}` }),
    },
  },
  request: (call: Call) => ({
    ...call,
    headers: { ...call.headers, 'x-api-version': '2' },
    ...(call.body !== undefined && { body: { ...Object(call.body), sender: 'snd_1' } }),
  }),
  response: (answer: HttpResponse) => {
    if (answer.headers['x-break']) throw new Error('The hook is broken.');
    const { location, 'x-backwards': backwards } = answer.headers;
    const id = location ?? (backwards && [...backwards].reverse().join(''));
    if (!id) return answer;
    return { ...answer, headers: { ...answer.headers, 'x-request-id': id }, body: { ...Object(answer.body), id } };
  },
}));

skipPauses();

const token = 'tok_h00ks3cr3t';
const reversed = [...token].reverse().join('');

const folder = mkdtempSync(join(tmpdir(), 'hooks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Response = [status: number, headers: Record<string, string>, body: object | undefined];

const respondWith =
  ([status, headers, body]: Response): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body && JSON.stringify(body));

/** Runs a step against a service, and returns its result or its error as text. */
const runAgainst = (step: string, inputData: object, listener: RequestListener): Promise<string> =>
  withServer(listener, async (base_url) => {
    const authData = { base_url, api_token: token, ai_agents: 'everything' };
    const run = runStep(step, { authData, inputData: { ...inputData } });
    return JSON.stringify(await run.catch((error: Error) => `${error.name}: ${error.message}`));
  });

const run = (step: string, inputData: object, answer: Response) => runAgainst(step, inputData, respondWith(answer));

const create = (answer: Response) =>
  run('creates.create_contact.operation.perform', { email: 'a@example.com' }, answer);
const update = (answer: Response) =>
  run('creates.update_contact.operation.perform', { contact: 'con_1', first_name: 'Noor' }, answer);
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

test.each<[status: number, body: object | undefined]>([
  [200, contact.sample],
  [204, undefined],
])('the hook of an update reads its response with %i', async (status, body) => {
  expect(JSON.parse(await update([status, {}, body]))).toMatchObject({ id: 'con_1', first_name: `Read: ${body}` });
});

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
    runConformance(project, ['--base-url', url, '--record', join(folder, 'recorded')], {
      API_TOKEN: token,
    }),
  );
  const reason = 'a hook in src/api/service.ts fails on the response to getWorkspace (status 200): The hook is broken.';
  expect(err).toBe(`The service couldn't be checked: ${reason}.\n`);
  expect(code).toBe(1);
});
