/** How the sandbox takes requests, as far as no check of conformance and no test of the app asks. */

import * as z from 'zod/mini';
import { endpoints } from '../../../src/api/endpoints';
import type { EndpointName } from '../../../src/api/transport';
import { pathOf } from '../../../test/support/calls';
import { errorOf, newNumber, parcelMessage, Running, requestFrom } from '../../../test/support/running';
import { startSeeded } from '../../../test/support/seeded';

const service = new Running({ speed: 1 });

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const withToken = z.object({ token: z.string() });
const send = (to: string, headers: Record<string, string> = {}) =>
  service.request('sendMessage', { body: parcelMessage(to) }, headers);
const ping = (headers: Record<string, string> = {}) => service.request('getWorkspace', {}, headers);

const countTo = async (to: string): Promise<number> => {
  const { data } = await service.read('listMessages', { query: { limit: 100 } });
  return data.filter((found) => found.to === to).length;
};

let keys = 0;
const newKey = () => ({ 'idempotency-key': `key-${++keys}` });

test('a rotated token works no longer, and the new one keeps its scopes', async () => {
  const given = await service.control('POST', '/tokens', { plan: 'growth', scopes: ['contacts:read'] });
  const { token } = withToken.parse(given.body);
  const rotated = withToken.parse((await service.control('POST', '/tokens/rotate', { token })).body).token;
  const statusOf = async (name: EndpointName, each: string) => (await service.request(name, {}, bearer(each))).status;
  expect(await Promise.all([statusOf('listContacts', token), statusOf('listContacts', rotated)])).toEqual([401, 200]);
  expect(await statusOf('listMessages', rotated)).toBe(403);
});

test('a workspace has its own contacts and keys', async () => {
  const growth = bearer(service.sandbox.tokens.growth);
  const { id } = await service.read('createContact', { body: { phone: newNumber() } });
  expect(await service.request('getContact', { id }, growth)).toMatchObject({ status: 404 });
  const [to, key] = [newNumber(), newKey()];
  await send(to, { ...key, ...growth });
  expect((await send(to, key)).headers.get('idempotent-replayed')).toBeNull();
});

