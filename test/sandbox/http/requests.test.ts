import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { campaign, channel, contact, conversation, message, template, workspace } from '../../../src/api/resources';
import { type Answered, ask, errorOf, newNumber, parcelMessage, Running } from '../running';

const service = new Running();

const raw = (path: string, method: 'POST' | 'PATCH', body: string, type = 'application/json') =>
  service.call(method, path, body, { 'content-type': type });

const refusals: [string, number, string, () => Promise<Answered>][] = [
  ['half a JSON', 400, 'malformed_request', () => raw('/v1/messages', 'POST', '{"channel": "whats')],
  [
    'deeply nested JSON',
    422,
    'validation_failed',
    () => raw('/v1/contacts', 'POST', `${'['.repeat(200_000)}${']'.repeat(200_000)}`),
  ],
  ['no body', 400, 'malformed_request', () => raw('/v1/messages', 'POST', '')],
  ['a form', 400, 'malformed_request', () => raw('/v1/messages', 'POST', 'a=b', 'application/x-www-form-urlencoded')],
  ['JSON with the content type text', 400, 'malformed_request', () => raw('/v1/contacts', 'POST', '{}', 'text/plain')],
  ['a list for an object', 422, 'validation_failed', () => raw('/v1/contacts', 'POST', '[]')],
  ['a number for a text', 422, 'validation_failed', () => service.call('POST', '/v1/contacts', { phone: 12025550123 })],
  [
    'a body over 1 MB',
    413,
    'malformed_request',
    () => service.call('POST', '/v1/contacts', { x: 'x'.repeat(1_100_000) }),
  ],
  ['an unknown path', 404, 'not_found', () => service.call('GET', '/v1/parcels')],
  ['an unknown method', 404, 'not_found', () => service.call('PUT', '/v1/messages', {})],
  ['a path outside /v1/', 404, 'not_found', () => service.call('GET', '/messages')],
  ['the root', 404, 'not_found', () => service.call('GET', '/')],
  ['an unknown control call', 404, 'not_found', () => service.control('POST', '/explode', {})],
  ['an unknown query parameter', 422, 'validation_failed', () => service.call('GET', '/v1/messages?page=2')],
  ['a query where none is taken', 422, 'validation_failed', () => service.call('GET', '/v1/channels?limit=5')],
  [
    'a parameter given twice',
    422,
    'validation_failed',
    () => service.call('GET', '/v1/messages?status=read&status=sent'),
  ],
  ['an empty parameter', 422, 'validation_failed', () => service.call('GET', '/v1/messages?status=')],
  ['an unknown id', 404, 'not_found', () => service.call('GET', '/v1/messages/msg_unknown')],
];

test.each(refusals)('refuses %s with %i %s', async (_, status, code, send) => {
  const answer = await send();
  expect(answer.status).toBe(status);
  expect(errorOf(answer).code).toBe(code);
});

test.each([
  ['/v1/messages', { ...parcelMessage('+12025550123'), priority: 'high' }, 'priority'],
  ['/v1/contacts', { phone: '+12025550123', nickname: 'Noor' }, 'nickname'],
  ['/v1/webhooks', { url: 'https://hooks.example.com/', events: ['message.read'], secret: 'x' }, 'secret'],
  ['/v1/webhooks', { url: 'https://hooks.example.com/', events: ['message.read'], filters: { to: [] } }, 'filters.to'],
] as const)('names an unknown field of POST %s', async (path, content, field) => {
  const answer = await service.call('POST', path, content);
  expect(answer.status).toBe(422);
  expect(errorOf(answer)).toMatchObject({ code: 'validation_failed', field, details: [{ field }] });
});

test('sends a request id in every response, and in the body of errors', async () => {
  const fine = await service.call('GET', '/v1/workspace');
  const refused = await service.call('GET', '/v1/messages/msg_unknown');
  const missing = await ask(`${service.url}/nowhere`, 'GET');
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
    const sent = request(`${service.url}/v1/contacts`, { method: 'POST', headers });
    const [response] = await Promise.all([once(sent, 'response'), pipeline(content, sent).catch(() => undefined)]);
    return z.object({ statusCode: z.number() }).parse(response[0]).statusCode;
  };
  expect(await send(10)).toBe(422);
  expect(await send(1_100_000)).toBe(413);
});

test('checks the token, plan, scope and body in this order', async () => {
  const made = await service.control('POST', '/tokens', { scopes: [] });
  const { token } = z.object({ token: z.string() }).parse(made.body);
  const send = (authorization: string) => service.call('POST', '/v1/messages', '{', { authorization });
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

describe('responses have exactly the documented fields', () => {
  const first = async (path: string) => {
    const { data } = await service.get(z.object({ data: z.array(z.looseObject({})) }), path);
    return Object.keys(data[0] ?? {}).sort();
  };

  test.each([
    ['/v1/messages', message.sample],
    ['/v1/channels', channel.sample],
    ['/v1/templates', template.sample],
    ['/v1/contacts', contact.sample],
    ['/v1/conversations', conversation.sample],
    ['/v1/campaigns', campaign.sample],
  ])('GET %s', async (path, sample) => {
    expect(await first(path)).toEqual(Object.keys(sample).sort());
  });

  test('GET /v1/workspace', async () => {
    const { body } = await service.call('GET', '/v1/workspace');
    expect(Object.keys(workspace.schema.parse(body)).sort()).toEqual(Object.keys(workspace.sample).sort());
  });

  test('POST /v1/messages', async () => {
    const { body } = await service.call('POST', '/v1/messages', parcelMessage(newNumber()));
    expect(Object.keys(message.schema.parse(body)).sort()).toEqual(Object.keys(message.sample).sort());
  });

  test('DELETE /v1/contacts/{id} has no body', async () => {
    const { id } = await service.post(contact.schema, '/v1/contacts', { phone: newNumber() });
    expect(await service.call('DELETE', `/v1/contacts/${id}`)).toMatchObject({ status: 204, body: '' });
  });
});

test('logs requests with a masked token until the log is cleared', async () => {
  await service.control('DELETE', '/requests');
  await service.call('POST', '/v1/messages?x=%2B', { to: '+12025550123' }, { 'idempotency-key': 'k-1' });
  const { body } = await service.control('GET', '/requests');
  const log = z.object({ data: z.array(z.looseObject({ headers: z.record(z.string(), z.string()) })) });
  const [request, ...others] = log.parse(body).data;
  expect(others).toEqual([]);
  expect(request).toMatchObject({
    method: 'POST',
    path: '/v1/messages',
    query: { x: '+' },
    headers: { 'idempotency-key': 'k-1', 'content-type': 'application/json' },
    body: { to: '+12025550123' },
    status: 422,
  });
  expect(request?.headers.authorization).toBe(`Bearer ***${service.sandbox.tokens.advanced.slice(-4)}`);
  await service.control('DELETE', '/requests');
  expect(await service.control('GET', '/requests')).toMatchObject({ body: { data: [] } });
});

test('lists only the newest requests and deliveries with a limit, and refuses a limit that is none', async () => {
  for (const path of ['/v1/channels', '/v1/workspace']) await service.call('GET', path);
  expect(await service.control('GET', '/requests?limit=1')).toMatchObject({
    body: { data: [{ path: '/v1/workspace' }] },
  });
  for (const path of ['/requests?limit=0', '/requests?limit=many', '/deliveries?limit=1001']) {
    expect((await service.control('GET', path)).status).toBe(422);
  }
});
