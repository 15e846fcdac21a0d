import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import nock from 'nock';
import * as z from 'zod/mini';
import { type AnyInput, type EndpointName, endpoints } from '../../src/api/endpoints';
import { contact, conversation, message, webhook, workspace } from '../../src/api/resources';
import { fromWire } from '../../src/api/translate';
import { type LocalServer, listen } from '../../zapier/listen';
import { pathOf } from '../support/calls';
import { deadlineMs } from '../support/deadline';
import { authData, expectCall, testedAccount, toResponse } from '../support/service';
import { reachable } from '../support/triggered';
import { runStep } from '../support/zapier';

const withKey = { deduplication_key: 'order 1' };

const readFrom = (connection = authData) => runStep('authentication.test', { authData: connection });
const sendTo = (connection: typeof authData, more: Record<string, unknown> = {}) => {
  const inputData = { channel: 'whatsapp', template: 'hello', to: '+12025550123', ...more };
  return runStep('creates.send_message.operation.perform', { authData: connection, inputData });
};
const send = (more: Record<string, unknown> = {}) => sendTo(authData, more);
const remove = () => runStep('creates.delete_contact.operation.perform', { authData, inputData: { contact: '101' } });
const change = () => {
  const inputData = { contact: '101', first_name: 'X' };
  return runStep('creates.update_contact.operation.perform', { authData, inputData });
};

/** What the service responds with, or how the connection fails. */
type Reply = [status: number, body?: string, headers?: nock.ReplyHeaders] | Error;
type Fault = [what: string, reply: Reply];

/** Announces responses to a call, one after another, and the last one for ever. Lists the keys of the requests. */
const announce = (call: EndpointName, input: AnyInput, ...replies: Reply[]): unknown[] => {
  const keys: unknown[] = [];
  const reply = async function (this: nock.ReplyFnContext) {
    keys.push(this.req.headers['idempotency-key']);
    const next = replies[Math.min(keys.length, replies.length) - 1] ?? [500];
    if (next instanceof Error) throw next;
    return next;
  };
  expectCall(call, input).interceptor.reply(reply).persist();
  return keys;
};
const announceSend = (...replies: Reply[]) => announce('sendMessage', {}, ...replies);

const sent: Reply = [202, toResponse('sendMessage', 202, message.sample)];
const running: Reply = [409, '{"error": {"code": "idempotency_in_flight", "message": "Running"}}'];
const notFound: Reply = [404, '{"error": {"code": "not_found", "message": "Gone"}}'];

const failure = (code: string, reason: string) => Object.assign(new Error(reason), { code });
const reset = failure('ECONNRESET', 'socket hang up');
const refused = failure('ECONNREFUSED', 'connect ECONNREFUSED 192.0.2.1:443');

/** What the service says in its own format. */
const told: Reply = [
  503,
  toResponse('sendMessage', 503, { error: { code: 'down', message: 'Down' }, request_id: 'req_1' }),
];

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
];

/** After these, the service has certainly not acted, and may do so soon. */
const passing: Fault[] = [
  ['503 of the service', told],
  ['503 with a pause', [503, '<html>', { 'retry-after': '1' }]],
  ['a refused connection', refused],
  ['no connection to any of several addresses', failure('ETIMEDOUT', '')],
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
  ['no such host', failure('ENOTFOUND', 'getaddrinfo ENOTFOUND api.example.com')],
  ['an expired certificate', failure('CERT_HAS_EXPIRED', 'certificate has expired')],
  ['a self-signed certificate', failure('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate')],
  ['a certificate of an unknown authority', failure('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify')],
  ['the certificate of another host', failure('ERR_TLS_CERT_ALTNAME_INVALID', 'Host is not in the altnames')],
];

const refusals = [400, 401, 403, 404, 409, 410, 422, 429];

/** The most attempts of one request. */
const attempts = 8;

describe('a read', () => {
  const empty: Fault[] = [
    ['an empty 200', [200, '']],
    ['a 204', [204]],
  ];

  test.each([...unknown, ...passing, ...empty])('is retried after %s', async (_fault, reply) => {
    const good = toResponse('getWorkspace', 200, workspace.sample);
    const requests = announce('getWorkspace', {}, reply, reply, [200, good]);
    await expect(readFrom()).resolves.toEqual(testedAccount);
    expect(requests).toHaveLength(3);
  });

  test('ends after eight attempts, with the request ID of the last', async () => {
    const failures: Reply[] = Array(attempts).fill([500, '']);
    const requests = announce('getWorkspace', {}, ...failures.with(-1, [500, '', { 'x-request-id': 'req_8' }]));
    await expect(readFrom()).rejects.toThrow('(Request ID: req_8)');
    expect(requests).toHaveLength(attempts);
  });

  test.each([...lasting, ...refusals.map((status): Fault => [`${status}`, [status, '{}']])])(
    "isn't retried after %s",
    async (_fault, reply) => {
      const requests = announce('getWorkspace', {}, reply);
      await expect(readFrom()).rejects.toBeInstanceOf(Error);
      expect(requests).toHaveLength(1);
    },
  );
});