test('a token has so many requests a minute, and hears for how many seconds it has to wait', async () => {
  const busy = await startSeeded({ speed: 1, rateLimit: 2 });
  const pingAs = (token: string) => requestFrom({ url: busy.url, token }, 'getWorkspace');
  const { advanced, growth } = busy.tokens;
  const answers = [await pingAs(advanced), await pingAs(advanced), await pingAs(growth), await pingAs(advanced)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  const seconds = Number(answers.at(-1)?.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(30);
  await busy.clock.advance(seconds * 1000);
  expect(await pingAs(advanced).finally(busy.stop)).toMatchObject({ status: 200 });
});

describe('faults', () => {
  afterEach(() => service.control('DELETE', '/faults'));

  const failed = (code: string) => ({ error: expect.objectContaining({ code, message: expect.any(String) }) });

  test.each([
    ['429', 429, failed('rate_limited'), { 'retry-after': '1' }],
    ['500', 500, failed('internal_error'), {}],
    ['503', 503, failed('internal_error'), { 'retry-after': '1' }],
    ['html', 502, expect.stringContaining('<html>'), { 'content-type': 'text/html' }],
    ['half_json', 200, expect.stringMatching(/^\{"/), {}],
  ])('by a control call or a header, the next request gets %s', async (kind, status, body, headers) => {
    await service.control('POST', '/faults', { kind });
    for (const answer of [await ping(), await ping({ 'x-sandbox-fault': kind })]) {
      expect(answer).toMatchObject({ status, body });
      expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
    }
    expect(await ping()).toMatchObject({ status: 200 });
  });

  test.each([
    ['drop', 0],
    ['drop; when=after', 1],
    ['500; when=after', 1],
  ])('a request with %s leaves %d messages', async (fault, count) => {
    const to = newNumber();
    expect((await send(to, { 'x-sandbox-fault': fault }).catch(() => undefined))?.status).not.toBe(202);
    expect(await countTo(to)).toBe(count);
  });
});

test('a key gives the first response for 24 hours, also one that was lost, and is free after a refusal', async () => {
  const [to, key, lost] = [newNumber(), newKey(), newKey()];
  const first = await send(to, key);
  const { template, variables, ...rest } = parcelMessage(to);
  // Its fields have another order.
  const repeat = await service.request('sendMessage', { body: { template, ...rest, variables } }, key);
  expect(repeat).toMatchObject({ status: 202, body: first.body });
  expect(repeat.headers.get('idempotent-replayed')).toBe('true');
  await expect(send(to, { ...lost, 'x-sandbox-fault': 'drop; when=after' })).rejects.toThrow();
  expect((await send(to, lost)).headers.get('idempotent-replayed')).toBe('true');
  const refused = newKey();
  const body = { ...parcelMessage(to), template: 'parcel_lost' };
  expect(await service.request('sendMessage', { body }, refused)).toMatchObject({ status: 422 });
  expect(await send(to, refused)).toMatchObject({ status: 202 });
  expect(await countTo(to)).toBe(3);
  await service.advance(23.9 * 3600);
  await send(to, key);
  expect(await countTo(to)).toBe(3);
  await service.advance(0.2 * 3600);
  await send(to, key);
  expect(await countTo(to)).toBe(4);
});

describe('lists', () => {
  /** The ids on all pages. Calls `between` after each page. */
  const readAll = async (between = async (): Promise<unknown> => undefined): Promise<string[]> => {
    const ids: string[] = [];
    for (let after: string | null | undefined = ''; after !== null && after !== undefined; await between()) {
      const query = { limit: 50, ...(after && { after }) };
      const page: { data: { id: string }[]; next_cursor?: string | null | undefined } = await service.read(
        'listContacts',
        { query },
      );
      ids.push(...page.data.map(({ id }) => id));
      after = page.next_cursor;
    }
    return ids;
  };

  test('pages neither repeat nor skip a row when others are added', async () => {
    const before = await readAll();
    const add = () => service.request('createContact', { body: { phone: newNumber() } });
    expect(await readAll(add)).toEqual(before);
  });

  const encode = (position: string) => Buffer.from(position).toString('base64url');

  test.each<[what: string, query: Record<string, string>, field: string]>([
    ['a cursor of another list', { after: encode('listMessages:5') }, 'after'],
    ['a cursor that is none', { after: '5abc' }, 'after'],
    ['more than 100 records', { limit: '101' }, 'limit'],
    ['a parameter that the call does not have', { name: 'Noor' }, 'name'],
    ['a word that the contract does not have', { consent: 'opted_in,maybe' }, 'consent'],
  ])('a list refuses %s and names the parameter', async (_what, query, field) => {
    const answer = await service.call('GET', `${pathOf('listContacts')}?${new URLSearchParams(query)}`);
    expect(answer.status).toBe(422);
    expect(errorOf(answer)).toMatchObject({ field, details: [{ field }] });
  });

  test('a search finds the person with every word, in any order', async () => {
    for (const last_name of ['Quaeyhaegens', 'Quist']) {
      await service.request('createContact', { body: { phone: newNumber(), first_name: 'Noor', last_name } });
    }
    const { data } = await service.read('listContacts', { query: { query: 'quaey  ÑO' } });
    expect(data.map(({ last_name }) => last_name)).toEqual(['Quaeyhaegens']);
  });
});

test('the rehearsal responds to a message, a contact and a mistake as the service does, and keeps nothing', async () => {
  const { url, rehearsalUrl, tokens, stop } = await startSeeded({ rateLimit: 5 });
  const { advanced: token } = tokens;
  const [real, rehearsal] = [
    { url, token },
    { url: rehearsalUrl, token },
  ];
  const to = newNumber();
  for (let count = 0; count < 10; count += 1) {
    const sent = await requestFrom(rehearsal, 'sendMessage', { body: parcelMessage(to) }, { 'idempotency-key': 'key' });
    expect(sent).toMatchObject({ status: 202, body: { to, status: 'queued' } });
  }
  const wrong = { ...parcelMessage(to), template: 'parcel_lost' };
  expect(await requestFrom(rehearsal, 'sendMessage', { body: wrong })).toMatchObject({ status: 422 });
  expect(await requestFrom(rehearsal, 'createContact', { body: { phone: to } })).toMatchObject({ status: 201 });
  const { body: messages } = await requestFrom(real, 'listMessages', { query: { limit: 100 } });
  expect(JSON.stringify(messages)).not.toContain(to);
  expect(await requestFrom(real, 'createContact', { body: { phone: to } })).toMatchObject({ status: 201 });
  await stop();
});

test('logs requests with a masked token until the log is cleared', async () => {
  await service.control('DELETE', '/requests');
  const body = { to: '+12025550123' };
  await service.call('POST', `${endpoints.sendMessage.path}?x=%2B`, body, { 'idempotency-key': 'k-1' });
  const masked = `Bearer ***${service.sandbox.tokens.advanced.slice(-4)}`;
  const headers = { 'idempotency-key': 'k-1', authorization: masked };
  const logged = { method: 'POST', path: endpoints.sendMessage.path, query: { x: '+' }, headers, body, status: 422 };
  expect(await service.control('GET', '/requests')).toMatchObject({ body: { data: [logged] } });
  await service.control('DELETE', '/requests');
  expect(await service.control('GET', '/requests')).toMatchObject({ body: { data: [] } });
});
