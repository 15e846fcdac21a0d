/** What requests carry and where they go, and how responses are read. */

import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import nock from 'nock';
import * as z from 'zod/mini';
import { type LocalServer, listen } from '../../lab/zapier/listen';
import { exampleConnection } from '../../src/api/connection';
import { encode } from '../../src/api/encode';
import { type AnyInput, type Endpoint, endpoints, pathPrefix } from '../../src/api/endpoints';
import { events } from '../../src/api/events';
import { removeEmpty } from '../../src/api/json';
import { message, workspace } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { prepare, resolveUrl } from '../../src/call/request';
import { answered, inJson, type Reply, read, send, someone, withKey } from '../support/answered';
import { goodResponse, pathOf } from '../support/calls';
import { expectHalt } from '../support/halt';
import { allowWebhooks, authData, expectCall, recordSends, testedAccount, toResponse } from '../support/service';
import { runStep } from '../support/zapier';

const hosts: LocalServer[] = [];

/** Starts a service on this machine, for what nock can't do. */
const serve = async (listener: RequestListener): Promise<LocalServer> => {
  nock.enableNetConnect('127.0.0.1');
  const host = await listen(listener);
  hosts.push(host);
  return host;
};

afterEach(async () => {
  nock.disableNetConnect();
  for (const host of hosts.splice(0)) await host.stop();
});

const testAccount = (...replies: Reply[]) => read('getWorkspace', ...replies);

const testConnection = (connection = authData) => runStep('authentication.test', { authData: connection });

