import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { type EndpointName, endpoints, pathPrefix } from '../../../src/api/endpoints';
import { pathOf } from '../../support/calls';
import { type Answered, ask, decodeAnswer, errorOf, parcelMessage, Running } from '../../support/running';

const service = new Running();

const json = 'application/json';

/** Sends a body as it is to an endpoint. */
const post = async (name: EndpointName, body: string, headers: Record<string, string> = { 'content-type': json }) =>
  decodeAnswer(name, await service.call('POST', pathOf(name), body, headers));

/** Sends a query as it is to an endpoint. */
const get = async (name: EndpointName, query: string) =>
  decodeAnswer(name, await service.call('GET', pathOf(name) + query));

const call = async (method: 'GET' | 'PUT', path: string) =>
  decodeAnswer('getWorkspace', await service.call(method, path, method === 'PUT' ? {} : undefined));

const refusals: [string, number, string, () => Promise<Answered>][] = [
  [
    'deeply nested JSON',
    422,
    'validation_failed',
    () => post('createContact', `${'['.repeat(200_000)}${']'.repeat(200_000)}`),
  ],
  [
    'a form',
    400,
    'malformed_request',
    () => post('sendMessage', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
  ],
  [
    'JSON with the content type text',
    400,
    'malformed_request',
    () => post('createContact', '{}', { 'content-type': 'text/plain' }),
  ],
  ['a list for an object', 422, 'validation_failed', () => post('createContact', '[]')],
  [
    'a number for a text',
    422,
    'validation_failed',
    () => service.request('createContact', { body: { phone: 12025550123 } }),
  ],
  ['an unknown path', 404, 'not_found', () => call('GET', `${pathPrefix}/parcels`)],
  ['an unknown method', 404, 'not_found', () => call('PUT', pathOf('sendMessage'))],
  ['a path without its prefix', 404, 'not_found', () => call('GET', '/messages')],
  ['the root', 404, 'not_found', () => call('GET', '/')],
  [
    'an unknown control call',
    404,
    'not_found',
    async () => decodeAnswer('getWorkspace', await service.control('POST', '/explode', {})),
  ],
  ['a query where none is taken', 422, 'validation_failed', () => get('getWorkspace', '?limit=5')],
  ['a parameter given twice', 422, 'validation_failed', () => get('listMessages', '?status=read&status=sent')],
  ['an empty parameter', 422, 'validation_failed', () => get('listMessages', '?status=')],
];

test.each(refusals)('refuses %s with %i %s', async (_, status, code, send) => {
  const answer = await send();
  expect(answer.status).toBe(status);
  expect(errorOf(answer).code).toBe(code);
});

test.each([
  ['sendMessage', { ...parcelMessage('+12025550123'), priority: 'high' }, 'priority'],
  ['createContact', { phone: '+12025550123', nickname: 'Noor' }, 'nickname'],
  ['createWebhook', { url: 'https://hooks.example.com/', events: ['message.read'], secret: 'x' }, 'secret'],
  [
    'createWebhook',
    { url: 'https://hooks.example.com/', events: ['message.read'], filters: { to: ['x'] } },
    'filters.to',
  ],
] as const)('names an unknown field of %s', async (name, body, field) => {
  const answer = await service.request(name, { body });
  expect(answer.status).toBe(422);
  expect(errorOf(answer)).toMatchObject({ code: 'validation_failed', field, details: [{ field }] });
});

test('sends a request id in every response, and in the body of errors', async () => {
  const fine = await service.request('getWorkspace');
  const refused = await service.request('getMessage', { id: 'msg_unknown' });
  const missing = decodeAnswer('getWorkspace', await ask(`${service.url}/nowhere`, 'GET'));
  const ids = [fine, refused, missing].map(({ headers }) => headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(3);
  expect(ids.every((id) => id?.startsWith('req_'))).toBe(true);
  expect([refused, missing].map(({ body }) => body)).toMatchObject(ids.slice(1).map((id) => ({ request_id: id })));
});

test('reads a chunked body and refuses one over 1 MB', async () => {
  const send = async (size: number) => {
    const content = Readable.from([Buffer.from('{"last_name":"'), Buffer.alloc(size, 'x'), Buffer.from('"}')]);
    const authorization = `Bearer ${service.sandbox.tokens.advanced}`;
    const headers = { authorization, 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const sent = request(service.url + pathOf('createContact'), { method: 'POST', headers });
    const [response] = await Promise.all([once(sent, 'response'), pipeline(content, sent).catch(() => undefined)]);
    return z.object({ statusCode: z.number() }).parse(response[0]).statusCode;
  };
  expect(await send(10)).toBe(422);
  expect(await send(1_100_000)).toBe(413);
});

test('checks the token, plan, scope and body in this order', async () => {
  const made = await service.control('POST', '/tokens', { scopes: [] });
  const { token } = z.object({ token: z.string() }).parse(made.body);
  const send = (authorization: string) => post('sendMessage', '{', { authorization });
  const answers = await Promise.all([
    send('Bearer wrong'),
    send(`Bearer ${service.sandbox.tokens.starter}`),
    send(`Bearer ${token}`),
    send(`Bearer ${service.sandbox.tokens.advanced}`),
  ]);
  expect(answers.map((answer) => errorOf(answer).code)).toEqual([
    'invalid_token',
    'plan_required',
    'insufficient_scope',
    'malformed_request',
  ]);
});

test('logs requests with a masked token until the log is cleared', async () => {
  await service.control('DELETE', '/requests');
  await service.call(
    'POST',
    `${endpoints.sendMessage.path}?x=%2B`,
    { to: '+12025550123' },
    { 'idempotency-key': 'k-1' },
  );
  const { body } = await service.control('GET', '/requests');
  const log = z.object({ data: z.array(z.looseObject({ headers: z.record(z.string(), z.string()) })) });
  const [request, ...others] = log.parse(body).data;
  expect(others).toEqual([]);
  expect(request).toMatchObject({
    method: 'POST',
    path: endpoints.sendMessage.path,
    query: { x: '+' },
    headers: { 'idempotency-key': 'k-1', 'content-type': 'application/json' },
    body: { to: '+12025550123' },
    status: 422,
  });
  expect(request?.headers.authorization).toBe(`Bearer ***${service.sandbox.tokens.advanced.slice(-4)}`);
  await service.control('DELETE', '/requests');
  expect(await service.control('GET', '/requests')).toMatchObject({ body: { data: [] } });
});

test('logs a body that is nested deeply as the text that it was', async () => {
  await service.control('DELETE', '/requests');
  const bodies = ['['.repeat(5000) + ']'.repeat(5000), '{"a":'.repeat(1600) + 1 + '}'.repeat(1600)];
  for (const body of bodies) await post('createContact', body);
  expect(await service.control('GET', '/requests')).toMatchObject({
    status: 200,
    body: { data: bodies.map((body) => ({ body })) },
  });
});

test('lists only the newest requests and deliveries with a limit, and refuses a limit that is none', async () => {
  for (const name of ['listChannels', 'getWorkspace'] as const) await service.request(name);
  expect(await service.control('GET', '/requests?limit=1')).toMatchObject({
    body: { data: [{ path: endpoints.getWorkspace.path }] },
  });
  for (const path of ['/requests?limit=0', '/requests?limit=many', '/deliveries?limit=1001']) {
    expect((await service.control('GET', path)).status).toBe(422);
  }
});
