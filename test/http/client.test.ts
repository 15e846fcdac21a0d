import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import nock from 'nock';
import { createAppTester, type ZObject } from 'zapier-platform-core';
import type * as zod from 'zod/mini';
import { type Endpoint, type EndpointName, endpoints, pathPrefix } from '../../src/api/endpoints';
import { events } from '../../src/api/events';
import { campaignRun, contact, message, workspace } from '../../src/api/resources';
import { call } from '../../src/http/client';
import { listen } from '../../zapier/listen';
import { goodResponse, pathOf } from '../support/calls';
import {
  allowWebhooks,
  authData,
  expectCall,
  recordSends,
  service,
  testedAccount,
  toResponse,
} from '../support/service';
import { reachable } from '../support/triggered';
import { definition, runStep } from '../support/zapier';

const serve = async (listener: RequestListener) => {
  nock.enableNetConnect('127.0.0.1');
  return listen(listener);
};

afterEach(() => nock.disableNetConnect());

const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

const send = (inputData: Record<string, unknown> = {}, connection: Record<string, string> = authData) =>
  runStep('creates.send_message.operation.perform', {
    authData: connection,
    inputData: { channel: 'whatsapp', template: 'hello', to: '+12025550123', ...inputData },
  });

const findMessage = () =>
  runStep('searches.find_message.operation.perform', { authData, inputData: { message: message.sample.id } });
const expectFound = (found: unknown) => expectCall('getMessage', { id: message.sample.id }).reply(200, found);

const testConnection = (connection = authData) => runStep('authentication.test', { authData: connection });

const listMessages = () => {
  allowWebhooks();
  return runStep('triggers.message_received.operation.performList', { authData });
};

describe('a request', () => {
  test('carries the token, the specified headers and nothing empty', async () => {
    const sent = recordSends(202, message.sample);
    await send({ variables: { a: '', b: '  ', c: null } });
    expect(sent[0]?.body).toEqual({ channel: 'whatsapp', to: '+12025550123', template: 'hello', variables: {} });
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
    await expect(runStep('triggers.message_received.operation.performList', { authData, inputData })).resolves.toEqual(
      [],
    );
  });

  test('goes to the path of the base address', async () => {
    nock('https://example.com')
      .get(`/messaging${pathOf('getWorkspace')}`)
      .reply(200, toResponse('getWorkspace', 200, workspace.sample));
    const connection = { ...authData, base_url: `example.com/messaging${pathPrefix}/` };
    await expect(testConnection(connection)).resolves.toEqual(testedAccount);
  });
});

