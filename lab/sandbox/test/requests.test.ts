/** How the sandbox takes requests and delivers events. */

import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { endpoints } from '../../../src/api/endpoints';
import { deliveryHeaders } from '../../../src/api/presets';
import type { Webhook } from '../../../src/api/resources';
import type { EndpointName } from '../../../src/api/transport';
import { pathOf } from '../../../test/support/calls';
import { Receiver, type Reply } from '../../../test/support/receiver';
import {
  errorOf,
  eventually,
  newNumber,
  parcelMessage,
  Running,
  requestFrom,
  withId,
} from '../../../test/support/running';
import { startSeeded } from '../../../test/support/seeded';

describe('access', () => {
  const service = new Running();
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const tokenAnswer = z.object({ token: z.string() });

  const newToken = async (content: object): Promise<string> =>
    tokenAnswer.parse((await service.control('POST', '/tokens', content)).body).token;

  test('a rotated token works no longer, and the new one keeps its scopes', async () => {
    const token = await newToken({ plan: 'growth', scopes: ['contacts:read'] });
    const rotated = tokenAnswer.parse((await service.control('POST', '/tokens/rotate', { token })).body).token;
    expect(await service.request('listContacts', {}, bearer(token))).toMatchObject({ status: 401 });
    expect(await service.request('listContacts', {}, bearer(rotated))).toMatchObject({ status: 200 });
    expect(await service.request('listMessages', {}, bearer(rotated))).toMatchObject({ status: 403 });
  });

  test('the Growth plan has everything but webhooks, in another workspace', async () => {
    const headers = bearer(service.sandbox.tokens.growth);
    const sent = await service.request('sendMessage', { body: parcelMessage(newNumber()) }, headers);
    expect(sent).toMatchObject({ status: 202 });
    const { body } = await service.request('listContacts', { query: { limit: 1 } }, headers);
    const { data } = z.object({ data: z.array(withId) }).parse(body);
    expect(await service.request('getContact', { id: `${data[0]?.id}` })).toMatchObject({ status: 404 });
    const refused = await service.request('listWebhooks', {}, headers);
    expect(refused.status).toBe(403);
    expect(errorOf(refused)).toMatchObject({ code: 'plan_required', required_plan: 'advanced' });
  });
});

describe('the rate limit', () => {
  const service = new Running({ speed: 1, rateLimit: 2 });

  const ping = (token: string) => service.request('getWorkspace', {}, { authorization: `Bearer ${token}` });

  test('a token has so many requests a minute, and hears for how many seconds it has to wait', async () => {
    const { advanced, growth } = service.sandbox.tokens;
    const statuses = [await ping(advanced), await ping(advanced), await ping(growth)].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
    const refused = await ping(advanced);
    expect(refused.status).toBe(429);
    expect(errorOf(refused)).toMatchObject({ code: 'rate_limited' });
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(30);
    await service.advance(seconds);
    expect(await ping(advanced)).toMatchObject({ status: 200 });
  });
});

