/** How the sandbox takes requests and delivers events. */

import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { endpoints, pathPrefix } from '../../../src/api/endpoints';
import { campaign, message, type Webhook } from '../../../src/api/resources';
import { deliveryHeaders } from '../../../src/api/service';
import type { EndpointName } from '../../../src/api/transport';
import { pathOf } from '../../../test/support/calls';
import { Receiver, type Reply } from '../../../test/support/receiver';
import {
  type Answered,
  ask,
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

  test('a token without any scope reads the workspace', async () => {
    const token = await newToken({ scopes: [] });
    expect(await service.request('getWorkspace', {}, bearer(token))).toMatchObject({ status: 200 });
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

  test('a fault replaces an earlier one of its name, and is removed by it', async () => {
    await addFault({ kind: '503', count: 5, name: 'a' });
    await addFault({ kind: '500', count: 1, name: 'a' });
    expect(await ping()).toMatchObject({ status: 500 });
    expect(await ping()).toMatchObject({ status: 200 });
    await addFault({ kind: '503', name: 'a' });
    await addFault({ kind: '429', name: 'b' });
    await service.control('DELETE', '/faults/a');
    expect(await ping()).toMatchObject({ status: 429 });
  });

  test('a fault of requests that read leaves those that write alone, and the other way round', async () => {
    await addFault({ kind: '503', requests: 'writes' });
    expect(await ping()).toMatchObject({ status: 200 });
    expect(await send(newNumber())).toMatchObject({ status: 503 });
    await addFault({ kind: '503', requests: 'reads' });
    expect(await send(newNumber())).toMatchObject({ status: 202 });
    expect(await ping()).toMatchObject({ status: 503 });
  });

  test('a fault of one client meets its requests only', async () => {
    await addFault({ kind: '503', user_agent: 'Zapier' });
    expect(await ping({ 'user-agent': 'Another/1.0' })).toMatchObject({ status: 200 });
    expect(await ping({ 'user-agent': 'Zapier' })).toMatchObject({ status: 503 });
  });

  test('delays a slow request', async () => {
    const began = performance.now();
    expect(await ping({ 'x-sandbox-fault': 'slow; delay_ms=150' })).toMatchObject({ status: 200 });
    expect(performance.now() - began).toBeGreaterThan(140);
  });

  test('holds a request until the failures are removed, and does its work then', async () => {
    const phone = newNumber();
    await addFault({ kind: 'hold', path: endpoints.createContact.path });
    const held = service.request('createContact', { body: { phone } });
    await eventually(async () => expect(await service.control('GET', '/faults')).toMatchObject({ body: { data: [] } }));
    expect((await service.read('listContacts', { query: { phone } })).data).toEqual([]);
    await service.control('DELETE', '/faults');
    expect(await held).toMatchObject({ status: 201 });
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

  test('applies a fault to the requested count of matching requests', async () => {
    await addFault({ kind: '503', count: 2, path: endpoints.getWorkspace.path, retry_after: 7 });
    const others = await service.request('listChannels');
    const answers = [await ping(), await ping(), await ping()];
    expect(others.status).toBe(200);
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(answers[0]?.headers.get('retry-after')).toBe('7');
  });

  test('applies a fault to a share of the requests', async () => {
    await addFault({ kind: '500', count: 60, share: 0.5 });
    const statuses: number[] = [];
    for (let index = 0; index < 60; index += 1) statuses.push((await ping()).status);
    const failed = statuses.filter((status) => status === 500).length;
    expect(failed).toBeGreaterThan(10);
    expect(failed).toBeLessThan(50);
    expect(await ping()).toMatchObject({ status: 200 });
  });

  test('lists the remaining faults, which control calls do not meet, and clears them', async () => {
    await addFault({ kind: '500', count: 3 });
    await ping();
    const listed = await service.control('GET', '/faults');
    expect(listed).toMatchObject({ status: 200, body: { data: [{ kind: '500', count: 2 }] } });
    await service.control('DELETE', '/faults');
    expect(await ping()).toMatchObject({ status: 200 });
  });

  test.each([{ kind: 'flood' }, { kind: '500', count: 0 }, { kind: '500', share: 2 }, { kind: '500', colour: 'red' }])(
    'refuses the fault %j',
    async (fault) => {
      expect(await addFault(fault)).toMatchObject({ status: 422 });
    },
  );

  test('refuses a header with an unknown fault', async () => {
    expect(await ping({ 'x-sandbox-fault': 'flood' })).toMatchObject({ status: 422 });
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

  test('keys of other workspaces and endpoints are others', async () => {
    const key = newKey();
    const authorization = `Bearer ${service.sandbox.tokens.growth}`;
    const answers = [
      await send(parcelMessage(newNumber()), key),
      await send(parcelMessage(newNumber()), { ...key, authorization }),
      await service.request('createContact', { body: { phone: newNumber() } }, key),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 201]);
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

  describe('pages', () => {
    test('neither repeat nor skip a row when others are added', async () => {
      const before = await readAll('listContacts', { limit: 100 });
      const during = await readAll('listContacts', { limit: 50 }, () =>
        service.request('createContact', { body: { phone: newNumber() } }),
      );
      expect(during).toEqual(before);
    });

    test('have 20 rows by default, and no cursor on the last', async () => {
      const { data } = await service.read('listContacts');
      expect(data).toHaveLength(20);
      expect(await service.read('listTemplates', { query: { limit: 100 } })).toMatchObject({ next_cursor: null });
    });

    test('list the channels and the webhooks too', async () => {
      const all = await service.read('listChannels');
      const first = await service.read('listChannels', { query: { limit: 1 } });
      const second = await service.read('listChannels', { query: { limit: 1, after: first.next_cursor } });
      expect([...first.data, ...second.data]).toEqual(all.data);
      expect([second.next_cursor, all.next_cursor]).toEqual([null, null]);
      expect(await service.read('listWebhooks', { query: { limit: 1 } })).toEqual({ data: [], next_cursor: null });
    });

    test('refuse an invalid cursor and one of another list', async () => {
      const { next_cursor: ofContacts } = await service.read('listContacts', { query: { limit: 1 } });
      const encode = (position: string) => Buffer.from(position).toString('base64url');
      const ofThisList = ['five', '\0', '5abc', encode('listContacts:5abc'), encode('listContacts:5:6')];
      const answers = [
        await service.request('listMessages', { query: { after: ofContacts } }),
        ...(await Promise.all(ofThisList.map((after) => service.request('listContacts', { query: { after } })))),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(422);
        expect(errorOf(answer).field).toBe('after');
      }
    });
  });

  describe('filters', () => {
    test('find a contact once when it has two of the tags', async () => {
      const ids = await readAll('listContacts', {
        tag: ['newsletter', 'business', 'parcel-customer'],
        limit: 50,
      });
      expect(ids.length).toBeGreaterThan(200);
      expect(new Set(ids).size).toBe(ids.length);
    });

    test('find contacts by words, ignoring case and accents', async () => {
      const person = { phone: newNumber(), first_name: 'Zoë', last_name: 'Quillfeather', tags: ['search-test'] };
      const { id } = await service.read('createContact', { body: person });
      const find = async (query: string, tag?: string[]) => {
        const { data } = await service.read('listContacts', { query: { query, tag } });
        return data.map((found) => found.id);
      };
      expect(await find('QUILL')).toEqual([id]);
      expect(await find('zoe quill')).toEqual([id]);
      expect(await find('feather zo')).toEqual([id]);
      expect(await find('"quill" OR nothing*')).toEqual([]);
      expect(await find('quill', ['search-test', 'other'])).toEqual([id]);
      expect(await find('quill', ['other'])).toEqual([]);
    });

    test('find templates and campaigns by channel, status and words', async () => {
      const read = async (list: 'listTemplates' | 'listCampaigns', query: object) =>
        (await service.read(list, { query })).data.map(({ name }) => name);
      expect(await read('listTemplates', { channel: 'sms' })).toEqual([
        'order_confirmed',
        'parcel_ready',
        'parcel_sms',
        'opening_hours_sms',
      ]);
      expect(await read('listTemplates', { name: 'parcel_ready', channel: 'whatsapp' })).toHaveLength(3);
      expect(await read('listTemplates', { name: 'parcel' })).toEqual([]);
      expect(await read('listTemplates', { query: 'Vandaag' })).toEqual(['pakket_onderweg']);
      expect(await read('listCampaigns', { query: 'summer' })).toEqual(['Summer opening hours']);
      const names = await read('listCampaigns', { status: ['draft', 'canceled'] });
      expect(names).toEqual(['Holiday closing', 'Weekend parcel points']);
    });

    test.each([
      ['listMessages', { status: 'lost' }],
      ['listMessages', { direction: 'up' }],
      ['listConversations', { status: ['open', 'ajar'] }],
      ['listContacts', { query: '\0' }],
      ['listContacts', { query: 'zo\0e' }],
      ['listTemplates', { channel: 'sms\0' }],
      // As when the plus isn't encoded.
      ['listContacts', { phone: ' 12025550123' }],
    ] as const)('refuse the unknown value in %s by %j', async (list, query) => {
      const error = errorOf(await service.request(list, { query }));
      expect(error).toMatchObject({ code: 'validation_failed', field: Object.keys(query)[0] });
    });

    test('find messages by four filters of 120 values each', async () => {
      const { data } = await service.read('listMessages', {
        query: { direction: 'outbound', status: 'read', channel: 'whatsapp', limit: 1 },
      });
      const { status, channel, conversation_id } = message.schema.parse(data[0]);
      const repeat = (value: unknown, ...others: string[]) => [...Array.from({ length: 119 }, () => value), ...others];
      const query = {
        direction: repeat('outbound', 'inbound'),
        status: repeat(status, 'sent'),
        channel: repeat(channel, 'sms'),
        conversation_id: repeat(conversation_id, 'cnv_unknown'),
      };
      const found = await service.read('listMessages', { query });
      expect(found.data.map(({ id }) => id)).toContain(data[0]?.id);
      expect(new Set(found.data.map((each) => each.conversation_id))).toEqual(new Set([conversation_id]));
    });

    test.each([
      ['1,000 words', Array.from({ length: 1000 }, (_, index) => `w${index}`).join(' '), 0],
      ['SQL wildcards', '% _', 0],
      ['7,000 words that all have', 'e '.repeat(7000), 20],
    ])('find contacts by %s', async (_, query, count) => {
      expect((await service.read('listContacts', { query: { query } })).data).toHaveLength(count);
    });
  });
});

describe('the rate limit', () => {
  // The allowance refills so slowly that a busy machine changes nothing.
  const speed = 0.1;
  const service = new Running({ rateLimit: 3, speed });

  const clock = z.object({ now: z.string() });

  // More than it takes until an allowance is whole again.
  beforeEach(() => service.advance(86_400));

  const growth = () => ({ authorization: `Bearer ${service.sandbox.tokens.growth}` });

  test('refuses a token over its limit until Retry-After has passed', async () => {
    const first = await Promise.all([1, 2, 3].map(() => service.request('getWorkspace')));
    expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);

    const refused = await service.request('getWorkspace');
    expect(refused.status).toBe(429);
    expect(errorOf(refused).code).toBe('rate_limited');
    const pause = Number(refused.headers.get('retry-after'));
    expect(pause).toBeGreaterThan(60);
    expect(pause).toBeLessThanOrEqual(20 / speed);

    expect(await service.request('getWorkspace', {}, growth())).toMatchObject({ status: 200 });

    await service.advance(pause * speed);
    expect(await service.request('getWorkspace')).toMatchObject({ status: 200 });
    expect(await service.request('getWorkspace')).toMatchObject({ status: 429 });
  });

  test('a token keeps its allowance when the clock goes back to the time of this machine', async () => {
    await service.request('getWorkspace');
    const { now } = clock.parse((await service.control('DELETE', '/clock')).body);
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000);
    expect(await service.request('getWorkspace')).toMatchObject({ status: 200 });
  });
});

describe('the rehearsal', () => {
  test('responds to a message, a contact and a mistake as the service does, and keeps nothing', async () => {
    const { url, rehearsalUrl, tokens, stop } = await startSeeded({ rateLimit: 5 });
    const [real, rehearsal] = [url, rehearsalUrl].map((each) => ({ url: each, token: tokens.advanced }));
    if (!real || !rehearsal) throw new Error('The sandbox has no address.');
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

  /** Sends a query as it is to an endpoint. */
  const get = async (name: EndpointName, query: string) => service.call('GET', pathOf(name) + query);

  const call = async (method: 'GET' | 'PUT', path: string) =>
    service.call(method, path, method === 'PUT' ? {} : undefined);

  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

  const refusals: [string, number, string, () => Promise<Answered>][] = [
    ['deeply nested JSON', 422, 'validation_failed', () => post('createContact', deep)],
    ['a form', 400, 'malformed_request', () => post('sendMessage', 'a=b', form)],
    ['a text', 400, 'malformed_request', () => post('createContact', '{}', { 'content-type': 'text/plain' })],
    ['a list for an object', 422, 'validation_failed', () => post('createContact', '[]')],
    ['a number for a text', 422, 'validation_failed', () => post('createContact', '{"phone":12025550123}')],
    ['an unknown path', 404, 'not_found', () => call('GET', `${pathPrefix}/parcels`)],
    ['an unknown method', 404, 'not_found', () => call('PUT', pathOf('sendMessage'))],
    ['a path without its prefix', 404, 'not_found', () => call('GET', '/messages')],
    ['the root', 404, 'not_found', () => call('GET', '/')],
    ['an unknown control call', 404, 'not_found', () => call('PUT', '/sandbox/explode')],
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
    ['createWebhook', { url: 'https://example.com/', events: ['message.read'], secret: 'x' }, 'secret'],
    ['createWebhook', { url: 'https://example.com/', events: ['message.read'], filters: { to: ['x'] } }, 'filters.to'],
  ] as const)('names an unknown field of %s', async (name, body, field) => {
    const answer = await service.request(name, { body });
    expect(answer.status).toBe(422);
    expect(errorOf(answer)).toMatchObject({ code: 'validation_failed', field, details: [{ field }] });
  });

  test('sends a request id in every response, and in the body of errors', async () => {
    const fine = await service.request('getWorkspace');
    const refused = await service.request('getMessage', { id: 'msg_unknown' });
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
});

describe('webhooks', () => {
  const service = new Running();

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
        attempts: z.array(z.object({ status: z.nullable(z.number()), error: z.nullable(z.string()) })),
      }),
    ),
  });
  const deliveriesTo = async ({ id }: Webhook, sender = service) =>
    deliveryList.parse((await sender.control('GET', `/deliveries?webhook_id=${id}`)).body).data;

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

    const one = { url: 'https://example.com/', events: ['message.read'] };

    test.each([
      ['an address of another machine without https', { ...one, url: 'http://example.com/' }, 'url'],
      ['an address that is none', { ...one, url: 'hooks' }, 'url'],
      ['no event', { ...one, events: [] }, 'events'],
      ['an unknown event', { ...one, events: ['message.lost'] }, 'events'],
      ['a filter that is no list', { ...one, filters: { from: 'a' } }, 'filters.from'],
      ['a message to begin after that there is not', { ...one, filters: { after: 'msg_none' } }, 'filters.after'],
    ])('refuses %s', async (_, body, field) => {
      const answer = await service.request('createWebhook', { body });
      expect(answer.status).toBe(422);
      expect(errorOf(answer).field).toBe(field);
    });

    test('expires after 30 days', async () => {
      const { receiver, hook } = await listen(['message.received']);
      expect(Date.parse(hook.expires_at ?? '') - Date.parse(hook.created_at ?? '')).toBe(30 * 86_400_000);
      await service.advance(31 * 86_400);
      expect(await service.request('deleteWebhook', { id: hook.id })).toMatchObject({ status: 404 });
      await write(newNumber());
      await service.advance(0);
      expect(await deliveriesTo(hook)).toEqual([]);
      expect(receiver.received).toEqual([]);
    });
  });

  describe('deliveries', () => {
    test('report each status of a message with the same data as a GET', async () => {
      const { receiver } = await listen(['conversation.opened', 'message.sent', 'message.delivered', 'message.read']);
      const { id, conversation_id } = await send(newNumber());
      const received = await receiver.wait(4);
      expect(new Map(received.map(({ event }) => [event.type, event.data.id]))).toEqual(
        new Map([
          ['conversation.opened', conversation_id],
          ['message.sent', id],
          ['message.delivered', id],
          ['message.read', id],
        ]),
      );
      const read = received.find(({ event }) => event.type === 'message.read');
      expect(read?.event.data).toEqual(await service.read('getMessage', { id }));
    });

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

    test('pass a filter by campaign for campaigns and their messages', async () => {
      const { body } = await service.request('listCampaigns', { query: { status: ['completed', 'failed'] } });
      const { data } = z.object({ data: z.array(campaign.schema) }).parse(body);
      const [wanted, other] = data.map(({ id }) => id);
      const filters = { campaign_id: [wanted] };
      const { receiver } = await listen(['campaign.completed', 'message.sent'], { filters });
      for (const id of [other, wanted]) {
        await service.request('triggerCampaign', { id, body: { to: newNumber() } });
        await service.control('POST', `/campaigns/${id}/finish`);
      }
      await service.advance(60);
      await receiver.wait(2);
      expect(receiver.received.map(({ event }) => event.data.campaign_id ?? event.data.id)).toEqual([wanted, wanted]);
      expect(receiver.received.map(({ event }) => event.type).sort()).toEqual(['campaign.completed', 'message.sent']);
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

    test('send the same delivery until it arrives', async () => {
      const { receiver, hook } = await listen(['message.received'], { reply: failing(503, 2) });
      await write(newNumber());
      await service.advance(6);
      await receiver.wait(2);
      await service.advance(31);
      const received = await receiver.wait(3);
      expect(new Set(received.map(({ raw }) => raw)).size).toBe(1);
      expect(new Set(received.map(({ headers }) => headers[deliveryHeaders.id])).size).toBe(1);
      await eventually(async () => expect(await deliveriesTo(hook)).toMatchObject([{ status: 'delivered' }]));
      expect((await deliveriesTo(hook))[0]?.attempts.map(({ status }) => status)).toEqual([503, 503, 200]);
    });

    test('stop after eight attempts with growing delays', async () => {
      const { receiver, hook } = await listen(['message.received'], { reply: failing(500, 100) });
      await write(newNumber());
      for (const [index, pause] of [5, 30, 120, 600, 1800, 7200, 21_600].entries()) {
        await receiver.wait(index + 1);
        await eventually(async () => expect((await deliveriesTo(hook))[0]?.attempts).toHaveLength(index + 1));
        await service.advance(pause);
      }
      await receiver.wait(8);
      await eventually(async () => expect(await deliveriesTo(hook)).toMatchObject([{ status: 'failed' }]));
      await service.advance(86_400);
      expect(receiver.received).toHaveLength(8);
    });

    test('treat a redirect as a failure', async () => {
      const elsewhere = await listen(['campaign.failed']);
      const reply: Reply = (response) => response.writeHead(307, { location: elsewhere.receiver.url }).end();
      const { hook } = await listen(['message.received'], { reply });
      await write(newNumber());
      await eventually(async () => expect(await deliveriesTo(hook)).toMatchObject([{ attempts: [{ status: 307 }] }]));
      await service.advance(0);
      expect(elsewhere.receiver.received).toEqual([]);
    });

    test('stop at a 410, which deletes the webhook and cancels its deliveries', async () => {
      const { receiver, hook } = await listen(['message.received'], { reply: failing(500, 100) });
      await write(newNumber());
      await write(newNumber());
      await receiver.wait(2);
      receiver.reply = (response) => response.writeHead(410).end();
      await eventually(async () => {
        expect((await deliveriesTo(hook)).map(({ status }) => status)).toEqual(['canceled', 'canceled']);
      });
      expect(await service.request('deleteWebhook', { id: hook.id })).toMatchObject({ status: 404 });
    });

    test('leave room for other receivers while one is silent', async () => {
      let open = 0;
      let mostOpen = 0;
      const stayOpen: Reply = (response) => {
        open += 1;
        mostOpen = Math.max(mostOpen, open);
        response.on('close', () => {
          open -= 1;
        });
      };
      await listen(['message.received'], { reply: stayOpen });
      const quick = await listen(['message.received']);
      await Promise.all(Array.from({ length: 30 }, () => write(newNumber())));
      await quick.receiver.wait(30);
      expect(mostOpen).toBeLessThan(20);
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

    describe('of a service that waits half a second for a response', () => {
      // No retry is due before the clock is advanced.
      const impatient = new Running({ deliveryTimeoutMs: 500, speed: 0.01 });

      test('follow attempts without one, which are counted by the clock while they are open', async () => {
        const receiver = await Receiver.start(() => undefined);
        const body = { url: receiver.url, events: ['message.received'] };
        const hook = await impatient.read('createWebhook', { body });
        for (let count = 0; count < 40; count += 1) {
          await impatient.control('POST', '/messages', { from: newNumber(), text: 'Hello', channel: 'whatsapp' });
        }
        const attempts = async () => (await deliveriesTo(hook, impatient)).flatMap((each) => each.attempts);
        await eventually(async () => expect((await attempts()).length).toBe(40));
        const unanswered = JSON.stringify({ status: null, error: 'No response within 0.5 seconds.' });
        expect(new Set((await attempts()).map((each) => JSON.stringify(each)))).toEqual(new Set([unanswered]));
        const { body: clock } = await impatient.control('POST', '/clock', { advance_seconds: 3600 });
        expect(z.object({ open_deliveries: z.number() }).parse(clock).open_deliveries).toBeGreaterThan(0);
        await receiver.stop();
      });
    });
  });

  describe('a jump of the clock', () => {
    test('back to now lets a webhook from ahead of time hear what happens', async () => {
      await service.advance(86_400);
      const { receiver } = await listen(['message.received']);
      await service.control('DELETE', '/clock');
      const { body } = await write(newNumber());
      expect((await receiver.wait(1))[0]?.event.data).toEqual(body);
    });

    test('waits until due deliveries have arrived', async () => {
      const { receiver, hook } = await listen(['message.received', 'message.read']);
      await send(newNumber());
      for (let index = 0; index < 20; index += 1) await write(newNumber());
      await service.advance(3600);
      expect(receiver.types.toSorted()).toEqual(['message.read', ...Array(20).fill('message.received')].toSorted());
      const deliveries = await deliveriesTo(hook);
      expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['delivered']));
    });

    test('does not shorten the time that a receiver has to respond', async () => {
      const reply: Reply = (response) => setTimeout(() => response.writeHead(200).end(), 50);
      const { receiver, hook } = await listen(['message.received'], { reply });
      await write(newNumber());
      await receiver.wait(1);
      await service.advance(86_400);
      expect(await deliveriesTo(hook)).toMatchObject([
        { status: 'delivered', attempts: [{ status: 200, error: null }] },
      ]);
    });
  });

  describe('delivery faults', () => {
    afterEach(() => service.control('DELETE', '/faults'));

    const addFault = (fault: object) => service.control('POST', '/faults', fault);

    test('send a delivery twice', async () => {
      const { receiver, hook } = await listen(['message.received']);
      await addFault({ kind: 'delivery_twice', webhook_id: hook.id });
      await write(newNumber());
      const received = await receiver.wait(2);
      expect(new Set(received.map(({ event }) => event.id)).size).toBe(1);
    });

    test('send a delivery late', async () => {
      const { receiver, hook } = await listen(['message.received']);
      await addFault({ kind: 'delivery_late', webhook_id: hook.id, delay_ms: 3_600_000 });
      await write(newNumber());
      const { body } = await write(newNumber());
      expect((await receiver.wait(1))[0]?.event.data).toEqual(body);
      await service.advance(3600);
      expect((await receiver.wait(2)).map(({ event }) => event.id)).toHaveLength(2);
    });

    test('send deliveries in reverse order', async () => {
      const { receiver, hook } = await listen(['message.received']);
      await addFault({ kind: 'delivery_out_of_order', webhook_id: hook.id, count: 3 });
      const ids: string[] = [];
      for (const from of [newNumber(), newNumber(), newNumber()]) {
        ids.push(message.schema.parse((await write(from)).body).id);
      }
      const received = await receiver.wait(3);
      expect(received.map(({ event }) => event.data.id)).toEqual(ids.toReversed());
    });

    test('send held deliveries when the faults are cleared', async () => {
      const { receiver, hook } = await listen(['message.received']);
      await addFault({ kind: 'delivery_out_of_order', webhook_id: hook.id, count: 3 });
      await write(newNumber());
      expect(await deliveriesTo(hook)).toMatchObject([{ status: 'held' }]);
      await service.control('DELETE', '/faults');
      await receiver.wait(1);
    });

    test('drop a delivery', async () => {
      const { hook } = await listen(['message.received']);
      await addFault({ kind: 'delivery_dropped', webhook_id: hook.id, event: 'message.received' });
      await write(newNumber());
      await service.advance(86_400);
      expect(await deliveriesTo(hook)).toMatchObject([{ status: 'dropped', attempts: [] }]);
    });

    test('send an old delivery again', async () => {
      const { receiver, hook } = await listen(['message.received']);
      await write(newNumber());
      const [first] = await receiver.wait(1);
      const [{ id } = { id: 0 }] = await deliveriesTo(hook);
      expect(await service.control('POST', `/deliveries/${id}/again`)).toMatchObject({ status: 202 });
      await receiver.wait(2);
      await service.control('POST', `/deliveries/${id}/again`, { delay_seconds: 3600 });
      await service.advance(3600);
      const all = await receiver.wait(3);
      expect(all.map(({ raw }) => raw)).toEqual([first?.raw, first?.raw, first?.raw]);
      expect(await service.control('POST', '/deliveries/0/again')).toMatchObject({ status: 404 });
      await service.request('deleteWebhook', { id: hook.id });
      expect(await service.control('POST', `/deliveries/${id}/again`)).toMatchObject({ status: 404 });
    });
  });
});