describe('an answer', () => {
  test('keeps fields that the contract does not know and turns numeric ids into texts', async () => {
    expectFound({ id: 12345, conversation_id: 67, status: 'teleported', shoe_size: 43 });
    await expect(findMessage()).resolves.toEqual([
      { id: '12345', conversation_id: '67', status: 'teleported', shoe_size: 43, has_phone_number: false },
    ]);
  });

  test('that is HTML is told as unexpected', async () => {
    expectCall('getWorkspace').reply(200, '<html><h1>Welcome</h1></html>', { 'x-request-id': 'req_9' }).persist();
    await expect(testConnection()).rejects.toThrow(
      'returned an unexpected response (not the expected data). Try again later. If it keeps happening, check the API Base URL of the account. (Request ID: req_9)',
    );
  });

  test.each([
    [204, '', 'not the expected data'],
    [200, { status: 'queued' }, '"id" is missing or invalid'],
    [200, '{"id": ""}', '"id" is missing or invalid'],
    [200, '{"id": " "}', '"id" is missing or invalid'],
  ])('of %i that accepts a send without its id halts, since Autoreplay would send again', async (status, body, why) => {
    recordSends(status, body);
    await expect(send()).rejects.toMatchObject({
      name: 'HaltedError',
      message: `The messaging service returned an unexpected response (${why}). The request may have succeeded, so check before you try again.`,
    });
  });

  const reasons: [body: object, reason: string][] = [
    [{ ...message.sample, ok: false, message: 'The channel is closed' }, 'The channel is closed.'],
    [{ success: false, error: { message: 'Queue full' } }, 'Queue full.'],
    [{ ok: false, error: 'x'.repeat(200) }, `${'x'.repeat(54)}…`],
    [{ ...message.sample, ok: false, error: { code: 'queue_full' } }, 'queue_full.'],
    [{ error: 'Queue full' }, 'Queue full.'],
    [{ ...message.sample, error: 'Queue full' }, 'Queue full.'],
    [{ ...message.sample, error: { code: 'queue_full', message: null } }, 'queue_full.'],
  ];

  test.each(reasons)('that accepts a send and reports a failure halts with the reason: %j', async (body, reason) => {
    recordSends(202, JSON.stringify(body));
    await expect(send()).rejects.toMatchObject({
      name: 'HaltedError',
      message: `The messaging service reported a failure: ${reason} The request may have succeeded, so check before you try again.`,
    });
  });

  test.each([{ ok: false }, { success: false }, { success: false, message: '<html>' }])(
    'that accepts a send and reports a failure without a reason halts: %j',
    async (failure) => {
      recordSends(202, JSON.stringify({ ...JSON.parse(toResponse('sendMessage', 202, message.sample)), ...failure }));
      await expect(send()).rejects.toMatchObject({
        name: 'HaltedError',
        message: expect.stringContaining(
          'reported a failure, and gives no reason. The request may have succeeded, so check',
        ),
      });
    },
  );

  const failures: [more: object, reason: string][] = [
    [{ error: { code: 'not_on_whatsapp', message: 'Not on WhatsApp' } }, 'Not on WhatsApp.'],
    [{ error: { code: 'not_on_whatsapp', message: null } }, 'not_on_whatsapp.'],
    [{ error: 'Not on WhatsApp' }, 'Not on WhatsApp.'],
    [{ error: null }, 'The messaging service gives no reason.'],
  ];

  test.each(failures)('with a message that has failed halts, with or without a key: %j', async (more, reason) => {
    recordSends(202, toResponse('sendMessage', 202, { ...message.sample, status: 'failed', ...more }));
    const start = `The message failed, so nothing was delivered: ${reason} Correct the cause, then run this step again`;
    await expect(send()).rejects.toMatchObject({ name: 'HaltedError', message: `${start}.` });
    recordSends(202, toResponse('sendMessage', 202, { ...message.sample, status: 'failed', ...more }));
    await expect(send({ deduplication_key: 'order 1' })).rejects.toMatchObject({
      name: 'HaltedError',
      message: `${start} with another value in Send Only Once Per.`,
    });
  });

  test.each([null, {}, { code: null, message: null }, { code: '', message: ' ' }])(
    'with a message and its empty error %j is a success',
    async (error) => {
      recordSends(202, toResponse('sendMessage', 202, { ...message.sample, status: 'queued', error }));
      await expect(send()).resolves.toMatchObject({ id: message.sample.id, status: 'queued' });
    },
  );

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
    const key = fc.constantFrom('error', 'errors', 'error_message');
    const word = fc.constantFrom('failed', 'rejected', 'undelivered', 'error');
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
        fc
          .tuple(key, fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 })))
          .map((each) => Object.fromEntries([each])),
        spelled.map(([status, spell]) => ({ status: spell(status) })),
        fc.constant({ failed_at: '2026-06-11T09:40:12Z' }),
      ),
      fc.oneof(
        fc.tuple(key, nothing).map((each) => Object.fromEntries([each])),
        fc.constantFrom({ status: 'queued' }, { status: 'Accepted' }, { status: null }, { failed_at: null }),
      ),
    ];
  })();

  /** Every write, with a body that is a success by itself. */
  const writes: [name: string, run: (more: object) => Promise<unknown>][] = [
    [
      'a send',
      (more) => {
        recordSends(202, { id: 'msg_1', ...more });
        return send();
      },
    ],
    [
      'a start of a campaign',
      (more) => {
        expectCall('triggerCampaign', { id: 'cmp_1' }).interceptor.reply(202, { id: 'run_1', ...more });
        const inputData = { campaign: 'cmp_1', audience: 'one', to: '+12025550123' };
        return runStep('creates.trigger_campaign.operation.perform', { authData, inputData });
      },
    ],
    [
      'a new contact',
      (more) => {
        expectCall('createContact').interceptor.reply(201, { id: 'con_1', ...more });
        const inputData = { email: 'noor@example.com' };
        return runStep('creates.create_contact.operation.perform', { authData, inputData });
      },
    ],
  ];

  test.each(writes)('to %s is a success exactly when nothing in it reports a failure', async (_name, run) => {
    const [says, saysNothing] = reports;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          says,
          fc.tuple(saysNothing, says).map(([one, other]) => ({ ...one, ...other })),
        ),
        async (more) => {
          await expect(run(more)).rejects.toMatchObject({ name: 'HaltedError' });
        },
      ),
    );
    await fc.assert(
      fc.asyncProperty(saysNothing, saysNothing, async (one, other) => {
        await expect(run({ ...one, ...other })).resolves.toHaveProperty('id');
      }),
    );
  });

  test.each([
    [{ errors: ['oops'] }, 'oops.'],
    [{ errors: [{ message: 'oops' }] }, 'oops.'],
    [{ error: ['oops'] }, 'oops.'],
    [{ error_message: 'oops' }, 'oops.'],
  ])('that reports a failure as %j gives the reason', async (more, reason) => {
    recordSends(202, { id: 'msg_1', ...more });
    await expect(send()).rejects.toThrow(`reported a failure: ${reason} The request may have succeeded`);
  });

  test('with a campaign that has failed is no success', async () => {
    const failed = { ...campaignRun.sample, status: 'failed' };
    expectCall('triggerCampaign', { id: 'cmp_1' }).interceptor.reply(202, toResponse('triggerCampaign', 202, failed));
    const inputData = { campaign: 'cmp_1', audience: 'one', to: '+12025550123' };
    await expect(runStep('creates.trigger_campaign.operation.perform', { authData, inputData })).rejects.toMatchObject({
      name: 'HaltedError',
      message:
        'The messaging service reported a failure, and gives no reason. The request may have succeeded, so check before you try again.',
    });
  });

  test.each([
    [{ status: 'error', message: 'Locked' }, 'reported a failure: Locked. The request may have succeeded, so check'],
    [{ result: 'error' }, 'reported a failure, and gives no reason. The request may have succeeded, so check'],
    [{ error: 'Locked' }, 'reported a failure: Locked. The request may have succeeded, so check'],
    [{ deleted: false }, 'reported a failure, and gives no reason. The request may have succeeded, so check'],
  ])('that accepts a deletion and reports a failure halts: %j', async (body, words) => {
    expectCall('deleteContact', { id: '101' }).interceptor.reply(200, body);
    const step = runStep('creates.delete_contact.operation.perform', { authData, inputData: { contact: '101' } });
    await expect(step).rejects.toMatchObject({ name: 'HaltedError', message: expect.stringContaining(words) });
  });

  test.each(['Queue full', { message: 'Queue full' }])(
    'with a list and the error %j gives the reason',
    async (error) => {
      const list = JSON.parse(toResponse('listMessages', 200, { data: [], next_cursor: null }));
      expectCall('listMessages').reply(200, JSON.stringify({ ...list, error }));
      await expect(listMessages()).rejects.toThrow(
        "reported a failure: Queue full. Try again later. If it keeps happening, contact the messaging service's support.",
      );
    },
  );

  test.each([null, '', ' ', {}, false, 0])('with a list and the empty error %j is read', async (error) => {
    const list = JSON.parse(toResponse('listMessages', 200, { data: [], next_cursor: null }));
    expectCall('listMessages').reply(200, JSON.stringify({ ...list, error, ok: true }));
    await expect(listMessages()).resolves.toEqual([]);
  });

  test('about a message that failed is read, since the error is the own one of the message', async () => {
    const failed = events['message.failed'].sample;
    expectFound(failed);
    await expect(findMessage()).resolves.toEqual([reachable(failed)]);
  });

  const names = Object.keys(endpoints).filter((name): name is EndpointName => name in endpoints);

  test.each(names)('to %s with the example of the contract is no failure', async (name) => {
    const input = { id: '101', name: '101' };
    expectCall(name, input).reply(200, goodResponse(name));
    const tester = createAppTester(definition.only('message_received'));
    const read = tester((z: ZObject) => call<Endpoint, zod.ZodMiniType>(z, endpoints[name], input), { authData });
    await expect(read).resolves.toEqual(goodResponse(name));
  });

  test('to Call the API is given as it is', async () => {
    const body = { ok: false, error: 'Queue full' };
    service().get(`${pathPrefix}/queues`).reply(200, body);
    const inputData = { method: 'GET', path: 'queues' };
    await expect(runStep('creates.api_request.operation.perform', { authData, inputData })).resolves.toEqual({
      response: body,
    });
  });

  test('that refuses in plain text gives the reason', async () => {
    recordSends(422, 'This channel is closed');
    await expect(send()).rejects.toThrow("didn't accept the input. This channel is closed. Correct");
  });

  test('without what identifies a record names the place', async () => {
    expectCall('listMessages').reply(200, { data: [{ text: 'hello' }] });
    await expect(listMessages()).rejects.toThrow('(\\"data.0.id\\" is missing or invalid)');
  });

  const inHalfAnHour = new Date(Date.now() + 1_800_000).toUTCString();
  const aboutHalfAnHour = expect.closeTo(1_800, -3);

  test.each([
    [429, { 'retry-after': '17' }, 17],
    [429, { 'retry-after': inHalfAnHour }, aboutHalfAnHour],
    [429, { 'retry-after': inHalfAnHour.replace(/^\w+/, 'Sunday') }, aboutHalfAnHour],
    [429, { 'retry-after': '0' }, 1],
    [429, { 'retry-after': '1.2' }, 2],
    [429, { 'retry-after': '3601' }, 3600],
    [429, { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 3600],
    [429, { 'retry-after': 'soon' }, 30],
    [429, { 'retry-after': '2099-01-01' }, 30],
    [429, { 'retry-after': '1e3' }, 30],
    [429, {}, 30],
  ])('of %i with %j makes Zapier wait %s seconds', async (status, headers, delay) => {
    expectCall('getWorkspace').reply(status, { error: { code: 'rate_limited', message: 'Slow down' } }, headers);
    const error = await testConnection().catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name: 'ThrottledError' });
    expect(JSON.parse(String(error instanceof Error && error.message))).toEqual({
      message: 'The messaging service is receiving too many requests. Zapier retries this step after a pause.',
      delay,
    });
  });

  test.each([
    [401, 'ExpiredAuthError', 'Create a new API token'],
    [403, 'AppError', 'Check the fields of this step and the scopes of the API token'],
    [404, 'AppError', 'API Base URL: no messaging service API was found at this address (status 404)'],
    [422, 'HaltedError', "didn't accept the input"],
    [500, 'AppError', "This isn't caused by your Zap"],
    [302, 'AppError', 'leads to another one'],
  ])('of %i with HTML is an error of class %s', async (status, name, words) => {
    expectCall('getWorkspace').reply(status, '<html>no</html>', { location: 'https://evil.example.com/' }).persist();
    await expect(testConnection()).rejects.toMatchObject({ name, message: expect.stringContaining(words) });
  });

  test.each([
    [
      'escaped',
      (token: string) => `{"error": {"code": "validation_failed", "message": "${token.replace(/./g, escaped)}"}}`,
    ],
    ['in parts', (token: string) => JSON.stringify({ detail: [{ loc: token.split('.'), msg: 'wrong' }] })],
    [
      'as a pointer',
      (token: string) => JSON.stringify({ errors: [{ pointer: `/${token.replaceAll('.', '/')}`, detail: 'wrong' }] }),
    ],
    ['as a code', (token: string) => JSON.stringify({ error: { code: token, message: 'wrong' } })],
    ['as a name', (token: string) => JSON.stringify({ errors: { [token]: 'wrong' } })],
    ['as a text', (token: string) => `No such token: ${token}`],
    [
      'between spaces and invisible characters',
      (token: string) => JSON.stringify({ error: { message: token.replaceAll('.', '\u200b.     ') } }),
    ],
  ])('that echoes the token %s does not show it', async (_how, echo) => {
    const api_token = 'eyjh.eyjz.s1gn';
    nock('https://api.example.com').post(pathOf('sendMessage')).reply(422, echo(api_token));
    const error = await send({}, { ...authData, api_token }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ message: expect.stringMatching(/didn't accept the input/) });
    expect(error).toMatchObject({ message: expect.not.stringMatching(/eyjh.{1,4}eyjz/i) });
  });

  test.each([
    ['as it is', (encoded: string) => encoded],
    ['in lower case', (encoded: string) => encoded.toLowerCase()],
  ])('that echoes the token percent-encoded %s does not show it', async (_how, spell) => {
    const api_token = 'eyjh/eyjz+s1gn=';
    const message = `No such token: ${spell(encodeURIComponent(api_token))}`;
    nock('https://api.example.com').post(pathOf('sendMessage')).reply(422, { error: { message } });
    const error = await send({}, { ...authData, api_token }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining('No such token: …') });
  });
});