describe('a send', () => {
  test.each([...unknown, ...passing])('is retried under a key of this step after %s', async (_fault, reply) => {
    const keys = announceSend(reply, reply, sent, sent);
    await expect(send()).resolves.toMatchObject({ id: message.sample.id, already_sent: false });
    await send();
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0], keys[0], expect.any(String)]);
    expect(keys[3]).not.toBe(keys[0]);
  });

  test('is retried under the key of Send Only Once Per', async () => {
    const keys = announceSend(reset, [500], sent);
    await expect(send(withKey)).resolves.toMatchObject({ id: message.sample.id, already_sent: false });
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), keys[0], keys[0]]);
  });

  test.each([...lasting, ...refusals.map((status): Fault => [`${status}`, [status, '{}']])])(
    "isn't retried after %s",
    async (_fault, reply) => {
      const keys = announceSend(reply);
      await expect(send(withKey)).rejects.toBeInstanceOf(Error);
      expect(keys).toHaveLength(1);
    },
  );

  test.each(unknown)(
    'halts when its outcome stays unknown, since Autoreplay repeats errors: %s',
    async (_fault, reply) => {
      const keys = announceSend(reply);
      await expect(send()).rejects.toMatchObject({
        name: 'HaltedError',
        message: expect.stringMatching(/\. The request may have succeeded, so check before you try again\.$/),
      });
      expect(keys).toHaveLength(attempts);
    },
  );

  test.each(unknown)(
    'with Send Only Once Per fails when its outcome stays unknown, since a replay is safe: %s',
    async (_fault, reply) => {
      announceSend(reply);
      await expect(send(withKey)).rejects.toMatchObject({
        name: 'AppError',
        message: expect.stringContaining(
          '. The request may have succeeded, but you can replay the run safely within 24 hours of the first try.',
        ),
      });
    },
  );

  test.each([...passing, ...lasting])('fails and says that nothing was sent after %s', async (_fault, reply) => {
    const failed = {
      name: 'AppError',
      message: expect.stringContaining('. Nothing was sent or changed, so you can try again later.'),
    };
    announceSend(reply);
    await expect(send()).rejects.toMatchObject(failed);
    await expect(send(withKey)).rejects.toMatchObject(failed);
  });

  describe('whose first response is lost', () => {
    const later: [what: string, reply: Reply, words: string][] = [
      ['401', [401, '{}'], "The messaging service didn't confirm this request (status 401)."],
      ['403', [403, '{}'], "The messaging service didn't confirm this request (status 403)."],
      ...['insufficient_scope', 'plan_required'].map((code): [string, Reply, string] => [
        `403 with the code ${code}`,
        [403, JSON.stringify({ error: { code, message: 'No' } })],
        "The messaging service didn't confirm this request (status 403).",
      ]),
      ['429', [429, '{}'], "The messaging service didn't confirm this request (status 429)."],
      ['a page at another address', [404, '<html>'], "The messaging service didn't confirm this request (status 404)."],
      ['a redirect', [308], "The messaging service didn't confirm this request (status 308)."],
      ['503', [503], "The messaging service failed (status 503). This isn't caused by your Zap."],
      ['a refused connection', refused, 'The connection to the messaging service failed before a complete response'],
    ];

    const proxied: (typeof later)[number] = [
      '451',
      [451, 'No'],
      "The messaging service didn't confirm this request (status 451).",
    ];

    test.each([...later, proxied])('halts after %s, which says nothing about it', async (_what, reply, words) => {
      announceSend(reset, reply);
      await expect(send()).rejects.toMatchObject({
        name: 'HaltedError',
        message: expect.stringMatching(/\. The request may have succeeded, so check before you try again\.$/),
      });
      nock.cleanAll();
      announceSend(reset, reply);
      await expect(send()).rejects.toThrow(words);
    });

    test.each(later.filter(([what]) => what !== '401'))(
      "with Send Only Once Per doesn't halt after %s, nor says that nothing was sent",
      async (_what, reply) => {
        announceSend(reset, reply);
        await expect(send(withKey)).rejects.toMatchObject({
          name: expect.stringMatching(/^(App|Throttled)Error$/),
          message: expect.not.stringMatching(/nothing was sent( or changed)?\./i),
        });
      },
    );

    test('with Send Only Once Per halts after 401, since a run that waits to reconnect may outlive the key', async () => {
      announceSend(reset, [401, '{"error": {"code": "invalid_token", "message": "No"}}']);
      await expect(send(withKey)).rejects.toMatchObject({
        name: 'HaltedError',
        message:
          "The messaging service didn't confirm this request (status 401). It may have succeeded. Reconnect this account, then replay the run within 24 hours of the first try, and nothing is sent twice.",
      });
    });

    test.each([400, 404, 409, 410, 422])(
      'is unknown after %i without a code that the contract knows',
      async (status) => {
        for (const body of ['{}', '{"error": {"code": "duplicate", "message": "Sent already"}}']) {
          const reason = `The messaging service didn't confirm this request (status ${status}). The request may have succeeded, `;
          announceSend(reset, [status, body]);
          await expect(send()).rejects.toMatchObject({
            name: 'HaltedError',
            message: `${reason}so check before you try again.`,
          });
          nock.cleanAll();
          announceSend(reset, [status, body]);
          await expect(send(withKey)).rejects.toMatchObject({
            name: 'AppError',
            message: expect.stringContaining(
              `${reason}but you can replay the run safely within 24 hours of the first try`,
            ),
          });
          nock.cleanAll();
        }
      },
    );

    test('halts with the reason when the service then refuses it, since it had not acted', async () => {
      announceSend(reset, [422, '{"error": {"code": "recipient_opted_out", "message": "No"}}']);
      await expect(send()).rejects.toMatchObject({
        name: 'HaltedError',
        message: expect.stringContaining('this person has opted out of messages, so nothing was sent'),
      });
    });
  });

  test.each([302, 303])('halts after %i, which may follow a success', async (status) => {
    announceSend([status]);
    await expect(send()).rejects.toMatchObject({
      name: 'HaltedError',
      message: `The messaging service didn't confirm this request (status ${status}). The request may have succeeded, so check before you try again.`,
    });
  });

  test('halts after a redirect that looks like a verdict', async () => {
    announceSend([302, '{"error": {"code": "not_found", "message": "Gone"}}']);
    await expect(send()).rejects.toMatchObject({ name: 'HaltedError' });
  });

  test.each([301, 307, 308])('fails after %i, which sends to another address instead', async (status) => {
    announceSend([status]);
    await expect(send()).rejects.toThrow('leads to another one');
  });

  test('waits while the service still works on an earlier attempt', async () => {
    const keys = announceSend(reset, running, running, sent);
    await expect(send()).resolves.toMatchObject({ id: message.sample.id });
    expect(new Set(keys).size).toBe(1);
  });

  test('that the service never finishes halts, or with Send Only Once Per lets Zapier retry', async () => {
    announceSend(running);
    await expect(send()).rejects.toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining(
        "didn't confirm this request (status 409). The request may have succeeded, so check",
      ),
    });
    await expect(send(withKey)).rejects.toMatchObject({ name: 'ThrottledError' });
  });
});

