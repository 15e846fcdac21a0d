import fc from 'fast-check';
import nock from 'nock';
import * as z from 'zod/mini';
import { events } from '../../src/api/events';
import { webhook } from '../../src/api/resources';
import { deliveryHeaders, signature } from '../../src/api/service';
import { deliveryOf, signed, signedHeaders, subscribeData, testSigned, toZapierHeader } from '../support/deliveries';
import { allowWebhooks, authData, expectCall, recordCalls } from '../support/service';
import { triggered } from '../support/triggered';
import { runStep } from '../support/zapier';

type Bundle = Parameters<typeof runStep>[1];

const targetUrl = 'https://hooks.example.com/standard/1/a/';
const secondSecret = `whsec_${Buffer.from('of the second Zap').toString('base64')}`;

const connectionReset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

const signatureHeader = toZapierHeader(deliveryHeaders.signature);

const event = 'message.received';
const { sample } = events[event];
const result = triggered(sample);

const step = (name: string, bundle: Bundle) =>
  runStep(`triggers.message_received.operation.${name}`, { authData, ...bundle });
const receive = (request: object, bundle: Bundle = {}) => step('perform', { subscribeData, ...request, ...bundle });
const subscribe = (bundle: Bundle = {}) => step('performSubscribe', { targetUrl, ...bundle });
const unsubscribe = (kept?: object) => step('performUnsubscribe', { targetUrl, subscribeData: { id: '', ...kept } });

describe('turning a Zap on', () => {
  test('subscribes to its own events alone and keeps the id and the secret', async () => {
    const asked = recordCalls('createWebhook', {}, 201, webhook.sample);
    const subscription = z.object({ id: z.literal(webhook.sample.id), secret: z.string() }).parse(await subscribe());
    expect(subscription.secret).toEqual(signature ? webhook.sample.secret : expect.stringMatching(/^[0-9a-f]{64}$/));
    const url = signature ? targetUrl : `${targetUrl}?secret=${subscription.secret}`;
    expect(asked).toMatchObject([{ body: { url, events: [event] } }]);
  });

  test('retries with the same key when the service fails, and uses a new key the next time', async () => {
    const asked = recordCalls('createWebhook', {}, 503, '<html>');
    for (const _ of ['the second try', 'the next time']) {
      recordCalls('createWebhook', {}, 201, webhook.sample, asked);
      await subscribe();
    }
    const [first, second, next] = asked.map(({ headers }) => headers['idempotency-key']);
    expect(second).toBe(first);
    expect(next).not.toBe(first);
  });

  test.each([{ required_plan: 'advanced' }, {}])(
    'on a plan without webhooks says which plan is needed and what works without it: %j',
    async (named) => {
      const error = { code: 'plan_required', message: 'Upgrade', ...named };
      expectCall('createWebhook').reply(403, { error });
      await expect(subscribe()).rejects.toThrow(
        /Instant triggers .* need the Advanced plan\. .*New Contact trigger, which work/,
      );
    },
  );

  test.each([{ required_scope: 'webhooks:write' }, {}])(
    'with a token that may not says which scope is needed: %j',
    async (named) => {
      const error = { code: 'insufficient_scope', message: 'No', ...named };
      expectCall('createWebhook').reply(403, { error });
      await expect(subscribe()).rejects.toThrow('doesn\'t have the scope \\"webhooks:write\\"');
    },
  );

  testSigned.each([undefined, null, '', 'whsec_', 'whsec_AA==', '???', 12, {}])(
    'with the secret %j leaves nothing behind and says why',
    async (secret) => {
      expectCall('createWebhook').reply(201, { ...webhook.sample, secret });
      expectCall('deleteWebhook', { id: webhook.sample.id }).reply(204);
      await expect(subscribe()).rejects.toThrow("didn't say how this Zap can recognize its events");
    },
  );
});