describe('a response that is too much', () => {
  const twice = ['[', ']'] as const;
  const nested = (depth: number) => `{"id": "1", "deep": ${twice[0].repeat(depth)}${twice[1].repeat(depth)}}`;

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

  test('to read is not read any further', async () => {
    const closed = Promise.withResolvers<void>();
    const host = await serve((_request, response) => {
      const chunk = Buffer.alloc(1024 * 1024, 32);
      const write = () => !response.destroyed && response.write(chunk, () => setImmediate(write));
      response.writeHead(200).once('close', closed.resolve);
      write();
    });
    await expect(testConnection({ ...authData, base_url: host.url })).rejects.toThrow('over 20 MB');
    await closed.promise;
    await host.stop();
  });

  test('to a send is told as one that may have sent it', async () => {
    recordSends(202, ' '.repeat(21 * 1024 * 1024));
    await expect(send()).rejects.toThrow('sent a response over 20 MB. The request may have succeeded, so check');
  });

  const expectUnreadable = (body: string) => expectCall('sendMessage').interceptor.reply(202, body).persist();

  test.each([101, 6_000, 1_000_000])('because it is nested %i deep is told in a sentence', async (depth) => {
    expectUnreadable(nested(depth));
    await expect(send()).rejects.toThrow('returned an unexpected response (not the expected data)');
  });

  test('because it holds a million values is told in a sentence', async () => {
    expectUnreadable(`{"data": [${'1,'.repeat(1_000_000)}1]}`);
    await expect(send()).rejects.toThrow('returned an unexpected response (not the expected data)');
  });

  test.each([200, 500])('to be part of a failure is not asked for again (%i)', async (status) => {
    const page = '<p>Maintenance</p>'.repeat(60_000);
    expectCall('getWorkspace').interceptor.reply(status, page);
    await expect(testConnection()).rejects.toThrow('The messaging service');
  });

  test('only for a naive reader is read', async () => {
    const text = '[{,\\"'.repeat(100_000);
    expectFound({ id: '1', text, deep: [[[[1]]]] });
    await expect(findMessage()).resolves.toEqual([{ id: '1', text, deep: [[[[1]]]], has_phone_number: false }]);
  });
});