describe('faults', () => {
  const service = new Running();

  afterEach(() => service.control('DELETE', '/faults'));

  const addFault = (fault: object) => service.control('POST', '/faults', fault);
  const ping = (headers: Record<string, string> = {}) => service.request('getWorkspace', {}, headers);
  const send = (to: string) => service.request('sendMessage', { body: parcelMessage(to) });
  const messagesTo = async (to: string) => {
    const { data } = await service.read('listMessages', { query: { limit: 100 } });
    return data.filter((found) => found.to === to);
  };

  const failed = (code: string) => ({ error: expect.objectContaining({ code, message: expect.any(String) }) });

  test.each([
    ['429', 429, failed('rate_limited'), { 'retry-after': '1' }],
    ['500', 500, failed('internal_error'), {}],
    ['503', 503, failed('internal_error'), { 'retry-after': '1' }],
    ['html', 502, expect.stringContaining('<html>'), { 'content-type': 'text/html' }],
    ['half_json', 200, expect.stringMatching(/^\{"/), {}],
  ])('by a control call or a header, the next request gets %s', async (kind, status, body, headers) => {
    await addFault({ kind });
    for (const answer of [await ping(), await ping({ 'x-sandbox-fault': kind })]) {
      expect(answer).toMatchObject({ status, body });
      expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
    }
    expect(await ping()).toMatchObject({ status: 200 });
  });

  test('drops or fails a request before or after its work', async () => {
    const [before, after] = [newNumber(), newNumber()];
    await addFault({ kind: 'drop', method: 'POST' });
    await expect(send(before)).rejects.toThrow();
    await addFault({ kind: 'drop', when: 'after', method: 'POST' });
    await expect(send(after)).rejects.toThrow();
    expect(await ping({ 'x-sandbox-fault': 'drop' }).catch(({ message }: Error) => message)).toBe('fetch failed');
    const failing = newNumber();
    await addFault({ kind: '500', when: 'after' });
    expect(await send(failing)).toMatchObject({ status: 500 });
    const counts = await Promise.all([before, after, failing].map(async (to) => (await messagesTo(to)).length));
    expect(counts).toEqual([0, 1, 1]);
  });
});

describe('idempotency keys', () => {
  const service = new Running({ speed: 1 });

  let keys = 0;
  const newKey = () => ({ 'idempotency-key': `key-${++keys}` });
  const send = (body: object, headers: Record<string, string>) => service.request('sendMessage', { body }, headers);

  const countMessages = async (to: string) => {
    const { data } = await service.read('listMessages', { query: { limit: 100 } });
    return data.filter((found) => found.to === to).length;
  };

  test('a repeat gets the first response, also one that was lost, whatever the order of its fields', async () => {
    const to = newNumber();
    const [key, lost] = [newKey(), newKey()];
    const first = await send(parcelMessage(to), key);
    const { template, variables, ...rest } = parcelMessage(to);
    const repeat = await send({ template, ...rest, variables }, key);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    expect(repeat).toMatchObject({ status: 202, body: first.body });
    await expect(send(parcelMessage(to), { ...lost, 'x-sandbox-fault': 'drop; when=after' })).rejects.toThrow();
    expect((await send(parcelMessage(to), lost)).headers.get('idempotent-replayed')).toBe('true');
    expect(await countMessages(to)).toBe(2);
  });

  test('a key is taken again after a refusal', async () => {
    const key = newKey();
    expect(await send({ ...parcelMessage(newNumber()), template: 'parcel_lost' }, key)).toMatchObject({ status: 422 });
    expect(await send(parcelMessage(newNumber()), key)).toMatchObject({ status: 202 });
  });

  test('a key is kept for 24 hours', async () => {
    const to = newNumber();
    const key = newKey();
    const counts: number[] = [];
    for (const hours of [23.9, 0.2, 0]) {
      await send(parcelMessage(to), key);
      counts.push(await countMessages(to));
      await service.advance(hours * 3600);
    }
    expect(counts).toEqual([1, 1, 2]);
  });
});

describe('lists', () => {
  const service = new Running();

  type List = 'listContacts' | 'listMessages';

  /** The ids on all pages. Calls `between` after each page. */
  const readAll = async (
    list: List,
    query: object,
    between: () => Promise<unknown> = async () => {},
  ): Promise<string[]> => {
    const ids: string[] = [];
    for (let after: string | null | undefined = ''; after !== null && after !== undefined; ) {
      const page: { data: { id: string }[]; next_cursor?: string | null | undefined } = await service.read(list, {
        query: { ...query, ...(after && { after }) },
      });
      ids.push(...page.data.map(({ id }) => id));
      after = page.next_cursor;
      await between();
    }
    return ids;
  };

  test('pages neither repeat nor skip a row when others are added', async () => {
    const before = await readAll('listContacts', { limit: 100 });
    const during = await readAll('listContacts', { limit: 50 }, () =>
      service.request('createContact', { body: { phone: newNumber() } }),
    );
    expect(during).toEqual(before);
  });

  test.each([
    [{}, 20],
    [{ limit: 1 }, 1],
    [{ limit: 100 }, 100],
  ])('a page for %j has %d records, and leads to the next one', async (query, size) => {
    const { data, next_cursor } = await service.read('listContacts', { query });
    expect([data.length, next_cursor]).toEqual([size, expect.any(String)]);
  });

  test('a page with the last record leads to no other', async () => {
    const phone = newNumber();
    await service.read('createContact', { body: { phone } });
    expect(await service.read('listContacts', { query: { phone, limit: 1 } })).toMatchObject({
      data: [{ phone }],
      next_cursor: null,
    });
  });

  const encode = (position: string) => Buffer.from(position).toString('base64url');

  test.each<[what: string, query: Record<string, string>, field: string]>([
    ['a cursor of another list', { after: encode('listMessages:5') }, 'after'],
    ...['five', '\0', '5abc', encode('listContacts:5abc'), encode('listContacts:5:6')].map(
      (after): [string, { after: string }, string] => [`the cursor ${JSON.stringify(after)}`, { after }, 'after'],
    ),
    ['more than 100 records', { limit: '101' }, 'limit'],
    ['a parameter that the call does not have', { name: 'Noor' }, 'name'],
    ['a word that the contract does not have', { consent: 'opted_in,maybe' }, 'consent'],
  ])('a list refuses %s and names the parameter', async (_what, query, field) => {
    const answer = await service.call('GET', `${pathOf('listContacts')}?${new URLSearchParams(query)}`);
    expect(answer.status).toBe(422);
    expect(errorOf(answer)).toMatchObject({ field, details: [{ field }] });
  });

  test.each(['noor quaeyhaegens', 'Quaeyhaegens NOOR', 'ño  quaey'])(
    'a search for "%s" finds the person with every word, in any order',
    async (query) => {
      for (const name of ['Noor Quaeyhaegens', 'Sam Quaeyhaegens', 'Noor Quist']) {
        const [first_name, last_name] = name.split(' ');
        await service.request('createContact', { body: { phone: newNumber(), first_name, last_name } });
      }
      const { data } = await service.read('listContacts', { query: { query } });
      expect(new Set(data.map((each) => `${each.first_name} ${each.last_name}`))).toEqual(
        new Set(['Noor Quaeyhaegens']),
      );
    },
  );

  test('a search for campaigns looks in their names', async () => {
    const { data } = await service.read('listCampaigns', { query: { query: 'OPENING' } });
    expect(data.map(({ name }) => name)).toEqual(['Autumn opening hours', 'Summer opening hours']);
  });
});

describe('the rehearsal', () => {
  test('responds to a message, a contact and a mistake as the service does, and keeps nothing', async () => {
    const { url, rehearsalUrl, tokens, stop } = await startSeeded({ rateLimit: 5 });
    const [real, rehearsal] = [
      { url, token: tokens.advanced },
      { url: rehearsalUrl, token: tokens.advanced },
    ];
    const to = newNumber();
    for (let count = 0; count < 10; count += 1) {
      const body = { ...parcelMessage(to) };
      const sent = await requestFrom(rehearsal, 'sendMessage', { body }, { 'idempotency-key': 'a-key-of-this-test' });
      expect(sent).toMatchObject({ status: 202, body: { to, status: 'queued' } });
    }
    const wrong = { ...parcelMessage(to), template: 'parcel_lost' };
    expect(await requestFrom(rehearsal, 'sendMessage', { body: wrong })).toMatchObject({ status: 422 });
    expect(await requestFrom(rehearsal, 'createContact', { body: { phone: to } })).toMatchObject({ status: 201 });
    const { body: messages } = await requestFrom(real, 'listMessages', { query: { limit: 100 } });
    const { body: contacts } = await requestFrom(real, 'listContacts', { query: { phone: to } });
    expect([JSON.stringify(messages), JSON.stringify(contacts)].join()).not.toContain(to);
    expect(await requestFrom(real, 'createContact', { body: { phone: to } })).toMatchObject({ status: 201 });
    await stop();
  });
});

describe('requests', () => {
  const service = new Running();

  const json = 'application/json';

  /** Sends a body as it is to an endpoint. */
  const post = async (name: EndpointName, body: string, headers: Record<string, string> = { 'content-type': json }) =>
    service.call('POST', pathOf(name), body, headers);

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
});

describe('webhooks', () => {
  const service = new Running({ speed: 1 });

  const listening: { receiver: Receiver; hook: Webhook }[] = [];

  afterEach(async () => {
    for (const { receiver, hook } of listening.splice(0)) {
      await service.request('deleteWebhook', { id: hook.id });
      await receiver.stop();
    }
  });

  /** Creates a receiver and a webhook that delivers to it until the test ends. */
  const listen = async (
    types: string[],
    { filters, reply }: { filters?: object; reply?: Reply } = {},
  ): Promise<{ receiver: Receiver; hook: Webhook }> => {
    const receiver = await Receiver.start(reply);
    const body = { url: receiver.url, events: types, ...(filters && { filters }) };
    const hook = await service.read('createWebhook', { body });
    listening.push({ receiver, hook });
    return { receiver, hook };
  };

  const write = (from: string, channel = 'whatsapp') =>
    service.control('POST', '/messages', { from, text: 'Hello', channel });
  const send = async (to: string) => {
    const { id } = await service.read('sendMessage', { body: parcelMessage(to) });
    return service.read('getMessage', { id });
  };

  const deliveryList = z.object({
    data: z.array(
      z.object({
        id: z.number(),
        type: z.string(),
        status: z.string(),
        attempts: z.array(z.object({ at: z.string(), status: z.nullable(z.number()), error: z.nullable(z.string()) })),
      }),
    ),
  });
  const deliveriesTo = async ({ id }: Webhook) =>
    deliveryList.parse((await service.control('GET', `/deliveries?webhook_id=${id}`)).body).data;

  describe('subscribing', () => {
    test('shows the secret only in the response that creates the webhook', async () => {
      const filters = { channel: ['whatsapp'] };
      const body = { url: 'https://example.com/hooks/', events: ['message.read', 'message.read'], filters };
      const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/);
      expect(await service.request('createWebhook', { body })).toMatchObject({
        status: 201,
        body: { events: ['message.read'], filters, secret },
      });
      expect(JSON.stringify((await service.request('listWebhooks')).body)).not.toContain('whsec_');
    });
  });

  describe('deliveries', () => {
    test('pass a filter by source', async () => {
      const { receiver } = await listen(['message.sent'], { filters: { source: ['colleague', 'campaign'] } });
      const { conversation_id } = await send(newNumber());
      await service.control('POST', `/conversations/${conversation_id}/messages`, { text: 'From a colleague' });
      await service.advance(60);
      const received = await receiver.wait(1);
      // A slow machine may receive a delivery twice.
      expect(new Set(received.map(({ event }) => event.data.source))).toEqual(new Set(['colleague']));
    });

    test('report what one contact wrote after a message, also before there was a webhook', async () => {
      const to = newNumber();
      await write(to);
      const { id, contact } = await send(to);
      const early = await write(to, 'sms');
      await write(newNumber());
      const { receiver } = await listen(['message.received'], { filters: { contact_id: [contact?.id], after: id } });
      const later = await write(to);
      const received = await receiver.wait(2);
      expect(new Set(received.map(({ event }) => event.data.id))).toEqual(
        new Set([early, later].map(({ body }) => Object(body).id)),
      );
      await service.settle();
    });

    test('fail for other machines', async () => {
      const body = { url: 'https://hooks.zapier.com/hooks/standard/1/abc/', events: ['message.received'] };
      const hook = await service.read('createWebhook', { body });
      await write(newNumber());
      await eventually(async () =>
        expect(await deliveriesTo(hook)).toMatchObject([
          { status: 'failed', attempts: [{ status: null, error: expect.stringContaining('this machine') }] },
        ]),
      );
    });
  });

  describe('retries', () => {
    const failing =
      (status: number, times: number): Reply =>
      (response, count) =>
        response.writeHead(count <= times ? status : 200).end();

    const pauses = [5, 30, 120, 600, 1800, 7200, 21_600];

    test('send the same delivery until it arrives, with growing pauses, up to eight times', async () => {
      const { receiver, hook } = await listen(['message.received'], { reply: failing(503, 7) });
      await write(newNumber());
      for (const [index, pause] of pauses.entries()) {
        await receiver.wait(index + 1);
        // A pause that is too short ends here.
        await service.advance(pause - 5);
        await service.advance(5);
      }
      const received = await receiver.wait(8);
      expect(new Set(received.map(({ raw }) => raw)).size).toBe(1);
      expect(new Set(received.map(({ headers }) => headers[deliveryHeaders.id])).size).toBe(1);
      await eventually(async () => expect(await deliveriesTo(hook)).toMatchObject([{ status: 'delivered' }]));
      const attempts = (await deliveriesTo(hook)).flatMap((each) => each.attempts);
      expect(attempts.map(({ status }) => status)).toEqual([...pauses.map(() => 503), 200]);
      const seconds = attempts.map(({ at }) => Date.parse(at) / 1000);
      const waited = seconds.slice(1).map((each, index) => each - (seconds[index] ?? 0));
      expect(waited.filter((each, index) => each < (pauses[index] ?? 0) - 1)).toEqual([]);
    });

    test('stop at a 410, which deletes the webhook and cancels its deliveries', async () => {
      const { receiver, hook } = await listen(['message.received'], { reply: failing(500, 100) });
      await write(newNumber());
      await write(newNumber());
      await receiver.wait(2);
      receiver.reply = (response) => response.writeHead(410).end();
      await service.advance(5);
      await eventually(async () => {
        expect((await deliveriesTo(hook)).map(({ status }) => status)).toEqual(['canceled', 'canceled']);
      });
      expect(await service.request('deleteWebhook', { id: hook.id })).toMatchObject({ status: 404 });
    });

    test('stop when the webhook is deleted during an attempt', async () => {
      const held: (() => void)[] = [];
      const reply: Reply = (response) => held.push(() => response.writeHead(500).end());
      const { receiver, hook } = await listen(['message.received'], { reply });
      await write(newNumber());
      await receiver.wait(1);
      expect((await deliveriesTo(hook))[0]?.attempts).toEqual([]);
      await service.request('deleteWebhook', { id: hook.id });
      for (const answer of held) answer();
      await eventually(async () => expect(await deliveriesTo(hook)).toMatchObject([{ status: 'canceled' }]));
    });
  });
});