describe('turning a Zap off', () => {
  test('is content when the webhook is gone already', async () => {
    expectCall('deleteWebhook', { id: '501' }).reply(404, { error: { code: 'not_found', message: 'Gone' } });
    await expect(unsubscribe(subscribeData)).resolves.toEqual({ id: '501' });
  });

  test('deletes the webhook although the service fails at first', async () => {
    expectCall('deleteWebhook', { id: '501' }).reply(503, '<html>');
    expectCall('deleteWebhook', { id: '501' }).reply(204);
    await expect(unsubscribe(subscribeData)).resolves.toEqual({ id: '501' });
  });

  test('is content when the service deleted the webhook, but its response got lost', async () => {
    expectCall('deleteWebhook', { id: '501' }).interceptor.replyWithError(connectionReset);
    expectCall('deleteWebhook', { id: '501' }).reply(404, { error: { code: 'not_found', message: 'Gone' } });
    await expect(unsubscribe(subscribeData)).resolves.toEqual({ id: '501' });
  });

  test('is content when the service says that the webhook is gone for good', async () => {
    expectCall('deleteWebhook', { id: '501' }).reply(410, {});
    await expect(unsubscribe(subscribeData)).resolves.toEqual({ id: '501' });
  });

  test('is content when there is no webhook to remove', async () => {
    await expect(unsubscribe()).resolves.toBeDefined();
  });
});