describe('a change', () => {
  test.each(passing)('is retried after %s', async (_fault, reply) => {
    const requests = announce('updateContact', { id: '101' }, reply, [
      200,
      toResponse('getContact', 200, contact.sample),
    ]);
    await expect(change()).resolves.toEqual(reachable(contact.sample));
    expect(requests).toEqual([undefined, undefined]);
  });

  test.each(unknown)("halts and isn't retried when it may have succeeded: %s", async (_fault, reply) => {
    const requests = announce('updateContact', { id: '101' }, reply);
    await expect(change()).rejects.toMatchObject({ name: 'HaltedError' });
    expect(requests).toHaveLength(1);
  });
});

describe('a deletion', () => {
  test.each([...unknown, ...passing])('is retried after %s', async (_fault, reply) => {
    const requests = announce('deleteContact', { id: '101' }, reply, [204]);
    await expect(remove()).resolves.toEqual({ id: '101', deleted: true });
    expect(requests).toHaveLength(2);
  });

  test.each([404, 410])('whose response was lost succeeds when the record is gone (%i)', async (status) => {
    announce('deleteContact', { id: '101' }, reset, [status, '{"error": {"code": "not_found", "message": "Gone"}}']);
    await expect(remove()).resolves.toEqual({ id: '101', deleted: true });
  });

  test('of what was never there halts, also after a moment without a connection', async () => {
    announce('deleteContact', { id: '101' }, refused, notFound);
    await expect(remove()).rejects.toThrow(
      "Contact: the messaging service doesn't have this record, perhaps because it was deleted.",
    );
  });

  test.each(unknown)('halts when its outcome stays unknown: %s', async (_fault, reply) => {
    announce('deleteContact', { id: '101' }, reply);
    await expect(remove()).rejects.toMatchObject({ name: 'HaltedError' });
  });
});

