/** How the app makes requests: retries and outcomes. */

import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import nock from 'nock';
import type { HttpRequestOptions, ZObject } from 'zapier-platform-core';
import type * as zod from 'zod/mini';
import * as z from 'zod/mini';
import { type LocalServer, listen } from '../../lab/zapier/listen';
import { exampleConnection } from '../../src/api/connection';
import { encode } from '../../src/api/encode';
import { type AnyInput, type Endpoint, endpoints, pathPrefix } from '../../src/api/endpoints';
import { events } from '../../src/api/events';
import { removeEmpty } from '../../src/api/json';
import { contact, message, webhook, workspace } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { call } from '../../src/call/call';
import { prepare, resolveUrl } from '../../src/call/request';
import { noteAccount } from '../../src/step/run';
import { goodResponse, pathOf } from '../support/calls';
import { deadlineMs } from '../support/deadline';
import { expectHalt } from '../support/halt';
import { allowWebhooks, authData, expectCall, recordSends, testedAccount, toResponse } from '../support/service';
import { reachable } from '../support/triggered';
import { runStep } from '../support/zapier';

/** What the service responds with, or how the connection fails. */
type Reply = [status: number, body?: string, headers?: Record<string, string>] | Error;

/**
 * Makes a call of an account, whose service gives these replies, one after another, and the last one for ever. There is no
 * core and no network. `keys` are the idempotency keys of the requests.
 */
const answered = (name: EndpointName, input: AnyInput, replies: Reply[], api_token = authData.api_token) => {
  const keys: unknown[] = [];
  const request = async ({ headers }: HttpRequestOptions) => {
    keys.push(new Headers(headers).get('idempotency-key'));
    const reply = replies[Math.min(keys.length, replies.length) - 1] ?? [500];
    if (reply instanceof Error) {
      // As node-fetch says it, which the tests of a read show.
      const error = new Error(`request to ${authData.base_url}/ failed, reason: ${reply.message}`);
      throw Object.assign(error, { ...reply, name: 'FetchError' });
    }
    const [status, body = '', given = {}] = reply;
    return { status, headers: new Headers(given), text: async () => body };
  };
  const step: ZObject = Object.assign(Object.create(null), { request });
  const policy = name === 'sendMessage' ? { tellsRepeat: true } : {};
  noteAccount(step, { authData: { ...authData, api_token } });
  const outcome = call<Endpoint, zod.ZodMiniType>(step, endpoints[name], input, policy);
  return { outcome, keys };
};

const withKey = { idempotencyKey: 'order 1' };
const someone = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to: '+12025550123' };

const read = (name: EndpointName, ...replies: Reply[]) => answered(name, { id: '101' }, replies).outcome;
const testAccount = (...replies: Reply[]) => read('getWorkspace', ...replies);
const sendOf = (more: AnyInput, ...replies: Reply[]) => answered('sendMessage', { body: someone, ...more }, replies);
const send = (more: AnyInput, ...replies: Reply[]) => sendOf(more, ...replies).outcome;

const inJson = (status: number, body: object): Reply => [status, JSON.stringify(body)];