describe('a request', () => {
  test('carries the token, the specified headers and nothing empty', async () => {
    const sent = recordSends(202, message.sample);
    const inputData = { ...someone, variables: { a: '', b: '  ', c: null } };
    await runStep('creates.send_message.operation.perform', { authData, inputData, inputDataRaw: inputData });
    expect(sent[0]?.body).toMatchObject({ variables: {} });
    expect(sent[0]?.headers).toMatchObject({
      authorization: `Bearer ${authData.api_token}`,
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('keeps double braces in a query too', async () => {
    const inputData = { channel: '{{x}} & {{bundle.y}}' };
    allowWebhooks();
    const query = { direction: 'inbound', ...inputData, limit: 100 };
    expectCall('listMessages', { query }).reply(200, { data: [], next_cursor: null });
    expectCall('listChannels').reply(200, { data: [{ key: inputData.channel }] });
    await expect(runStep('triggers.message_received.operation.performList', { authData, inputData })).resolves.toEqual(
      [],
    );
  });

  test('goes to the path of the base address', async () => {
    nock('https://example.com')
      .get(`/messaging${pathOf('getWorkspace')}`)
      .reply(200, toResponse(workspace.sample));
    const connection = { ...authData, base_url: `example.com/messaging${pathPrefix}/` };
    await expect(testConnection(connection)).resolves.toEqual(testedAccount);
  });
});

describe('an answer', () => {
  test('keeps fields that the contract does not know and turns numeric ids into texts', async () => {
    const given = { id: 12345, conversation_id: 67, status: 'teleported', shoe_size: 43 };
    await expect(read('getMessage', inJson(200, given))).resolves.toEqual({
      ...given,
      id: '12345',
      conversation_id: '67',
    });
  });

  test('that is HTML is told as unexpected', async () => {
    await expect(testAccount([200, '<html><h1>Welcome</h1></html>', { 'x-request-id': 'req_9' }])).rejects.toThrow(
      'returned an unexpected response (not the expected data). Try again later. If it keeps happening, check the API Base URL of the account. (Request ID: req_9)',
    );
  });

  test.each([
    [204, '', 'not the expected data'],
    [200, '{"status": "queued"}', '"id" is missing or invalid'],
    [200, '{"id": " "}', '"id" is missing or invalid'],
  ])('of %i that accepts a send without its id halts, since Autoreplay would send again', async (status, body, why) => {
    await expectHalt(
      send({}, [status, body]),
      `The messaging service returned an unexpected response (${why}). The request may have succeeded, so check before you try again.`,
    );
  });

  const reported: [body: object, told: string][] = [
    [{ error: 'x'.repeat(200) }, `: ${'x'.repeat(54)}…`],
    [{ ...message.sample, error: { code: 'queue_full', message: null } }, ': queue_full.'],
    [{ error: { message: '<html>' } }, ' without a reason.'],
  ];

  test.each(reported)('that accepts a send and reports a failure halts with the reason: %j', async (body, told) => {
    await expectHalt(
      send({}, inJson(202, body)),
      `The messaging service reported a failure${told} The request may have succeeded, so check before you try again.`,
    );
  });

  const failures: [more: object, reason: string][] = [
    [{ error: { code: 'not_on_whatsapp', message: 'Not on WhatsApp' } }, 'Not on WhatsApp.'],
    [{ error: { code: 'not_on_whatsapp', message: null } }, 'not_on_whatsapp.'],
    [{ error: 'Not on WhatsApp' }, 'Not on WhatsApp.'],
    [{ error: null }, 'The messaging service gave no reason.'],
  ];

  test.each(failures)('with a message that has failed halts, with or without a key: %j', async (more, reason) => {
    const failed: Reply = [202, toResponse({ ...message.sample, status: 'failed', ...more })];
    const start = `The message failed, so nothing was delivered: ${reason} Correct the cause, then run this step again`;
    await expectHalt(send({}, failed), `${start}.`);
    await expectHalt(send(withKey, failed), `${start} with another value in Send Once for Each.`);
  });

  /** Every write, with a body that is a success by itself. */
  const writes: [call: string, write: (more: object) => Promise<unknown>][] = [
    ['a send', (more) => send({}, inJson(202, { id: 'msg_1', ...more }))],
    ['a campaign', (more) => read('triggerCampaign', inJson(202, { id: 'run_1', ...more }))],
    [
      'a new contact',
      (more) => answered('createContact', { body: {} }, [inJson(201, { id: 'con_1', ...more })]).outcome,
    ],
  ];
  const errors = [true, 7, 'oops', { message: 'oops' }, { to: ['oops'] }, [null, { message: 'oops' }]];
  const noErrors = [null, '', ' ', false, 0, [], {}, [null], [{}], { code: null, message: '' }];
  const statuses = [' Failed ', 'REJECTED', 'undelivered', 'error', 'blocked', 'expired', 'canceled', 'Cancelled'];

  test.each(writes)('to %s is a success exactly when nothing in it reports a failure', async (call, write) => {
    const reports: object[] = errors.map((error) => ({ error }));
    // A contact has no status and no time at which it failed.
    const failures = [...statuses.map((status) => ({ status })), { failed_at: '2026-06-11T09:40:12Z' }];
    for (const more of call === 'a new contact' ? reports : [...reports, ...failures]) {
      await expectHalt(
        write(more),
        expect.stringMatching(/^The (messaging service reported a failure|message failed, so nothing was delivered)/),
      );
    }
    for (const error of noErrors)
      await expect(write({ error, status: 'Accepted', failed_at: null })).resolves.toHaveProperty('id');
  });

  test('that accepts a deletion and reports a failure halts', async () => {
    await expectHalt(
      read('deleteContact', inJson(200, { error: { message: 'Locked' } })),
      expect.stringContaining('reported a failure: Locked. The request may have succeeded, so check'),
    );
  });

  const listWith = (more: object) => {
    const list = JSON.parse(toResponse({ data: [], next_cursor: null }));
    return read('listMessages', inJson(200, { ...list, ...more }));
  };

  test('with a list and an error gives the reason', async () => {
    await expect(listWith({ error: { message: 'Queue full' } })).rejects.toThrow(
      "reported a failure: Queue full. Try again later. If it keeps happening, contact the messaging service's support.",
    );
  });

  test.each([null, {}])('with a list and the empty error %j is read', async (error) => {
    await expect(listWith({ error, ok: true })).resolves.toMatchObject({ data: [] });
  });

  test('about a message that failed is read, since the error is the own one of the message', async () => {
    const failed = events['message.failed'].sample;
    await expect(read('getMessage', [200, toResponse(failed)])).resolves.toEqual(failed);
  });

  test('with the example of the contract is no failure', async () => {
    const names = Object.keys(endpoints).filter((name): name is EndpointName => name in endpoints);
    const input = { id: '101', name: '101' };
    for (const name of names) {
      const { outcome } = answered(name, input, [[200, toResponse(goodResponse(name))]]);
      await expect(outcome).resolves.toMatchObject(goodResponse(name));
    }
  });

  const inHalfAnHour = () => new Date(Date.now() + 1_800_000).toUTCString();

  test.each([
    { pause: '17', after: () => '17', delay: 17 },
    { pause: '17.1', after: () => '17.1', delay: 18 },
    { pause: 'a date in half an hour', after: inHalfAnHour, delay: expect.closeTo(1_800, -3) },
    { pause: '0', after: () => '0', delay: 1 },
    { pause: '3601', after: () => '3601', delay: 3600 },
    { pause: 'soon', after: () => 'soon', delay: 30 },
    { pause: '1e3', after: () => '1e3', delay: 30 },
    { pause: 'nothing', after: () => undefined, delay: 30 },
  ])('of 429 with $pause in retry-after makes Zapier wait', async ({ after, delay }) => {
    const pause = after();
    const limit = JSON.stringify({ error: { code: 'rate_limited', message: 'Slow down' } });
    const headers: Record<string, string> = pause === undefined ? {} : { 'retry-after': pause };
    const error = await testAccount([429, limit, headers]).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name: 'ThrottledError' });
    expect(JSON.parse(String(error instanceof Error && error.message))).toEqual({
      message: 'The messaging service is receiving too many requests. Zapier retries this step after a pause.',
      delay,
    });
  });

  test.each([
    [401, 'ExpiredAuthError', 'Create a new API token'],
    [403, 'AppError', "A web page came in place of the messaging service's response (status 403), perhaps from its"],
    [404, 'AppError', 'API Base URL: no messaging service API was found at this address (status 404)'],
    [422, 'HaltedError', "didn't accept the input"],
    [500, 'AppError', "This isn't caused by your Zap"],
    [302, 'AppError', 'redirects elsewhere'],
  ])('of %i with HTML is an error of class %s', async (status, name, words) => {
    await expect(
      testAccount([status, '<html>no</html>', { location: 'https://evil.example.com/' }]),
    ).rejects.toMatchObject({ name, message: expect.stringContaining(words) });
  });
});

describe('a response that is too much', () => {
  test('to read is given up at 20 MB, at once, and is not asked for again', async () => {
    const bomb = gzipSync(Buffer.alloc(21 * 1024 * 1024, 32));
    const asked: unknown[] = [];
    const host = await serve((request, response) => {
      asked.push(request.url);
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const started = process.cpuUsage();
    await expect(testConnection({ ...authData, base_url: host.url })).rejects.toThrow(
      "sent a response over 20 MB. Try again later. If it keeps happening, contact the messaging service's support.",
    );
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6).toBeLessThan(5);
    expect(asked).toHaveLength(1);
  });

  test('to a send is told as one that may have sent it', async () => {
    const tooLarge = Object.assign(new Error('content size over limit'), { type: 'max-size' });
    await expect(send({}, tooLarge)).rejects.toThrow(
      'sent a response over 20 MB. The request may have succeeded, so check',
    );
  });

  // test/fuzz.test.ts has other bodies that no parser copes with.
  test('because it holds a million values is told in a sentence', async () => {
    const body = `{"data": [${'1,'.repeat(1_000_000)}1]}`;
    await expect(send({}, [202, body])).rejects.toThrow('returned an unexpected response (not the expected data)');
  });

  test('to be part of a failure is not asked for again', async () => {
    const { outcome, keys } = answered('getWorkspace', {}, [[500, '<p>Maintenance</p>'.repeat(60_000)]]);
    await expect(outcome).rejects.toThrow('The messaging service');
    expect(keys).toHaveLength(1);
  });

  test('only for a naive reader is read', async () => {
    const long = { id: '1', text: '[{,\\"'.repeat(100_000), deep: [[[[1]]]] };
    await expect(read('getMessage', inJson(200, long))).resolves.toMatchObject(long);
  });

  test('by a byte order mark is read', async () => {
    const good = toResponse(message.sample);
    await expect(read('getMessage', [200, `\ufeff${good}`])).resolves.toEqual(message.sample);
  });
});

describe('the address of a request', () => {
  test.each([
    ['/v1/messages?a=b&c=%7B%7Bd%7D%7D', '/v1/messages?a=b&c=%7B%7Bd%7D%7D'],
    ['https://api.example.com/v1/messages?a=b', '/v1/messages?a=b'],
    ['https://api.example.com:443/v1', '/v1'],
  ])('%s is taken', (url, path) => {
    expect(resolveUrl('https://api.example.com', url)).toBe(`https://api.example.com${path}`);
  });

  test.each([
    '@evil.example/x',
    '//evil.example/x',
    '\\\\evil.example/x',
    '',
    'https://evil.example/v1/messages',
    'http://api.example.com/v1/messages',
    'https://api.example.com@evil.example/v1',
    'https://api.example.com:8443/v1',
    'file:///etc/passwd',
  ])('%j is refused before anything is sent', (url) => {
    const refused = "This request isn't for the API Base URL of the account, so it wasn't sent.";
    expect(() => resolveUrl('https://api.example.com', url)).toThrow(refused);
  });

  test.each(['/../x', '/\\..\\..\\x', 'https://api.example.com/basement'])(
    '%j is refused, since it leaves the path of the base address',
    (url) => {
      expect(() => resolveUrl('https://api.example.com/base', url)).toThrow("isn't for the API Base URL");
    },
  );
});

describe('the token', () => {
  const hexOf = (sign: string): string => sign.charCodeAt(0).toString(16).padStart(2, '0');

  /** How a service may write a sign of a token. */
  const spellings: ((sign: string) => string)[] = [
    (sign) => sign,
    encodeURIComponent,
    (sign) => `%${hexOf(sign)}`,
    (sign) => `\\${sign}`,
    (sign) => `\\u00${hexOf(sign)}`,
    (sign) => `\\u00${hexOf(sign).toUpperCase()}`,
  ];

  /** Returns the token that a text shows, as somebody can read it who looks for it. */
  const readable = (text: string): string =>
    text
      .replace(/[^!-~]/g, '')
      .replace(/%([0-9a-f]{2})|\\u00([0-9a-f]{2})/gi, (_, percent, unicode) =>
        String.fromCharCode(Number.parseInt(percent ?? unicode, 16)),
      )
      .replace(/\\(.)/g, '$1');

  const answerTo = (api_token: string, body: object): Promise<string> =>
    answered('sendMessage', { body: someone }, [inJson(422, body)], api_token).outcome.then(String, String);

  test('is not shown when the service echoes it, in any spelling and with an invisible character anywhere in it', async () => {
    const token = fc.stringMatching(/^[a-z0-9]{4,9}[/+=][A-Za-z0-9/+=]{4,9}$/);
    const gap = fc.constantFrom('', '\u00ad', '\u200b', '\u2060', '\ufeff', '\u0000', ' ', '\n', '\u3000');
    const spelling = fc.constantFrom(...spellings);
    await fc.assert(
      fc.asyncProperty(token, spelling, gap, fc.nat({ max: 19 }), async (api_token, spell, hidden, at) => {
        const echo = Array.from(api_token, spell).toSpliced(at, 0, hidden).join('');
        const error = { code: 'validation_failed', message: `The token ${echo} may not do this.` };
        const shown = await answerTo(api_token, { error });
        expect(shown).toContain('…');
        expect(readable(shown)).not.toContain(api_token.slice(0, 8));
      }),
    );
  });

  test('is not sent on by a redirect, not even to the same host', async () => {
    const asked: unknown[] = [];
    const host = await serve((request, response) => {
      asked.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await expect(testConnection({ ...authData, base_url: host.url })).rejects.toThrow('redirects elsewhere');
    expect(asked).toEqual([pathOf('getWorkspace')]);
  });

  test.each([
    ['in parts', { detail: [{ loc: ['eyjh', 'eyjz', 's1gn'], msg: 'wrong' }] }],
    ['as a pointer', { errors: [{ pointer: '/eyjh/eyjz/s1gn', detail: 'wrong' }] }],
    ['as a name', { errors: { 'eyjh.eyjz.s1gn': 'wrong' } }],
  ])('is not shown when the service echoes it %s', async (_how, body) => {
    const shown = await answerTo('eyjh.eyjz.s1gn', body);
    expect(shown).toMatch(/didn't accept the input/);
    expect(shown).not.toMatch(/eyjh.{1,4}eyjz/i);
  });
});

describe('what a request carries', () => {
  test('an empty item keeps its place in a list, and a list of nothing else is left out', () => {
    const body = { variables: ['PX-1', '', null, { a: '' }], tags: ['', null, []], note: ' ', email: null };
    expect(removeEmpty(body)).toEqual({ variables: ['PX-1', '', null, {}], email: null });
  });

  test('a field that is kept stays when it is empty, but only at the top', () => {
    const body = { variables: { note: ' ' }, attributes: {}, nested: { variables: {}, id: 1 } };
    expect(removeEmpty(body, ['variables'])).toEqual({ variables: {}, nested: { id: 1 } });
  });

  test.each<[AnyInput, string]>([
    [{ query: { name: 'Noor', id: '7' } }, '/v1/people/Noor/7'],
    [{ id: undefined, query: { name: 'Noor', id: '7' } }, '/v1/people/Noor/7'],
    [{ id: '101', query: { name: 'Noor', id: '7' } }, '/v1/people/Noor/101'],
    [{ id: '101', query: { name: 'Noor' }, body: { name: 'Sanne', id: '7' } }, '/v1/people/Noor/101'],
  ])(
    'a name and an id in a path come from the call, the query and the body, in that order: %j',
    async (input, expected) => {
      const fields = z.object({ id: z.optional(z.string()), name: z.optional(z.string()) });
      const endpoint: Endpoint = {
        ...endpoints.getContact,
        path: '/v1/people/{name}/{id}',
        query: fields,
        body: fields,
      };
      const read = () => Promise.reject(new Error('Nothing is read.'));
      const { request } = await prepare(endpoint, input, exampleConnection, read);
      expect(new URL(request.url, 'https://localhost').pathname).toBe(expected);
    },
  );

  test('a call has no empty values before `request` adapts it', () => {
    const body = { email: 'noor@example.com', phone: '', attributes: { floor: ' ' }, tags: [] };
    const call = encode(endpoints.createContact, { query: { limit: undefined }, body }, exampleConnection);
    expect(call).toMatchObject({ query: {}, body: { email: 'noor@example.com' } });
    expect(call.body).toEqual({ email: 'noor@example.com' });
  });
});