describe('a repeat that the service recognizes', () => {
  const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);
  const replay = (created: number, clock = 0): Reply => [
    202,
    toResponse('sendMessage', 202, { ...message.sample, created_at: secondsAgo(created).toISOString() }),
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
    announceSend(...replies());
    await expect(send(withKey)).resolves.toMatchObject({ already_sent });
  });

  test("isn't a repeat of another step without Send Only Once Per", async () => {
    announceSend(reset, replay(60));
    await expect(send()).resolves.toMatchObject({ already_sent: false });
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
    (await nextRequest()).response.end(toResponse('getWorkspace', 200, workspace.sample));
    await expect(step).resolves.toEqual(testedAccount);
  });

  test("that doesn't respond to a send is asked again under its key, and then the step halts", async () => {
    const halted = expect(sendTo(connection())).rejects.toMatchObject({
      name: 'HaltedError',
      message:
        "The messaging service didn't respond in time. The request may have succeeded, so check before you try again.",
    });
    await hang(10_000, 10_000, 3_000);
    await halted;
    expect(asked).toEqual(Array(3).fill(pathOf('sendMessage')));
  });

  test('gives a change, which is sent once, the whole time of the step', async () => {
    const inputData = { contact: '101', first_name: 'X' };
    const step = runStep('creates.update_contact.operation.perform', { authData: connection(), inputData });
    const { response } = await nextRequest();
    jest.advanceTimersByTime(20_000);
    response.writeHead(200).end(toResponse('updateContact', 200, contact.sample));
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
    response.end(toResponse('listTemplates', 200, { data: [{ name: 'hello' }] }));
    await failed;
    expect(asked).toEqual(Array(2).fill(`${pathOf('listTemplates')}?name=hello&channel=whatsapp&limit=100`));
  });

  test('that takes seconds to say 503 is not asked again with too little time left to know the outcome', async () => {
    const failed = expect(sendTo(connection())).rejects.toThrow(
      'Nothing was sent or changed, so you can try again later.',
    );
    for (let request = 0; request < 2; request += 1) {
      const { response } = await nextRequest();
      jest.advanceTimersByTime(9_000);
      response.writeHead(503, { 'retry-after': '1' }).end();
    }
    await failed;
    expect(asked).toHaveLength(2);
  });

  test('has 23 s for all requests of a step together', async () => {
    const inputData = { phone: '+12025550123' };
    const step = runStep('searches.find_conversation.operation.perform', { authData: connection(), inputData });
    const failed = expect(step).rejects.toThrow("didn't respond in time.");
    const lists = [
      toResponse('listContacts', 200, { data: [contact.sample], next_cursor: null }),
      toResponse('listConversations', 200, { data: [conversation.sample], next_cursor: null }),
    ];
    for (const list of lists) {
      const { response } = await nextRequest();
      jest.advanceTimersByTime(9_000);
      response.end(list);
    }
    await hang(5_000);
    await failed;
    expect(asked).toHaveLength(3);
  });

  test('has 5 s in all to clean up after a send, however many requests that takes', async () => {
    const inputData = { channel: 'whatsapp', template: 'hello', to: '+12025550123' };
    const path = 'creates.send_message_and_wait.operation.perform';
    const halted = expect(runStep(path, { authData: connection(), inputData })).rejects.toThrow(
      "The message was sent, but the Zap can't wait for the reply",
    );
    const none = toResponse('listWebhooks', 200, { data: [], next_cursor: null });
    (await nextRequest()).response.end(none);
    (await nextRequest()).response.end(toResponse('sendMessage', 202, message.sample));
    const { request } = await nextRequest();
    const created = z.object({ url: z.string() }).parse(fromWire(endpoints.createWebhook.body, await json(request)));
    jest.advanceTimersByTime(10_000);
    await hang(10_000, 3_000);
    const { response } = await nextRequest();
    jest.advanceTimersByTime(4_000);
    const own = { ...webhook.sample, ...created, secret: undefined };
    response.end(toResponse('listWebhooks', 200, { data: [own], next_cursor: null }));
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