describe('the client', () => {
  const serve = async (listener: RequestListener) => {
    nock.enableNetConnect('127.0.0.1');
    return listen(listener);
  };

  afterEach(() => nock.disableNetConnect());

  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

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
      await expect(
        runStep('triggers.message_received.operation.performList', { authData, inputData }),
      ).resolves.toEqual([]);
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
    ])(
      'of %i that accepts a send without its id halts, since Autoreplay would send again',
      async (status, body, why) => {
        await expectHalt(
          send({}, [status, body]),
          `The messaging service returned an unexpected response (${why}). The request may have succeeded, so check before you try again.`,
        );
      },
    );

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

    /** How services report a failure in a body, in a value that says something, and in one that says nothing. */
    const reports: [says: fc.Arbitrary<object>, saysNothing: fc.Arbitrary<object>] = (() => {
      const texts = fc.constantFrom('oops', 'Not on WhatsApp');
      const nothing = fc.constantFrom<unknown>(null, '', ' ', false, 0, [], {}, [null], [{}], {
        code: null,
        message: '',
      });
      const value = fc.oneof(
        fc.constantFrom<unknown>(true, 7),
        texts,
        texts.map((message) => ({ message })),
        texts.map((message) => ({ to: [message] })),
      );
      const word = fc.constantFrom('failed', 'rejected', 'undelivered', 'error', 'blocked', 'expired', 'canceled');
      const spelled = fc.tuple(
        word,
        fc.constantFrom(
          (text: string) => text.toUpperCase(),
          (text: string) => ` ${text} `,
          (text: string) => text.replace(/^./, (first) => first.toUpperCase()),
        ),
      );
      return [
        fc.oneof(
          fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 })).map((error) => ({ error })),
          spelled.map(([status, spell]) => ({ status: spell(status) })),
          fc.constant({ failed_at: '2026-06-11T09:40:12Z' }),
        ),
        fc.oneof(
          nothing.map((error) => ({ error })),
          fc.constantFrom({ status: 'queued' }, { status: 'Accepted' }, { status: null }, { failed_at: null }),
        ),
      ];
    })();

    /** Every write, with a body that is a success by itself. */
    const writes: ((more: object) => Promise<unknown>)[] = [
      (more) => send({}, inJson(202, { id: 'msg_1', ...more })),
      (more) => read('triggerCampaign', inJson(202, { id: 'run_1', ...more })),
      (more) => answered('createContact', { body: {} }, [inJson(201, { id: 'con_1', ...more })]).outcome,
    ];

    test('to a write is a success exactly when nothing in it reports a failure', async () => {
      const [says, saysNothing] = reports;
      const anyWrite = fc.constantFrom(...writes);
      // A contact has no status and no time at which it failed.
      const [, , createContact] = writes;
      await fc.assert(
        fc.asyncProperty(anyWrite, says, saysNothing, fc.boolean(), async (write, one, other, isAlone) => {
          fc.pre(write !== createContact || 'error' in one);
          await expectHalt(
            write(isAlone ? one : { ...other, ...one }),
            expect.stringMatching(
              /^The (messaging service reported a failure|message failed, so nothing was delivered)/,
            ),
          );
        }),
      );
      await fc.assert(
        fc.asyncProperty(anyWrite, saysNothing, saysNothing, async (write, one, other) => {
          await expect(write({ ...one, ...other })).resolves.toHaveProperty('id');
        }),
      );
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

    test.each([null, ' ', {}, 0])('with a list and the empty error %j is read', async (error) => {
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

    test.each([
      ['in parts', (token: string) => JSON.stringify({ detail: [{ loc: token.split('.'), msg: 'wrong' }] })],
      [
        'as a pointer',
        (token: string) => JSON.stringify({ errors: [{ pointer: `/${token.replaceAll('.', '/')}`, detail: 'wrong' }] }),
      ],
      ['as a name', (token: string) => JSON.stringify({ errors: { [token]: 'wrong' } })],
    ])('that echoes the token %s does not show it', async (_how, echo) => {
      const api_token = 'eyjh.eyjz.s1gn';
      const { outcome } = answered('sendMessage', { body: someone }, [[422, echo(api_token)]], api_token);
      const error = await outcome.catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ message: expect.stringMatching(/didn't accept the input/) });
      expect(error).toMatchObject({ message: expect.not.stringMatching(/eyjh.{1,4}eyjz/i) });
    });
  });

  describe('a response that is too much', () => {
    test('to read is given up at 20 MB, at once, and is not asked for again', async () => {
      const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, 32));
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
      await host.stop();
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

  const hexOf = (sign: string): string => sign.charCodeAt(0).toString(16).padStart(2, '0');

  /** How a service may write a sign of a token. */
  const spellings: ((sign: string) => string)[] = [
    (sign) => sign,
    encodeURIComponent,
    (sign) => `%${hexOf(sign)}`,
    (sign) => `\\${sign}`,
    escaped,
    (sign) => escaped(sign).toUpperCase().replace('U', 'u'),
  ];

  /** Returns the token that a text shows, as somebody can read it who looks for it. */
  const readable = (text: string): string =>
    text
      .replace(/[^!-~]/g, '')
      .replace(/%([0-9a-f]{2})|\\u00([0-9a-f]{2})/gi, (_, percent, unicode) =>
        String.fromCharCode(Number.parseInt(percent ?? unicode, 16)),
      )
      .replace(/\\(.)/g, '$1');

  describe('the token', () => {
    test('is not shown when the service echoes it, in any spelling and with an invisible character anywhere in it', async () => {
      const token = fc.stringMatching(/^[a-z0-9]{4,9}[/+=][A-Za-z0-9/+=]{4,9}$/);
      const gap = fc.constantFrom('', '\u00ad', '\u200b', '\u2060', '\ufeff', '\u0000', ' ', '\n', '\u3000');
      await fc.assert(
        fc.asyncProperty(
          token,
          fc.constantFrom(...spellings),
          gap,
          fc.nat({ max: 19 }),
          async (api_token, spell, hidden, at) => {
            const echo = [...api_token]
              .map((sign) => spell(sign))
              .toSpliced(at, 0, hidden)
              .join('');
            const error = { code: 'validation_failed', message: `The token ${echo} may not do this.` };
            const reply: Reply = [422, toResponse({ error })];
            const { outcome } = answered('sendMessage', { body: someone }, [reply], api_token);
            const shown = await outcome.catch(({ message: told }: Error) => told);
            expect(shown).toContain('…');
            expect(readable(String(shown))).not.toContain(api_token.slice(0, 8));
          },
        ),
      );
    });

    test('is not sent on by a redirect, not even to the same host', async () => {
      const asked: (string | undefined)[] = [];
      const host = await serve((request, response) => {
        asked.push(request.url);
        response.writeHead(307, { location: '/elsewhere' }).end();
      });
      await expect(testConnection({ ...authData, base_url: host.url })).rejects.toThrow('redirects elsewhere');
      expect(asked).toEqual([pathOf('getWorkspace')]);
      await host.stop();
    });
  });

  test('a response that breaks off is asked for again', async () => {
    let requests = 0;
    const host = await serve((_request, response) => {
      const replies = [
        () => response.writeHead(200).write('{"data":[', () => setImmediate(() => response.destroy())),
        () => response.writeHead(200).end(toResponse({ data: [contact.sample] })),
      ];
      replies[requests++]?.();
    });
    const step = runStep('searches.find_contact.operation.perform', {
      authData: { ...authData, base_url: host.url },
      inputData: { email: String(contact.sample.email) },
    });
    await expect(step).resolves.toHaveLength(1);
    expect(requests).toBe(2);
    await host.stop();
  });
});

describe('retries', () => {
  const readFrom = (connection = authData) => runStep('authentication.test', { authData: connection });
  const sendTo = (connection: typeof authData, more: Record<string, unknown> = {}) =>
    runStep('creates.send_message.operation.perform', { authData: connection, inputData: { ...someone, ...more } });

  type Fault = [what: string, reply: Reply];

  const created_at = new Date().toISOString();
  const sent: Reply = [202, toResponse({ ...message.sample, created_at })];
  const running: Reply = [409, '{"error": {"code": "idempotency_in_flight", "message": "Running"}}'];

  const failure = (code: string, reason: string) => Object.assign(new Error(reason), { code });
  const reset = failure('ECONNRESET', 'socket hang up');
  const refused = failure('ECONNREFUSED', 'connect ECONNREFUSED 192.0.2.1:443');

  /** What the service says in its own format. */
  const told: Reply = [503, toResponse({ error: { code: 'down', message: 'Down' }, request_id: 'req_1' })];

  /** After these, the service may have acted. */
  const unknown: Fault[] = [
    ['503 of a proxy', [503, '<html>']],
    ['503 of a proxy in JSON', [503, '{"error": {"code": "503", "message": "Down"}}']],
    ['503 without a readable pause', [503, '', { 'retry-after': 'soon' }]],
    ['500', [500, '<html>']],
    ['502', [502]],
    ['504', [504]],
    ['408 with the code of another status', [408, '{"error": {"code": "not_found"}}']],
    ['425', [425]],
    ['HTML', [200, '<html>Welcome</html>']],
    ['half a JSON', [202, '{"id": "msg_']],
    ['a reset', reset],
    ['a response that breaks off', failure('ECONNRESET', 'aborted')],
    ['a reset while the response is read', failure('ECONNRESET', 'read ECONNRESET')],
  ];

  /** After these, the service has certainly not acted, and may do so soon. */
  const passing: Fault[] = [
    ['503 of the service', told],
    ['503 with a pause', [503, '<html>', { 'retry-after': '1' }]],
    ['a refused connection', refused],
    ['no connection to any of several addresses', failure('ETIMEDOUT', '')],
    // The host has responded before, so only the look-up of its name fails.
    ['no such host', failure('ENOTFOUND', 'getaddrinfo ENOTFOUND api.example.com')],
    ['a name server that is busy', failure('EAI_AGAIN', 'getaddrinfo EAI_AGAIN api.example.com')],
    [
      'a protocol other than TLS',
      failure('EPROTO', 'write EPROTO 0:error:0A00010B:SSL routines::wrong version number:\n'),
    ],
    [
      'a connection that ends before TLS',
      failure('ECONNRESET', 'Client network socket disconnected before secure TLS connection was established'),
    ],
  ];

  /** After these, the service has certainly not acted, and a retry doesn't help. */
  const lasting: Fault[] = [
    ['an expired certificate', failure('CERT_HAS_EXPIRED', 'certificate has expired')],
    ['a self-signed certificate', failure('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate')],
    ['a certificate of an unknown authority', failure('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify')],
    ['the certificate of another host', failure('ERR_TLS_CERT_ALTNAME_INVALID', 'Host is not in the altnames')],
  ];

  const refusals = [404, 400, 401, 403, 409, 410, 422, 429].map((status): Fault => [`${status}`, [status, '{}']]);

  /** The most attempts of one request. */
  const attempts = 8;

  describe('the test of the account, on core', () => {
    /** Announces responses, one after another, and the last one for ever. */
    const announce = (...replies: Reply[]) => {
      const asked = jest.fn();
      const reply = async () => {
        const next = replies[Math.min(asked.mock.calls.length, replies.length - 1)] ?? [500];
        asked();
        if (next instanceof Error) throw next;
        return next;
      };
      expectCall('getWorkspace').interceptor.reply(reply).persist();
      return asked;
    };

    // Only this call takes a host that isn't found for a typing error.
    const isLasting = (fault: Fault): boolean => lasting.includes(fault) || fault[0] === 'no such host';
    const ofNetwork = [...unknown, ...passing, ...lasting].filter(([, reply]) => reply instanceof Error);

    test.each(ofNetwork.filter((fault) => !isLasting(fault)))('is retried after %s', async (_fault, reply) => {
      const asked = announce(reply, reply, [200, toResponse(workspace.sample)]);
      await expect(readFrom()).resolves.toEqual(testedAccount);
      expect(asked).toHaveBeenCalledTimes(3);
    });

    test.each(ofNetwork.filter(isLasting))("isn't retried after %s", async (_fault, reply) => {
      const asked = announce(reply);
      await expect(readFrom()).rejects.toThrow(
        'The connection to the messaging service failed before a complete response arrived. Try again later.',
      );
      expect(asked).toHaveBeenCalledTimes(1);
    });

    test('ends after eight attempts, with the request ID of the last', async () => {
      const failures: Reply[] = Array(attempts).fill([500, '']);
      const asked = announce(...failures.with(-1, [500, '', { 'x-request-id': 'req_8' }]));
      await expect(readFrom()).rejects.toThrow('(Request ID: req_8)');
      expect(asked).toHaveBeenCalledTimes(attempts);
    });
  });

  const unsure = '. The request may have succeeded, so check before you try again.';
  const replayable = '. The request may have succeeded, but you can replay the run safely within 24 hours of the first';
  const later = '. Try again later.';
  const undone = '. Nothing was sent or changed, so you can try again later.';
  // No service keeps the keys of changes.
  const inContact = { id: '101', body: { first_name: 'X' }, ...withKey };

  /** How often a call is made that meets the same fault for ever, and the class and words of its error. */
  type Fate = [tries: number, name: string, words: string];

  const kinds: [kind: string, make: (...replies: Reply[]) => ReturnType<typeof answered>, whenUnknown: Fate][] = [
    ['a read', (...replies) => answered('getMessage', { id: '101' }, replies), [attempts, 'AppError', later]],
    // Autoreplay repeats errors.
    ['a send', (...replies) => sendOf({}, ...replies), [attempts, 'HaltedError', unsure]],
    ['a send with a key', (...replies) => sendOf(withKey, ...replies), [attempts, 'AppError', replayable]],
    ['a change', (...replies) => answered('updateContact', inContact, replies), [1, 'HaltedError', unsure]],
    ['a deletion', (...replies) => answered('deleteContact', inContact, replies), [attempts, 'HaltedError', unsure]],
  ];

  describe.each(kinds)('%s', (kind, make, whenUnknown) => {
    const isRead = kind === 'a read';

    const expectFate = async (faults: Fault[], [tries, name, words]: Fate) => {
      for (const [fault, reply] of faults) {
        const { outcome, keys } = make(reply);
        const error = await outcome.catch((thrown: Error) => thrown);
        expect([fault, keys.length, new Set(keys).size]).toEqual([fault, tries, 1]);
        expect([fault, error]).toEqual([
          fault,
          expect.objectContaining({ name, message: expect.stringContaining(words) }),
        ]);
      }
    };

    test('that may have succeeded is repeated only if that does nothing twice', async () => {
      // A success has a body only if it gives something.
      const empty: Fault[] = isRead
        ? [
            ['an empty 200', [200, '']],
            ['a 204', [204]],
          ]
        : [];
      await expectFate([...unknown, ...empty], whenUnknown);
    });

    test('that certainly did nothing is repeated, unless that is in vain', async () => {
      const words = isRead ? later : undone;
      await expectFate(passing, [attempts, 'AppError', words]);
      await expectFate(lasting, [1, 'AppError', words]);
    });

    test("that is refused isn't repeated", async () => {
      for (const [fault, reply] of refusals) {
        const { outcome, keys } = make(reply);
        await expect(outcome).rejects.toThrow(/didn't accept|token|refused|doesn't have this record|too many requests/);
        expect([fault, keys.length]).toEqual([fault, 1]);
      }
    });
  });

  test('a call without a key goes on when the service is there again', async () => {
    const good = toResponse(contact.sample);
    const { outcome, keys } = answered('updateContact', inContact, [refused, [200, good]]);
    await expect(outcome).resolves.toEqual(contact.sample);
    expect(keys).toEqual([null, null]);
  });

  describe('a send', () => {
    const isOneKey = (keys: unknown[]) => new Set(keys).size === 1;

    test('is retried under a key of this step, or that of the person', async () => {
      const [one, other] = [sendOf({}, reset, refused, sent), sendOf({}, [500], sent)];
      await expect(one.outcome).resolves.toMatchObject({ id: message.sample.id, already_sent: false });
      await other.outcome;
      const own = expect.stringMatching(/^[0-9a-f-]{36}$/);
      expect(one.keys).toEqual([own, one.keys[0], one.keys[0]]);
      expect(other.keys).toEqual([own, other.keys[0]]);
      expect(other.keys[0]).not.toBe(one.keys[0]);
      const { outcome, keys } = sendOf(withKey, [500], sent);
      await outcome;
      expect(keys).toEqual(['order 1', 'order 1']);
    });

    describe('whose first response is lost', () => {
      const unconfirmed = (status: number) => `The messaging service didn't confirm this request (status ${status}).`;

      test.each<[what: string, reply: Reply, words: string]>([
        ['403', [403, '{}'], unconfirmed(403)],
        ['403 with a code', [403, '{"error": {"code": "insufficient_scope", "message": "No"}}'], unconfirmed(403)],
        ['403 for the plan', [403, '{"error": {"code": "plan_required", "message": "No"}}'], unconfirmed(403)],
        // With the person's key, Zapier repeats the step after a pause.
        ['429', [429, '{}'], 'too many requests'],
        ['451', [451, 'No'], unconfirmed(451)],
        ['a page at another address', [404, '<html>'], unconfirmed(404)],
        ['a redirect', [308], unconfirmed(308)],
        ['503', [503], "The messaging service failed (status 503). This isn't caused by your Zap."],
        ['a refused connection', refused, 'The connection to the messaging service failed before a complete response'],
      ])('halts after %s, which says nothing about it', async (_what, reply, words) => {
        await expectHalt(
          send({}, reset, reply),
          expect.stringMatching(/\. The request may have succeeded, so check before you try again\.$/),
        );
        const repeated = send(withKey, reset, reply);
        await expect(repeated).rejects.toMatchObject({
          name: expect.stringMatching(/^(App|Throttled)Error$/),
          message: expect.not.stringMatching(/nothing was sent( or changed)?\./i),
        });
        await expect(repeated).rejects.toThrow(words);
      });

      // A run that waits for a new token may outlive the key.
      test.each([
        ['without Send Once for Each', {}, 'check whether it did before you try again.'],
        ['with it', withKey, 'replay the run within 24 hours of the first try, and nothing is sent twice.'],
      ])('halts after 401 and asks to reconnect, %s', async (_form, form, next) => {
        await expectHalt(
          send(form, reset, [401, '{"error": {"code": "invalid_token", "message": "No"}}']),
          `The messaging service didn't confirm this request (status 401). It may have succeeded. Reconnect this account, then ${next}`,
        );
      });

      test.each([400, 404, 409, 410, 422])(
        'is unknown after %i without a code that the contract knows',
        async (status) => {
          const code = status % 2 === 0 ? '{}' : '{"error": {"code": "duplicate", "message": "Sent already"}}';
          await expect(send(withKey, reset, [status, code])).rejects.toMatchObject({
            name: 'AppError',
            message: expect.stringContaining(
              `The messaging service didn't confirm this request (status ${status}). The request may have succeeded, but you can replay the run safely within 24 hours of the first try`,
            ),
          });
        },
      );

      test.each<[string, AnyInput, Reply]>([
        ['knows its key from another body', {}, [422, '{"error": {"code": "idempotency_mismatch", "message": "No"}}']],
        ['knows the key from another body', withKey, [422, '{"error": {"code": "idempotency_mismatch"}}']],
        ['works on it', {}, running],
        ['works on it, with Send Once for Each', withKey, running],
      ])('may have arrived when the service %s', async (_what, form, reply) => {
        await expectHalt(
          send(form, reset, reply),
          'The messaging service has an earlier try of this step, so it may have been sent. Check before you try again.',
        );
      });

      test.each([
        [409, 'contact_exists'],
        [404, 'not_found'],
      ])('is unknown after %i %s, a code that belongs to other calls', async (status, code) => {
        await expectHalt(
          send({}, reset, [status, JSON.stringify({ error: { code, message: 'No' } })]),
          `The messaging service didn't confirm this request (status ${status}). The request may have succeeded, so check before you try again.`,
        );
      });

      test('halts with the reason when the service then refuses it, since it had not acted', async () => {
        await expectHalt(
          send({}, reset, [422, '{"error": {"code": "recipient_opted_out", "message": "No"}}']),
          expect.stringContaining('this person has opted out of messages, so nothing was sent'),
        );
      });
    });

    test.each(['blocked', 'expired', 'canceled', 'Cancelled'])('that is %s at once has failed', async (status) => {
      await expectHalt(
        send({}, [202, toResponse({ ...message.sample, status })]),
        expect.stringContaining('The message failed, so nothing was delivered'),
      );
    });

    test.each<[number, string]>([
      [303, ''],
      [302, '{"error": {"code": "not_found", "message": "Gone"}}'],
    ])('halts after %i, which may follow a success, also when it looks like a verdict', async (status, body) => {
      await expectHalt(
        send({}, [status, body]),
        `The messaging service didn't confirm this request (status ${status}). The request may have succeeded, so check before you try again.`,
      );
    });

    test.each([301, 307, 308])('fails after %i, which sends to another address instead', async (status) => {
      await expect(send({}, [status])).rejects.toThrow('redirects elsewhere');
    });

    test('waits while the service still works on an earlier attempt', async () => {
      const { outcome, keys } = sendOf({}, reset, running, running, sent);
      await expect(outcome).resolves.toMatchObject({ id: message.sample.id });
      expect([keys.length, isOneKey(keys)]).toEqual([4, true]);
    });

    test.each([{}, withKey])('that the service never finishes lets Zapier try again: %j', async (form) => {
      await expect(send(form, running)).rejects.toMatchObject({
        name: 'ThrottledError',
        message: expect.stringContaining('The same request is still being processed. Zapier retries this step'),
      });
    });

    test('that the service works on, and that then fails, may have been sent', async () => {
      await expectHalt(send({}, running, told), expect.stringContaining('The request may have succeeded, so check'));
    });
  });

  test.each([
    ['triggerCampaign', 409, 'contact_exists', 'The messaging service refused this step (status 409). No.'],
    ['sendMessage', 422, 'contact_exists', 'refused this step with the code contact_exists. No.'],
    ['updateContact', 422, 'recipient_opted_out', 'refused this step with the code recipient_opted_out. No.'],
    ['updateContact', 422, 'idempotency_mismatch', 'refused this step with the code idempotency_mismatch. No.'],
    ['createWebhook', 422, 'template_not_found', 'refused this step with the code template_not_found. No.'],
    ['triggerCampaign', 422, 'recipient_opted_out', 'this person has opted out of messages, so nothing was sent'],
  ] as const)('%s takes %i %s for no verdict of another call', async (name, status, code, words) => {
    const input = { id: '7', body: {}, idempotencyKey: 'order 1' };
    const { outcome } = answered(name, input, [[status, JSON.stringify({ error: { code, message: 'No' } })]]);
    await expect(outcome).rejects.toThrow(words);
  });

  test.each([404, 410])('a deletion whose response was lost succeeds when the record is gone (%i)', async (status) => {
    const gone: Reply = [status, '{"error": {"code": "not_found", "message": "Gone"}}'];
    await expect(read('deleteContact', reset, gone)).resolves.toBeUndefined();
    await expect(read('deleteContact', refused, gone)).rejects.toThrow(
      "Contact: the messaging service doesn't have this record, perhaps because it was deleted.",
    );
  });

  describe('a repeat that the service recognizes', () => {
    const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    const replay = (created: number, clock = 0): Reply => [
      202,
      toResponse({ ...message.sample, created_at: secondsAgo(created).toISOString() }),
      { 'Idempotent-Replayed': 'true', ...(clock && { date: secondsAgo(clock).toUTCString() }) },
    ];

    test.each<[what: string, replies: () => Reply[], already_sent: boolean]>([
      ['at once', () => [replay(0)], true],
      ['after a moment without a connection', () => [refused, replay(0)], true],
      ['after another step has finished', () => [running, replay(0)], true],
      ['after its response was lost', () => [reset, replay(0)], false],
      ['after the response to a repeat was lost', () => [reset, replay(60)], true],
      ['after its response was lost, by a clock that is late', () => [reset, replay(300, 300)], false],
      ['after the response to a repeat was lost, by a clock that is early', () => [reset, replay(-240, -300)], true],
    ])('was sent by another step, or by this one: %s', async (_when, replies, already_sent) => {
      await expect(send(withKey, ...replies())).resolves.toMatchObject({ already_sent });
    });

    test("isn't a repeat of another step without Send Once for Each", async () => {
      await expect(send({}, reset, replay(60))).resolves.toMatchObject({ already_sent: false });
    });
  });

  describe('a slow service', () => {
    let asked: string[];
    let requests: { request: IncomingMessage; response: ServerResponse }[];
    const arrivals = new EventEmitter();
    let server: LocalServer;
    const respond = (request: IncomingMessage, response: ServerResponse): void => {
      asked.push(`${request.url}`);
      requests.push({ request, response });
      arrivals.emit('request');
    };

    /** The next request. Rejects after two minutes of the real clock with what was asked so far. */
    const nextRequest = async () => {
      if (requests.length === 0) {
        await once(arrivals, 'request', { signal: AbortSignal.timeout(deadlineMs) }).catch(() => {
          throw new Error(`No request came after these: ${JSON.stringify(asked)}`);
        });
      }
      const [next] = requests.splice(0, 1);
      if (!next) throw new Error('A request came, and is gone.');
      return next;
    };

    beforeAll(async () => {
      nock.enableNetConnect('127.0.0.1');
      server = await listen(respond);
    });

    beforeEach(() => {
      [asked, requests] = [[], []];
      jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    });

    afterEach(() => jest.useRealTimers());

    afterAll(async () => {
      await server.stop();
      nock.disableNetConnect();
    });

    const connection = () => ({ ...authData, base_url: server.url });

    /** Responds to the read of the template, which comes before a send. */
    const respondWithTemplate = async () => {
      const { response } = await nextRequest();
      response.end(toResponse({ data: [{ name: 'parcel_out_for_delivery', status: 'approved' }] }));
    };

    /** Lets each of the next requests hang for as long as its attempt lasts. Returns the time that they took together. */
    const hang = async (...limits: number[]) => {
      for (const limit of limits) {
        await nextRequest();
        jest.advanceTimersByTime(limit);
      }
    };

    test('ends a read with a sentence after 23 s, before Zapier would end it', async () => {
      const start = Date.now();
      const failed = expect(readFrom(connection())).rejects.toThrow(
        "The messaging service didn't respond in time. Try again later.",
      );
      await hang(10_000, 10_000, 3_000);
      await failed;
      expect(asked).toHaveLength(3);
      expect(Date.now() - start).toBeLessThan(25_000);
    });

    test.each([
      ['nothing', () => undefined],
      [
        'half of a response of a known length',
        (response: ServerResponse) => {
          response.writeHead(200, { 'content-length': 500 }).write('{"id":', () => response.destroy());
        },
      ],
    ])('that sends %s is asked again after 10 s', async (_what, respond) => {
      const step = readFrom(connection());
      respond((await nextRequest()).response);
      jest.advanceTimersByTime(10_000);
      (await nextRequest()).response.end(toResponse(workspace.sample));
      await expect(step).resolves.toEqual(testedAccount);
    });

    test("that doesn't respond to a send is asked again under its key, and then the step halts", async () => {
      const halted = expect(sendTo(connection())).rejects.toMatchObject({
        name: 'HaltedError',
        message:
          "The messaging service didn't respond in time. The request may have succeeded, so check before you try again.",
      });
      await respondWithTemplate();
      await hang(10_000, 10_000, 3_000);
      await halted;
      expect(asked.slice(1)).toEqual(Array(3).fill(pathOf('sendMessage')));
    });

    test('gives a change, which is sent once, the whole time of the step', async () => {
      const inputData = { contact: '101', first_name: 'X' };
      const step = runStep('creates.update_contact.operation.perform', { authData: connection(), inputData });
      const { response } = await nextRequest();
      jest.advanceTimersByTime(20_000);
      response.writeHead(200).end(toResponse(contact.sample));
      await expect(step).resolves.toEqual(reachable(contact.sample));
      expect(asked).toHaveLength(1);
    });

    test('begins no send without 5 s left', async () => {
      const step = sendTo(connection(), { variable_time: '2:30 pm' });
      const failed = expect(step).rejects.toThrow(
        'The messaging service is too slow for this step to finish, so nothing was sent',
      );
      await hang(10_000);
      const { response } = await nextRequest();
      jest.advanceTimersByTime(9_000);
      response.end(toResponse({ data: [{ name: 'parcel_out_for_delivery' }] }));
      await failed;
      expect(asked).toEqual(
        Array(2).fill(`${pathOf('listTemplates')}?name=parcel_out_for_delivery&channel=whatsapp&limit=100`),
      );
    });

    test('that takes seconds to say 503 is not asked again with too little time left to know the outcome', async () => {
      const failed = expect(sendTo(connection())).rejects.toThrow(
        'Nothing was sent or changed, so you can try again later.',
      );
      await respondWithTemplate();
      for (let request = 0; request < 2; request += 1) {
        const { response } = await nextRequest();
        jest.advanceTimersByTime(9_000);
        response.writeHead(503, { 'retry-after': '1' }).end();
      }
      await failed;
      expect(asked).toHaveLength(3);
    });

    test('has 5 s in all to clean up after a send, however many requests that takes', async () => {
      const path = 'creates.send_message_and_wait.operation.perform';
      const halted = expect(runStep(path, { authData: connection(), inputData: someone })).rejects.toThrow(
        "The message was sent, but the Zap can't wait for the reply",
      );
      const none = toResponse({ data: [], next_cursor: null });
      await respondWithTemplate();
      (await nextRequest()).response.end(none);
      (await nextRequest()).response.end(toResponse(message.sample));
      const { request } = await nextRequest();
      const created = z.object({ url: z.string() }).parse(await json(request));
      jest.advanceTimersByTime(10_000);
      await hang(10_000, 3_000);
      const { response } = await nextRequest();
      jest.advanceTimersByTime(4_000);
      const own = { ...webhook.sample, ...created, secret: undefined, created_at: new Date().toISOString() };
      response.end(toResponse({ data: [own], next_cursor: null }));
      await hang(1_000);
      await halted;
      expect(asked.at(-1)).toBe(pathOf('deleteWebhook', { id: own.id }));
    });

    test('that says 503 is asked again after pauses that grow from 0.2 to 8 s and are random', async () => {
      const times: number[] = [];
      const refuse = () => {
        times.push(Date.now());
        requests.at(-1)?.response.writeHead(503).end();
      };
      arrivals.on('request', refuse);
      await expect(readFrom(connection())).rejects.toThrow('failed (status 503)');
      arrivals.off('request', refuse);
      const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      const longest = [400, 800, 1_600, 3_200, 6_400, 8_000, 8_000];
      expect(pauses.length).toBeGreaterThanOrEqual(6);
      pauses.forEach((pause, index) => {
        expect(pause).toBeGreaterThanOrEqual((longest[index] ?? 0) / 2 - 1);
        expect(pause).toBeLessThanOrEqual(longest[index] ?? 0);
      });
      expect(pauses).not.toEqual(longest.slice(0, pauses.length));
      expect(pauses).not.toEqual(longest.slice(0, pauses.length).map((each) => each / 2));
    });
  });
});

describe('query parameters', () => {
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