describe('a delivery', () => {
  test('that is genuine starts the Zap with its whole record', async () => {
    await expect(receive(signed(deliveryOf(event)))).resolves.toEqual([result]);
  });

  test('that comes months late starts the Zap, since Zapier holds and replays deliveries', async () => {
    await expect(receive(signed(deliveryOf(event), { at: new Date('2025-01-01') }))).resolves.toEqual([result]);
  });

  testSigned('with several signatures passes when one of them is right', async () => {
    const request = signed(deliveryOf(event));
    const headers: Record<string, string> = request.rawRequest.headers;
    const several = { ...headers, [signatureHeader]: `v1,AAAA v2,xyz ${headers[signatureHeader]}` };
    await expect(receive({ rawRequest: { ...request.rawRequest, headers: several } })).resolves.toEqual([result]);
  });

  test('with header names in any case passes', async () => {
    const { rawRequest } = signed(deliveryOf(event));
    const headers = Object.entries(rawRequest.headers).map(([name, value]) => [name.toLowerCase(), value]);
    await expect(receive({ rawRequest: { ...rawRequest, headers: Object.fromEntries(headers) } })).resolves.toEqual([
      result,
    ]);
  });

  const { rawRequest } = signed(deliveryOf(event));
  const signedHeaderNames = Object.keys(signedHeaders(rawRequest.content));
  const withHeader = (name: string, value: string | undefined) => ({
    rawRequest: { ...rawRequest, headers: { ...rawRequest.headers, [name]: value } },
  });
  const notSigned = {
    name: 'HaltedError',
    message: expect.stringMatching(/^This Zap received something that may not come from the messaging service/),
  };
  test.each<[string, object]>([
    ['is forged', signed(deliveryOf(event), { secret: secondSecret })],
    ['has no raw request', { cleanedRequest: deliveryOf(event) }],
    ['has no headers', { rawRequest: { content: rawRequest.content } }],
  ])('that %s starts nothing and says why', async (_what, request) => {
    await expect(receive(request)).rejects.toMatchObject(notSigned);
  });

  testSigned.each<[string, object]>([
    ['was altered', { rawRequest: { ...rawRequest, content: rawRequest.content.replace(sample.id, '300') } }],
    ['was altered in a space', { rawRequest: { ...rawRequest, content: `${rawRequest.content} ` } }],
    ['is unsigned', { rawRequest: { ...rawRequest, headers: { 'Content-Type': 'application/json' } } }],
    ['has an empty signature', withHeader(signatureHeader, '')],
    ['has a signature of another kind', withHeader(signatureHeader, 'v1a,AAAA')],
    ...signedHeaderNames.flatMap<[string, object]>((name) => [
      [`has another ${name}`, withHeader(name, '1')],
      [`has no ${name}`, withHeader(name, undefined)],
    ]),
  ])('that %s starts nothing and says why', async (_what, request) => {
    await expect(receive(request)).rejects.toMatchObject(notSigned);
  });

  test.each([undefined, {}, { id: '501' }, { id: '501', secret: '' }, { id: '501', secret: 'whsec_' }])(
    'to a Zap that kept %j starts nothing and says what to do',
    async (kept) => {
      const bundle = { subscribeData: kept && { id: '', ...kept } };
      await expect(receive(signed(deliveryOf(event)), bundle)).rejects.toThrow(
        /[Tt]urn (it|the Zap) off and on again\.$/,
      );
    },
  );

  test('of an event that was not asked for starts nothing', async () => {
    const unknown = { ...deliveryOf(event), type: 'message.teleported' };
    const empty = [null, undefined, 'x', [], {}].map((data) => ({ ...unknown, data }));
    for (const delivery of [deliveryOf('message.sent'), unknown, ...empty]) {
      await expect(receive(signed(delivery))).resolves.toEqual([]);
    }
  });

  test('that the service repeats starts the Zap once, and every other Zap that listens once', async () => {
    const delivery = deliveryOf(event);
    await expect(receive(signed(delivery))).resolves.toEqual([result]);
    await expect(receive(signed(delivery, { at: new Date(Date.now() + 60_000) }))).resolves.toEqual([]);
    const other = { subscribeData: { ...subscribeData, id: '502' } };
    await expect(receive(signed(delivery), other)).resolves.toEqual([result]);
  });

  test('that is genuine but not in the agreed form starts nothing and says so', async () => {
    const delivery = deliveryOf(event);
    const unreadable = [null, 'x', [], { text: 'no id' }].map((data) => ({ ...delivery, data }));
    for (const body of [{ hello: 1 }, [1], [null, { hello: 1 }], ...unreadable, unreadable]) {
      await expect(receive(signed(body))).rejects.toMatchObject({
        name: 'HaltedError',
        message:
          "The messaging service sent something that this Zap can't read, so the Zap didn't run. If this keeps happening, contact the messaging service's support.",
      });
    }
  });

  test('starts the Zap for each good event among others that are malformed', async () => {
    const later = { ...deliveryOf(event), data: { ...sample, id: 'msg_2' } };
    const broken = [{ foo: 1 }, null, 1, 'x', [], { ...deliveryOf(event), data: { text: 'no id' } }];
    const request = signed([deliveryOf(event), ...broken, later]);
    await expect(receive(request)).resolves.toEqual([result, { ...result, id: 'msg_2' }]);
  });

  test('keeps fields that the contract does not know', async () => {
    const request = signed(deliveryOf(event, { mood: 'cheerful' }));
    await expect(receive(request)).resolves.toEqual([{ ...result, mood: 'cheerful' }]);
  });

  test.each([
    ['a subscription', { subscribeData }, {}],
    ['a runtime of Zapier', {}, { AWS_LAMBDA_FUNCTION_NAME: 'app' }],
  ])('starts nothing and makes no request with %s and no payload', async (_, bundle, environment) => {
    Object.assign(process.env, environment);
    try {
      await expect(step('perform', bundle)).resolves.toEqual([]);
    } finally {
      for (const name of Object.keys(environment)) delete process.env[name];
    }
  });

  test('makes no request and writes no log line', async () => {
    const lines: string[] = [];
    const log = jest.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
    const requests = jest.fn();
    nock.emitter.on('no match', requests);
    await receive(signed(deliveryOf(event)));
    expect(requests).not.toHaveBeenCalled();
    expect(lines).toEqual([]);
    nock.emitter.off('no match', requests);
    log.mockRestore();
  });

  test('however it is made up, gives records or a sentence, and passes only with the right signature', async () => {
    const content = fc.oneof(fc.string(), fc.json(), fc.constant(rawRequest.content));
    const header = fc.oneof(
      fc.string(),
      fc.constantFrom('v1,', 'v1,AAAA', ...Object.values(rawRequest.headers).slice(1, -1)),
    );
    const names = fc.constantFrom(...Object.keys(rawRequest.headers), '__proto__', 'constructor', 'toString');
    const request = fc.record({ content, headers: fc.dictionary(names, header) });
    await fc.assert(
      fc.asyncProperty(request, async (madeUp) => {
        await expect(receive({ rawRequest: madeUp })).rejects.toMatchObject(notSigned);
      }),
      { numRuns: 50 },
    );
  });

  test('with the id of its record alone starts the Zap with the record, by one request', async () => {
    expectCall('getMessage', { id: sample.id }).reply(200, sample);
    const thin = { ...deliveryOf(event), data: { id: sample.id } };
    await expect(receive(signed(thin))).resolves.toEqual([result]);
  });

  test('about a record that is gone starts nothing', async () => {
    expectCall('getMessage', { id: sample.id }).reply(404, {});
    await expect(receive(signed({ ...deliveryOf(event), data: { id: sample.id } }))).resolves.toEqual([]);
  });

  test('that is genuine, whatever its body, gives records or a sentence', async () => {
    const body = fc.oneof(
      fc.object({ maxDepth: 6 }),
      fc.record({
        id: fc.string(),
        type: fc.constant(event),
        // A record with nothing but its id would be fetched.
        data: fc
          .object({ key: fc.constantFrom('id', '__proto__', 'channel', 'source', 'text') })
          .map((data) => ({ ...data, url: null })),
      }),
    );
    await fc.assert(
      fc.asyncProperty(body, async (data) => {
        const result = await receive(signed(data)).catch((error: Error) => error);
        const isSentence =
          result instanceof Error &&
          /^(This Zap received something that may not|The messaging service sent something that this Zap can't) .+\.$/.test(
            result.message,
          );
        expect(Array.isArray(result) || isSentence).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the test step', () => {
  test('lists real records, newest first, in one request for them, of the shape of a delivery', async () => {
    allowWebhooks();
    const older = { ...sample, id: '391' };
    expectCall('listMessages').reply(200, { data: [sample, older], next_cursor: 'more' });
    const listed = await step('performList', {});
    expect(listed).toEqual([result, triggered(older)]);
    const delivered = await receive(signed(deliveryOf(event)));
    expect(delivered).toEqual([result]);
  });

  test.each([
    [
      403,
      { code: 'plan_required', message: 'No', required_plan: 'advanced' },
      /^Instant triggers .+ need the Advanced plan\. .+ work on the Growth plan\.$/,
    ],
    [403, { code: 'insufficient_scope', message: 'No', required_scope: 'webhooks:write' }, /`?webhooks:write/],
  ])('stops before it lists anything, and says why, when webhooks are refused: %i %j', async (status, error, says) => {
    expectCall('listWebhooks').reply(status, { error, request_id: 'req_1' });
    const { message } = await step('performList', {}).then(
      () => ({ message: '{"message":""}' }),
      (thrown: Error) => thrown,
    );
    expect(JSON.parse(message)).toMatchObject({ message: expect.stringMatching(says) });
  });

  test('lists nothing when there is nothing yet', async () => {
    allowWebhooks();
    expectCall('listMessages').reply(200, { data: [], next_cursor: null });
    await expect(step('performList', {})).resolves.toEqual([]);
  });
});

describe('a genuine delivery', () => {
  test.each<[string, object]>([
    ['no number', { from: null }],
    ['an id of the messaging app in its place', { from: 'US.13491208655302741918' }],
    ['no number, of somebody of whom nothing is known', { from: null, contact: null }],
  ])('with %s starts the Zap, which can tell that the person has no phone number', async (_what, changes) => {
    const contact = { id: 'con_9', phone: null, username: 'lena.m', first_name: null, last_name: null };
    const data = { contact, ...changes };
    await expect(receive(signed(deliveryOf('message.received', data)))).resolves.toEqual([
      { ...triggered({ ...sample, ...data }), has_phone_number: false },
    ]);
  });

  test('starts the Zap with null for an optional field of the wrong type', async () => {
    const delivered = {
      ...deliveryOf('message.received', { to: 7, contact: { id: null } }),
      created_at: 5,
      workspace_id: {},
    };
    const { sample } = events['message.received'];
    await expect(receive(signed(delivered))).resolves.toEqual([triggered({ ...sample, to: null, contact: null })]);
  });

  test('starts the Zap when it begins with a byte order mark', async () => {
    const request = signed(deliveryOf('message.received'), { change: (text) => `\ufeff${text}` });
    await expect(receive(request)).resolves.toHaveLength(1);
  });

  testSigned.each(['', 'soon', '1e9', '-1', '1.5', '1781267400.evt_2', ' 1781267400', '1'.repeat(100)])(
    'has a time in digits alone, not %j',
    async (timestamp) => {
      const { rawRequest } = signed(deliveryOf('message.received'));
      const headers = signedHeaders(rawRequest.content, { timestamp });
      await expect(receive({ rawRequest: { ...rawRequest, headers } })).rejects.toThrow('may not come from');
    },
  );
});

test('a delivery with numbers for ids starts the Zap', async () => {
  const delivered = { ...deliveryOf('message.received', { id: 7 }), id: 77, workspace_id: 42 };
  const request = { subscribeData, ...signed(delivered) };
  await expect(runStep('triggers.message_received.operation.perform', request)).resolves.toMatchObject([{ id: '7' }]);
});