describe('a response', () => {
  test('with a byte order mark is read', async () => {
    expectFound(`\ufeff${toResponse('getMessage', 200, message.sample)}`);
    await expect(findMessage()).resolves.toEqual([reachable(message.sample)]);
  });

  test('with an optional field of the wrong type is read with null in its place', async () => {
    expectFound({ id: '1', template: [7], contact: 'Noor', status: 'queued' });
    await expect(findMessage()).resolves.toMatchObject([{ id: '1', template: null, contact: null, status: 'queued' }]);
  });
});

describe('the address of a request', () => {
  const tester = createAppTester(definition.only('message_received'));
  const request = (url: string, base_url: string) =>
    tester(async (z: ZObject) => (await z.request(url)).status, { authData: { ...authData, base_url } });

  test.each([
    ['/v1/messages?a=b&c=%7B%7Bd%7D%7D', '/v1/messages?a=b&c=%7B%7Bd%7D%7D'],
    ['https://api.example.com/v1/messages?a=b', '/v1/messages?a=b'],
    ['https://api.example.com:443/v1', '/v1'],
  ])('%s is taken', async (url, path) => {
    service().get(path).reply(204);
    await expect(request(url, 'https://api.example.com')).resolves.toBe(204);
  });

  test.each([
    '@evil.example/x',
    ':8443/x',
    '//evil.example/x',
    '\\\\evil.example/x',
    '',
    'https://evil.example/v1/messages',
    'http://api.example.com/v1/messages',
    'https://api.example.com@evil.example/v1',
    'https://me@api.example.com/v1',
    'https://api.example.com:8443/v1',
    'file:///etc/passwd',
  ])('%j is refused before anything is sent', async (url) => {
    const refused = "This request isn't for the API Base URL of the account, so it wasn't sent.";
    await expect(request(url, 'https://api.example.com')).rejects.toThrow(refused);
  });

  test.each([
    '/../x',
    '/%2e%2e/x',
    '/\\..\\..\\x',
    'https://api.example.com/other',
    'https://api.example.com/basement',
  ])('%j is refused, since it leaves the path of the base address', async (url) => {
    await expect(request(url, 'https://api.example.com/base')).rejects.toThrow("isn't for the API Base URL");
  });
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
          nock('https://api.example.com')
            .post(pathOf('sendMessage'))
            .reply(422, toResponse('sendMessage', 422, { error }));
          const shown = await send({}, { ...authData, api_token }).catch(({ message: told }: Error) => told);
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
    await expect(testConnection({ ...authData, base_url: host.url })).rejects.toThrow('leads to another one');
    expect(asked).toEqual([pathOf('getWorkspace')]);
    await host.stop();
  });
});

test('a response that breaks off is asked for again', async () => {
  let requests = 0;
  const host = await serve((_request, response) => {
    requests += 1;
    if (requests > 1) return response.writeHead(200).end(toResponse('listContacts', 200, { data: [contact.sample] }));
    response.writeHead(200).write('{"data":[', () => setImmediate(() => response.destroy()));
  });
  const step = runStep('searches.find_contact.operation.perform', {
    authData: { ...authData, base_url: host.url },
    inputData: { email: String(contact.sample.email) },
  });
  await expect(step).resolves.toHaveLength(1);
  expect(requests).toBe(2);
  await host.stop();
});
