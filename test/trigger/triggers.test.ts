/** Instant and polling triggers: subscribing, signatures, filters and test records. */

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import nock from 'nock';
import * as z from 'zod/mini';
import { signatureHeaders } from '../../lab/sandbox/webhooks/signature';
import app from '../../src';
import { type EventName, events } from '../../src/api/events';
import { deliveryHeaders, standardWebhooks, timedSignature } from '../../src/api/presets';
import { campaign, contact, message, vocabulary, webhook } from '../../src/api/resources';
import type { EndpointName, Signature } from '../../src/api/transport';
import { hasSigningKey, isGenuine } from '../../src/trigger/delivery';
import { readRenewal } from '../../src/trigger/webhook';
import { deliveryOf, signed, signedHeaders, subscribeData, toZapierHeader } from '../support/deliveries';
import { expectHalt } from '../support/halt';
import { allowWebhooks, answerChannels, authData, expectCall, recordCalls, toResponse } from '../support/service';
import { reachable, triggered } from '../support/triggered';
import { runAlone, runStep } from '../support/zapier';

type Bundle = Parameters<typeof runStep>[1];

const targetUrl = 'https://hooks.example.com/standard/1/a/';

/** Runs a function of a trigger. */
const runTrigger = (trigger: string, name: string, bundle: Bundle = {}) =>
  runStep(`triggers.${trigger}.operation.${name}`, { authData, ...bundle });

/** Runs the function of a trigger for a delivery, with a cache that forgets, since a message starts a Zap once. */
const receiveAlone = (trigger: string, bundle: object) => {
  const cache = { get: async () => null, set: async () => true };
  return runAlone(`triggers.${trigger}.operation.perform`, { authData, ...bundle }, { cache });
};

describe('subscribing', () => {
  const now = Date.parse('2026-06-11T09:40:12Z');
  // The app asks what time it is, and a Unix time is certain only near the present.
  beforeEach(() => {
    jest.useFakeTimers({ now, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const result = z.looseObject({ id: z.string(), expiration_date: z.optional(z.string()) });

  /** Turns on a Zap whose webhook expires then. Returns what Zapier keeps, the error, and whether the webhook was deleted. */
  const turnOn = async (expires_at: unknown) => {
    expectCall('createWebhook').reply(201, { ...webhook.sample, expires_at });
    const deletions = recordCalls('deleteWebhook', { id: webhook.sample.id }, 204, '');
    const [outcome] = await Promise.allSettled([runTrigger('message_received', 'performSubscribe', { targetUrl })]);
    nock.cleanAll();
    return {
      kept: outcome.status === 'fulfilled' ? result.parse(outcome.value) : undefined,
      error: outcome.status === 'rejected' ? String(outcome.reason.message) : undefined,
      isDeleted: deletions.length > 0,
    };
  };

  const unclear = "didn't say how long this Zap stays connected";

  test.each([
    '2026-07-01T10:00:00Z',
    '2026-07-01T12:00:00.000+02:00',
    '2026-07-01 10:00:00 UTC',
    '1782900000',
    ' 1782900000000\n',
  ])('a webhook that expires at %j is renewed at that moment', (text) => {
    expect(readRenewal(text)).toBe('2026-07-01T10:00:00.000Z');
  });

  test.each([
    '2026-07-01T10:00:00',
    '2026-07-01',
    'Wed, 01 Jul 2026 10:00:00 EST',
    '06/07/2027 10:00 UTC',
    '2027-02-31T10:00:00Z',
    '2592000',
    `2026-07-01T10:00:00Z${' '.repeat(100_000)}2026-07-01T10:00:00Z`,
  ])('it is not certain when a webhook expires that says %.40j', (text) => {
    expect(() => readRenewal(text)).toThrow(unclear);
  });

  const iso = (ms: number): string => new Date(ms).toISOString();
  const tomorrow = now + 24 * 60 * 60_000;

  test.each([iso(tomorrow), tomorrow / 1000])('a Zap is turned on until %j', async (expires_at) => {
    const { kept, isDeleted } = await turnOn(expires_at);
    expect(kept).toEqual({ id: webhook.sample.id, secret: expect.any(String), expiration_date: iso(tomorrow) });
    expect(isDeleted).toBe(false);
  });

  test.each([null, undefined])('a webhook that expires at %j never needs a renewal', async (expires_at) => {
    const { kept } = await turnOn(expires_at);
    expect(kept).toEqual({ id: webhook.sample.id, secret: expect.any(String) });
  });

  test.each<[unknown]>([[iso(now)], ['in 30 days'], [''], [0], [false], [{ at: iso(tomorrow) }], [[iso(tomorrow)]]])(
    'a Zap isn’t turned on, and its webhook is deleted, when that expires at %j',
    async (expires_at) => {
      const { kept, error, isDeleted } = await turnOn(expires_at);
      expect(kept).toBeUndefined();
      expect(error).toContain(unclear);
      expect(isDeleted).toBe(true);
    },
  );
});

describe('hooks', () => {
  const secondSecret = `whsec_${Buffer.from('of the second Zap').toString('base64')}`;

  const signatureHeader = toZapierHeader(deliveryHeaders.signature);

  const event = 'message.received';
  const { sample } = events[event];
  const result = triggered(sample);

  const step = (name: string, bundle: Bundle) => runTrigger('message_received', name, bundle);
  const receive = (request: object, bundle: Bundle = {}) => step('perform', { subscribeData, ...request, ...bundle });
  const subscribe = (bundle: Bundle = {}) => step('performSubscribe', { targetUrl, ...bundle });
  const unsubscribe = (kept?: object) => step('performUnsubscribe', { targetUrl, subscribeData: { id: '', ...kept } });

  describe('turning a Zap on', () => {
    test('subscribes to its own events alone and keeps the id and the secret', async () => {
      const asked = recordCalls('createWebhook', {}, 201, webhook.sample);
      const subscription = z.object({ id: z.literal(webhook.sample.id), secret: z.string() }).parse(await subscribe());
      expect(subscription.secret).toEqual(webhook.sample.secret);
      const url = targetUrl;
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

    test('deletes the webhook whose response was lost, but not the one that a renewal replaces', async () => {
      const now = new Date().toISOString();
      const listed = [
        { id: webhook.sample.id, url: targetUrl, created_at: now },
        { id: 'wh_lost', url: targetUrl, created_at: now },
        { id: 'wh_replaced', url: targetUrl, created_at: '2026-05-13T09:40:12Z' },
        { id: 'wh_other', url: `${targetUrl}2`, created_at: now },
      ];
      const deleted: string[] = [];
      for (const { id } of listed) {
        expectCall('deleteWebhook', { id })
          .interceptor.optionally()
          .reply(() => [204, deleted.push(id) && '']);
      }
      expectCall('createWebhook').reply(502);
      expectCall('createWebhook').reply(201, webhook.sample);
      expectCall('listWebhooks').reply(200, { data: listed });
      await expect(subscribe()).resolves.toMatchObject({ id: webhook.sample.id });
      expect(deleted).toEqual(['wh_lost']);
      nock.cleanAll();
    });

    test('on a plan without webhooks says which plan is needed and what works without it', async () => {
      expectCall('createWebhook').reply(403, { error: { code: 'plan_required', message: 'Upgrade' } });
      await expect(subscribe()).rejects.toThrow(
        /Instant triggers .* need the Advanced plan\. .*New Contact trigger, which work/,
      );
    });

    test('with a token that may not says which scope is needed', async () => {
      expectCall('createWebhook').reply(403, { error: { code: 'insufficient_scope', message: 'No' } });
      await expect(subscribe()).rejects.toThrow('doesn\'t have the scope \\"webhooks:write\\"');
    });

    test.each([undefined, 'whsec_', '???', {}])(
      'with the secret %j leaves nothing behind and says why',
      async (secret) => {
        expectCall('createWebhook').reply(201, { ...webhook.sample, secret });
        expectCall('deleteWebhook', { id: webhook.sample.id }).reply(204);
        await expect(subscribe()).rejects.toThrow('sent no signing secret');
      },
    );
  });

  describe('turning a Zap off', () => {
    test('is content when the webhook is gone already', async () => {
      expectCall('deleteWebhook', { id: '501' }).reply(404, { error: { code: 'not_found', message: 'Gone' } });
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

    test('with header names in any case passes', async () => {
      const { rawRequest } = signed(deliveryOf(event));
      const headers = Object.entries(rawRequest.headers).map(([name, value]) => [name.toLowerCase(), value]);
      await expect(receive({ rawRequest: { ...rawRequest, headers: Object.fromEntries(headers) } })).resolves.toEqual([
        result,
      ]);
    });

    const { rawRequest } = signed(deliveryOf(event));
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
      ['was altered', { rawRequest: { ...rawRequest, content: rawRequest.content.replace(sample.id, '300') } }],
      ['was altered in a space', { rawRequest: { ...rawRequest, content: `${rawRequest.content} ` } }],
      ['is unsigned', { rawRequest: { ...rawRequest, headers: { 'Content-Type': 'application/json' } } }],
      ['has a signature of another kind', withHeader(signatureHeader, 'v1a,AAAA')],
    ])('that %s starts nothing and says why', async (_what, request) => {
      await expect(receive(request)).rejects.toMatchObject(notSigned);
    });

    test.each([undefined, { secret: '' }, { secret: 'whsec_' }])(
      'to a Zap that kept %j starts nothing and says what to do',
      async (kept) => {
        const bundle = { subscribeData: kept && { id: '501', ...kept } };
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
      const several = [[delivery], [delivery, delivery], { events: [delivery] }, []];
      const onlyId = { ...delivery, data: { id: sample.id } };
      for (const body of [{ hello: 1 }, [1], ...several, ...unreadable, onlyId]) {
        await expectHalt(
          receive(signed(body)),
          "The messaging service sent something that this Zap can't read, so the Zap didn't run. If this keeps happening, contact the messaging service's support.",
        );
      }
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

    test('that is genuine, whatever its body, gives records or a sentence', async () => {
      const body = fc.oneof(
        fc.object({ maxDepth: 6 }),
        fc.record({
          id: fc.string(),
          type: fc.constant(event),
          data: fc.object({ key: fc.constantFrom('id', '__proto__', 'channel', 'source', 'text') }),
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

    test('stops before it lists anything, and says why, when webhooks are refused', async () => {
      const error = { code: 'plan_required', message: 'No', required_plan: 'advanced' };
      expectCall('listWebhooks').reply(403, { error, request_id: 'req_1' });
      await expect(step('performList', {})).rejects.toThrow(
        /Instant triggers .+ need the Advanced plan\. .+ work on the Growth plan\./,
      );
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

    test('starts the Zap with null for an optional field of the wrong type, and with any IDs', async () => {
      const data = { id: 7, to: 7, contact: { id: null } };
      const delivered = Object.assign(deliveryOf(event, data), { id: 77, created_at: 5, workspace_id: {} });
      const expected = triggered({ ...sample, id: '7', to: null, contact: null });
      await expect(receive(signed(delivered))).resolves.toEqual([expected]);
    });

    test.each(['', 'soon', '1781267400.evt_2'])('has a time in digits alone, not %j', async (timestamp) => {
      const { rawRequest } = signed(deliveryOf('message.received'));
      const headers = signedHeaders(rawRequest.content, { timestamp });
      await expect(receive({ rawRequest: { ...rawRequest, headers } })).rejects.toThrow('may not come from');
    });
  });
});

describe('signatures', () => {
  const secret = `whsec_${Buffer.from('a key of the service').toString('base64')}`;
  const delivery = { id: 'evt_1', timestamp: '1781267400', body: '{"id":"evt_1"}' };

  /** Signs the delivery with each of the secrets. */
  type Sign = (secrets: readonly string[]) => Record<string, string>;
  const hmac = (text: string, by: string) => createHmac('sha256', by).update(text).digest('hex');
  const timed: Sign = (secrets) => ({ 'x-signature': `t=1,v1=${hmac(`1.${delivery.body}`, secrets.at(-1) ?? '')}` });

  const schemes: [what: string, scheme: Signature, sign: Sign][] = [
    ['the contract', standardWebhooks, (secrets) => signatureHeaders(delivery, secrets)],
    ['a service that signs the time and the body in one header', timedSignature('x-signature'), timed],
  ];

  describe.each(schemes)('a signature of %s', (_what, scheme, sign) => {
    const headers = sign([secret]);
    const check = (content: string, given: Record<string, string> = headers, by = secret) =>
      isGenuine({ content, headers: given }, by, scheme);

    test('is genuine as the sandbox makes it', () => {
      expect(check(delivery.body)).toBe(true);
    });

    test('is genuine next to one by an earlier secret', () => {
      expect(check(delivery.body, sign(['whsec_b2xk', secret]))).toBe(true);
    });

    test('is not genuine for another body, another secret or none', () => {
      expect(check(`${delivery.body} `)).toBe(false);
      expect(check(delivery.body, headers, 'whsec_b3RoZXI=')).toBe(false);
      expect(check(delivery.body, sign(['']), '')).toBe(false);
    });

    test('is not genuine without one of its headers, or with another', () => {
      for (const name of Object.keys(headers)) {
        for (const other of ['', '1']) expect(check(delivery.body, { ...headers, [name]: other })).toBe(false);
      }
    });
  });

  test('a secret without a key can sign nothing', () => {
    for (const [, scheme] of schemes) {
      expect(hasSigningKey(secret, scheme)).toBe(true);
      expect(hasSigningKey('', scheme)).toBe(false);
    }
  });

  test('a signature by the contract is genuine after one of a later version, which is not read', () => {
    const headers = signatureHeaders(delivery, [secret]);
    const ours = headers[deliveryHeaders.signature] ?? '';
    const check = (signatures: string) =>
      isGenuine({ content: delivery.body, headers: { ...headers, [deliveryHeaders.signature]: signatures } }, secret);
    const later = ours.replace(/^v1,/, 'v2,');
    expect(later).not.toBe(ours);
    expect(check(`v2,AAAA ${ours}`)).toBe(true);
    expect(check(`${later} ${ours}`)).toBe(true);
    expect(check(later)).toBe(false);
  });
});

describe('senders', () => {
  const senders = ['colleague', 'ai', 'automation', 'campaign', 'api'];

  const defaults: Record<string, string[]> = {
    message_sent: ['colleague', 'automation'],
    message_status_updated: ['colleague', 'ai', 'automation', 'api'],
  };

  const field = z.object({ key: z.string() });

  /** Every trigger whose form has Sent By, and the senders that an empty field means. */
  const triggers = Object.values(app.triggers)
    .filter(({ operation }) =>
      operation.inputFields?.some((each: unknown) => field.safeParse(each).data?.key === 'sources'),
    )
    .map(({ key }) => ({ key, byDefault: defaults[key] ?? [] }));

  const asked = z.object({
    events: z.tuple([z.enum(vocabulary.event)], z.string()),
    filters: z.optional(z.object({ source: z.optional(z.array(z.string())) })),
  });

  const kept = z.looseObject({ id: z.string(), secret: z.string() });

  type Trigger = (typeof triggers)[number];

  /** Turns on a Zap. Returns what was asked for, and what Zapier keeps. */
  const turnOn = async (trigger: string, sources: string[]) => {
    const { secret } = subscribeData;
    const requests = recordCalls('createWebhook', {}, 201, { ...webhook.sample, secret });
    const bundle = { inputData: { sources }, targetUrl };
    const subscription = kept.parse(await runTrigger(trigger, 'performSubscribe', bundle));
    return { asked: asked.parse(requests[0]?.body), subscription };
  };

  /** What a message says about its sender. Undefined leaves the field out. */
  const source = fc.constantFrom(...vocabulary.source, 'robot', undefined, null, '', ' ');

  const sendersInForce = (sources: string[], { byDefault }: Trigger): string[] => {
    if (sources.length === 0) return byDefault;
    return sources.length === senders.length ? [] : sources;
  };

  const says = {
    name: 'HaltedError',
    message: expect.stringMatching(
      /^The messaging service doesn't say who sent this message, so the Zap didn't start\./,
    ),
  };

  test('three triggers let people choose senders', () => {
    expect(triggers.map(({ key }) => key).toSorted()).toEqual([
      'message_failed',
      'message_sent',
      'message_status_updated',
    ]);
  });

  const choice = fc.subarray(senders);
  const anyTrigger = fc.constantFrom(...triggers);

  interface Case {
    trigger: Trigger;
    sources: string[];
    given: string | null | undefined;
    /** Another choice since the Zap was turned on. Zapier may run a changed form with the old subscription. */
    changed: string[] | null;
  }

  const anyCase: fc.Arbitrary<Case> = fc.record({
    trigger: anyTrigger,
    sources: choice,
    given: source,
    changed: fc.option(choice, { freq: 2 }),
  });

  /** The cases that matter most. */
  const examples = triggers.map((trigger): [Case] => [
    {
      trigger,
      sources: ['colleague'],
      given: undefined,
      changed: trigger.key === 'message_sent' ? ['campaign'] : null,
    },
  ]);

  test('a Zap starts for wanted senders, and for unknown ones only when it wants all', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async ({ trigger, sources, given, changed }) => {
        const wanted = sendersInForce(sources, trigger);
        const { asked, subscription } = await turnOn(trigger.key, sources);
        expect(asked.filters?.source ?? []).toEqual(wanted);
        const message = signed(deliveryOf(asked.events[0], { source: given }));
        const bundle = { subscribeData: subscription, inputData: { sources: changed ?? sources } };
        const received = receiveAlone(trigger.key, { ...bundle, ...message });

        const inForce = changed ? sendersInForce(changed, trigger) : wanted;
        const isStarted = inForce.length === 0 || inForce.includes(given ?? '');
        const otherwise = given?.trim() ? [] : expect.objectContaining(says);
        expect(await received.catch((error: unknown) => error)).toEqual(isStarted ? [expect.anything()] : otherwise);
      }),
      { numRuns: 80, examples },
    );
  });

  describe('a message without a sender', () => {
    const type = 'message.sent';
    const unknown = deliveryOf(type, { id: 'msg_unknown', source: undefined });
    const receive = (delivered: object, inputData: object = {}) =>
      runTrigger('message_sent', 'perform', { subscribeData, inputData: { ...inputData }, ...signed(delivered) });

    test('starts nothing without a word when it passes no other filter', async () => {
      await expect(receive(unknown, { channel: 'sms' })).resolves.toEqual([]);
      await expect(receive(deliveryOf(type, { direction: 'inbound', source: null }))).resolves.toEqual([]);
      await expect(receive(deliveryOf('message.read', { source: null }))).resolves.toEqual([]);
    });

    test('is not taken for a repeat later', async () => {
      await expect(receive(unknown)).rejects.toMatchObject(says);
      const named = deliveryOf(type, { id: 'msg_unknown', source: 'colleague' });
      await expect(receive(named)).resolves.toHaveLength(1);
    });
  });
});

describe('filters', () => {
  interface Case {
    trigger: string;
    what: string;
    inputData: Record<string, unknown>;
    event: EventName;
    /** What the service is asked to watch and to let through. */
    asked: { events?: EventName[]; filters?: Record<string, string[]> };
    /** What a record has to be like to pass, or not to. */
    passes: object[];
    isHeldBack: object[];
    /** What the test step asks for. */
    list: [call: EndpointName, query: Record<string, string | readonly string[]>];
  }

  const cases: Case[] = [
    {
      trigger: 'message_received',
      what: 'a channel',
      inputData: { channel: ' whatsapp ' },
      event: 'message.received',
      asked: { filters: { channel: ['whatsapp'] } },
      passes: [{ channel: 'whatsapp' }, { channel: 'WhatsApp' }, { channel: undefined }],
      isHeldBack: [{ channel: 'sms' }, { channel: null }, { direction: 'outbound' }],
      list: ['listMessages', { direction: 'inbound', channel: 'whatsapp' }],
    },
    {
      trigger: 'message_received',
      what: 'words, any of which will do, in any case',
      inputData: { contains: ['REFUND', 'money back'] },
      event: 'message.received',
      asked: {},
      passes: [{ text: 'A refund please' }, { text: 'I want my Money\nBack!' }, { text: 'Rembourse\u0301: refund' }],
      isHeldBack: [{ text: 'Thank you' }, { text: 'money, back' }, { text: 'refunded' }, { text: '' }, { text: null }],
      list: ['listMessages', { direction: 'inbound' }],
    },
    {
      trigger: 'message_received',
      what: 'a word that has to be the whole message',
      inputData: { contains: ['stop'], match: 'Is exactly the word or phrase' },
      event: 'message.received',
      asked: {},
      passes: [{ text: ' STOP ' }],
      isHeldBack: [{ text: 'Please stop' }, { text: 'nonstop' }],
      list: ['listMessages', { direction: 'inbound' }],
    },
    {
      trigger: 'message_sent',
      what: 'nothing, which leaves out the API and campaigns, so that a Zap cannot feed itself',
      inputData: {},
      event: 'message.sent',
      asked: { filters: { source: ['colleague', 'automation'] } },
      passes: [{ source: 'colleague' }, { source: 'automation' }],
      isHeldBack: [{ source: 'api' }, { source: 'campaign' }],
      list: ['listMessages', { direction: 'outbound' }],
    },
    {
      trigger: 'message_status_updated',
      what: 'nothing, which watches delivered, read and failed, and leaves out campaigns',
      inputData: {},
      event: 'message.read',
      asked: {
        events: ['message.delivered', 'message.read', 'message.failed'],
        filters: { source: ['colleague', 'ai', 'automation', 'api'] },
      },
      passes: [{}],
      isHeldBack: [{ source: 'campaign', campaign_id: '401' }],
      list: ['listMessages', { direction: 'outbound', status: ['delivered', 'read', 'failed'] }],
    },
    {
      trigger: 'message_status_updated',
      what: 'delivered alone, as which a message counts that was read at once',
      inputData: { statuses: ['delivered'] },
      event: 'message.read',
      asked: {
        events: ['message.delivered', 'message.read'],
        filters: { source: ['colleague', 'ai', 'automation', 'api'] },
      },
      passes: [{ status: 'delivered', delivered_at: null }],
      isHeldBack: [{ source: 'campaign' }],
      list: ['listMessages', { direction: 'outbound', status: 'delivered' }],
    },
    {
      trigger: 'message_status_updated',
      what: 'a campaign, which lets its messages through',
      inputData: { campaign: '401' },
      event: 'message.read',
      asked: {
        events: ['message.delivered', 'message.read', 'message.failed'],
        filters: { campaign_id: ['401'] },
      },
      passes: [{ source: 'campaign', campaign_id: '401' }],
      isHeldBack: [{ source: 'campaign', campaign_id: '402' }, { source: 'api' }],
      list: ['listMessages', { direction: 'outbound', status: ['delivered', 'read', 'failed'] }],
    },
    ...(
      [
        ['message_status_updated', 'message.read'],
        ['message_failed', 'message.failed'],
      ] as const
    ).map<Case>(([trigger, event]) => ({
      trigger,
      what: 'who sent the message, and a campaign',
      inputData: { sources: ['A colleague', 'campaign'], campaign: '401', statuses: ['read'] },
      event,
      asked: { filters: { source: ['colleague', 'campaign'], campaign_id: ['401'] } },
      passes: [{ source: 'campaign', campaign_id: '401' }],
      isHeldBack: [
        { source: 'api', campaign_id: '401' },
        { source: 'campaign', campaign_id: '402' },
        { source: 'campaign', campaign_id: null },
        { source: 'campaign', campaign_id: '401', direction: 'inbound' },
      ],
      list: ['listMessages', { direction: 'outbound', status: event.slice('message.'.length) }],
    })),
    ...(['opened', 'closed', 'reopened'] as const).map<Case>((word) => ({
      trigger: `conversation_${word}`,
      what: 'a channel',
      inputData: { channel: 'sms' },
      event: `conversation.${word}`,
      asked: { filters: { channel: ['sms'] } },
      passes: [{ channel: 'sms' }],
      isHeldBack: [{ channel: 'whatsapp' }],
      list: ['listConversations', { status: word === 'closed' ? 'closed' : 'open', channel: 'sms' }],
    })),
    ...(
      [
        ['started', ['sending', 'completed']],
        ['completed', 'completed'],
        ['failed', 'failed'],
      ] as const
    ).map<Case>(([word, status]) => ({
      trigger: `campaign_${word}`,
      what: 'a campaign',
      inputData: { campaign: '401' },
      event: `campaign.${word}`,
      asked: { filters: { campaign_id: ['401'] } },
      passes: [{ id: '401' }],
      isHeldBack: [{ id: '402' }],
      list: ['listCampaigns', { status }],
    })),
  ];

  /** Announces the requests by which a trigger finds out whether its channel and campaign exist. */
  const answerFilters = (inputData: object) => {
    if ('channel' in inputData) answerChannels();
    if ('campaign' in inputData) expectCall('getCampaign', { id: '401' }).reply(200, { ...campaign.sample, id: '401' });
  };

  describe.each(cases)('$trigger with $what', ({ trigger, inputData, event, asked, passes, isHeldBack, list }) => {
    const step = (name: string, bundle: Bundle) => runTrigger(trigger, name, { inputData, ...bundle });
    const recordOf = (data: object) => ({ ...events[event].sample, ...data });

    test('asks the service for no more', async () => {
      const targetUrl = 'https://hooks.example.com/1/';
      answerFilters(inputData);
      const requests = recordCalls('createWebhook', {}, 201, webhook.sample);
      await expect(step('performSubscribe', { targetUrl })).resolves.toHaveProperty('id');
      // A service that doesn't sign gets a secret in the address.
      const url = expect.stringMatching(/^https:\/\/hooks\.example\.com\/1\/(\?secret=\w+)?$/);
      expect(requests.map(({ body }) => body)).toEqual([{ url, events: [event], ...asked }]);
    });

    test('holds back what the service delivers all the same', async () => {
      const receive = (data: object) =>
        receiveAlone(trigger, { inputData, subscribeData, ...signed(deliveryOf(event, data)) });
      for (const data of passes) await expect(receive(data)).resolves.toEqual([triggered(recordOf(data))]);
      for (const data of isHeldBack) await expect(receive(data)).resolves.toEqual([]);
    });

    test('lists only what would pass, in one request for them', async () => {
      allowWebhooks();
      const [call, query] = list;
      const data = [...isHeldBack, ...passes].map(recordOf);
      expectCall(call, { query: { ...query, limit: 100 } }).reply(200, { data });
      await expect(step('performList', {})).resolves.toEqual(passes.map((each) => triggered(recordOf(each))));
    });
  });

  const named = [
    ['message_received', 'message.received', { channel: 'WHATSAPP business' }, { channel: 'whatsapp' }],
    ['conversation_opened', 'conversation.opened', { channel: 'Sms' }, { channel: 'sms' }],
    ['message_failed', 'message.failed', { campaign: 'summer SALE' }, { campaign_id: '402' }],
    ['campaign_started', 'campaign.started', { campaign: 'summer SALE' }, { id: '402' }],
  ] as const;

  const answerCampaigns = (id: string) => {
    expectCall('getCampaign', { id }).reply(404, { error: { code: 'not_found', message: 'No' } });
    const names = ['Winter Sale', 'Summer Sale', 'Twin', 'twin'];
    const data = names.map((name, index) => ({ ...campaign.sample, id: `40${index + 1}`, name }));
    expectCall('listCampaigns').reply(200, { data });
  };

  /** Announces the requests by which a trigger finds out which channel or campaign has that name. */
  const answerNamed = (inputData: { channel: string } | { campaign: string }) => {
    if ('channel' in inputData) answerChannels();
    else answerCampaigns(inputData.campaign);
  };

  test.each(named)('%s takes what a person calls a channel or campaign', async (trigger, event, inputData, record) => {
    answerNamed(inputData);
    const [asked] = [recordCalls('createWebhook', {}, 201, webhook.sample)];
    const kept = await runTrigger(trigger, 'performSubscribe', {
      targetUrl: 'https://hooks.example.com/1/',
      inputData,
    });
    const [[name = '', value]] = Object.entries(record) as [[string, string]];
    const filter = { [name === 'id' ? 'campaign_id' : name]: [value] };
    expect(asked).toMatchObject([{ body: { filters: filter } }]);
    const bundle = { inputData, subscribeData: { ...(kept as object), secret: subscribeData.secret } };
    const receive = (data: object) => receiveAlone(trigger, { ...bundle, ...signed(deliveryOf(event, data)) });
    await expect(receive(record)).resolves.toHaveLength(1);
    await expect(receive({ ...record, [name]: 'other' })).resolves.toEqual([]);
  });

  test.each([
    [
      { channel: 'telegram' },
      `Channel: "telegram" isn't one of the choices. Choose one of these: WhatsApp Business; sms.`,
    ],
    [{ campaign: 'Autumn' }, `Campaign: "Autumn" isn't one of the choices. Choose one of these: Winter Sale; Summer`],
    [{ campaign: 'Twin' }, 'Campaign: several are called "'],
  ])('a Zap that would stay deaf is not turned on: %j', async (inputData, words) => {
    const stops = async (name: string) => {
      answerNamed(inputData);
      await expectHalt(runTrigger('message_failed', name, { inputData }), expect.stringContaining(words));
    };
    await stops('performSubscribe');
    allowWebhooks();
    expectCall('listMessages').reply(200, { data: [] });
    await stops('performList');
  });

  test('a read message whose delivery has an event of its own starts no Zap for delivered messages again', async () => {
    const inputData = { statuses: ['delivered'] };
    const receive = (event: EventName, data: object) =>
      runStep('triggers.message_status_updated.operation.perform', {
        authData,
        inputData,
        subscribeData,
        ...signed(deliveryOf(event, data)),
      });
    const delivered_at = '2026-06-11T09:40:15Z';
    await expect(receive('message.read', { delivered_at })).resolves.toEqual([]);
    await expect(receive('message.read', { delivered_at: null })).resolves.toHaveLength(1);
    // The service may report its delivery later, with a record that says by now that it was read.
    const late = { status: 'read', delivered_at };
    await expect(receive('message.delivered', late)).resolves.toEqual([]);
    await expect(receive('message.delivered', { ...late, id: 'msg_other' })).resolves.toHaveLength(1);
  });

  test('a status that is none is refused by the name of its field, before any request', async () => {
    const inputData = { statuses: ['teleported'] };
    for (const name of ['performSubscribe', 'performList']) {
      await expectHalt(
        runStep(`triggers.message_status_updated.operation.${name}`, { authData, inputData }),
        'New Status: "teleported" isn\'t one of the choices. Choose one of these: Sent; Delivered; Read; Failed.',
      );
    }
  });

  test.each([{ channel: { key: 'sms' } }, { channel: 7 }, { direction: 2 }])(
    'holds back a payload that has %j where the filter expects text',
    async (data) => {
      const bundle = { authData, inputData: { channel: 'whatsapp' }, subscribeData };
      const request = signed(deliveryOf('message.received', data));
      const received = runStep('triggers.message_received.operation.perform', { ...bundle, ...request });
      await expect(received).resolves.toEqual([]);
    },
  );
});

describe('test records', () => {
  const run = (trigger: string, bundle: Bundle = {}) => runTrigger(trigger, 'perform', bundle);

  const other = { ...contact.sample, id: '102' };

  describe('new_contact', () => {
    test('gives up to 100 contacts, newest first, in one request, since Zapier pages only through dropdowns', async () => {
      const data = [other, contact.sample];
      expectCall('listContacts', { query: { limit: 100 } }).reply(200, { data, next_cursor: 'c1' });
      await expect(run('new_contact')).resolves.toEqual(data.map(reachable));
      expect(app.triggers.new_contact?.operation).not.toHaveProperty('canPaginate');
    });

    const addedAt = (from: number, to: number, created_at: string) =>
      Array.from({ length: to - from }, (_, index) => ({ ...contact.sample, id: `con_${from + index}`, created_at }));
    const now = new Date().toISOString();

    test('gives all 120 contacts of an import, and reads no page more than it needs', async () => {
      const pages = [addedAt(0, 100, now), [...addedAt(100, 120, now), contact.sample]];
      expectCall('listContacts', { query: { limit: 100 } }).reply(200, { data: pages[0], next_cursor: 'p2' });
      expectCall('listContacts', { query: { limit: 100, after: 'p2' } }).reply(200, {
        data: pages[1],
        next_cursor: 'p3',
      });
      await expect(run('new_contact')).resolves.toHaveLength(121);
    });

    const serveNew = (pages: number, size: number) => {
      const respond = ({ url }: { url: string }) => {
        const page = Number(new URL(url, authData.base_url).searchParams.get('after') ?? 0);
        const data = addedAt(page * size, (page + 1) * size, page < pages ? now : '2020-01-01T00:00:00Z');
        return new Response(toResponse({ data, next_cursor: String(page + 1) }));
      };
      const cache = { get: async () => null, set: async () => true };
      return runAlone('triggers.new_contact.operation.perform', { authData }, { respond, cache });
    };

    test.each([
      [15, 100],
      [49, 100],
      [60, 20],
    ])('gives all contacts of an import of %i pages of %i', async (pages, size) => {
      await expect(serveNew(pages, size)).resolves.toHaveLength((pages + 1) * size);
    });

    test('fails aloud when an import is more than it can read', async () => {
      await expect(serveNew(60, 100)).rejects.toThrow('More contacts were added in a day than this trigger can read');
    });

    test('in a test in the editor, reads one page', async () => {
      expectCall('listContacts', { query: { limit: 100 } }).reply(200, {
        data: addedAt(0, 100, now),
        next_cursor: 'p2',
      });
      await expect(run('new_contact', { meta: { isLoadingSample: true } })).resolves.toHaveLength(100);
    });

    test('gives all contacts when one has an optional field of the wrong type, and a cursor that is a number', async () => {
      const odd = { ...other, language: [5], attributes: { size: 1 }, tags: [1, 2] };
      expectCall('listContacts', { query: { limit: 100 } }).reply(200, { data: [odd, contact.sample], next_cursor: 2 });
      const readable = { ...odd, language: null, attributes: { size: '1' }, tags: ['1', '2'] };
      await expect(run('new_contact')).resolves.toEqual([readable, contact.sample].map(reachable));
    });

    /** Announces a list in which an ID isn't spelled as the contract says. */
    const expectListed = (id: string) => {
      const listed = toResponse({ data: [contact.sample, { ...other, id: '4242' }] });
      expectCall('listContacts').reply(200, listed.replace(/"?4242"?/, id));
    };

    test('keeps every digit of an ID that is a long number', async () => {
      expectListed('1234567890123456789');
      await expect(run('new_contact')).resolves.toMatchObject([{}, { id: '1234567890123456789' }]);
    });

    test('leaves out a contact that has no valid ID', async () => {
      expectListed('{}');
      await expect(run('new_contact')).resolves.toEqual([contact.sample].map(reachable));
    });
  });

  describe('contact_opted_out', () => {
    const consent = 'opted_out';
    const ago = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();
    const optedOut = (id: string, consent_changed_at: string | null) => ({
      ...contact.sample,
      id,
      consent,
      consent_changed_at,
    });
    const [today, yesterday, lastMonth, unknown] = [
      optedOut('1', ago(0)),
      optedOut('2', ago(1)),
      optedOut('3', ago(31)),
      optedOut('4', null),
    ];

    test('reads every page, because anyone may opt out, and gives those of the last week, the latest first', async () => {
      expectCall('listContacts', { query: { consent, limit: 100 } }).reply(200, {
        data: [yesterday, { ...contact.sample, id: '9' }, lastMonth],
        next_cursor: 'c1',
      });
      expectCall('listContacts', { query: { consent, limit: 100, after: 'c1' } }).reply(200, {
        data: [today, unknown],
      });
      await expect(run('contact_opted_out')).resolves.toEqual([unknown, today, yesterday].map(reachable));
    });

    test('in a test in the editor, also gives those who opted out long ago', async () => {
      expectCall('listContacts').reply(200, { data: [lastMonth, today] });
      await expect(run('contact_opted_out', { meta: { isLoadingSample: true } })).resolves.toEqual(
        [today, lastMonth].map(reachable),
      );
    });

    test('starts again for a person who opts out again', () => {
      const { outputFields = [] } = app.triggers.contact_opted_out?.operation ?? {};
      const primary = outputFields.filter((each) => 'primary' in each).map((each) => 'key' in each && each.key);
      expect(primary).toEqual(['id', 'consent_changed_at']);
    });

    const manyPages = 60;
    const serve = () => {
      const asked: number[] = [];
      const respond = ({ url }: { url: string }) => {
        const page = Number(new URL(url, authData.base_url).searchParams.get('after') ?? 0);
        asked.push(page);
        const at = page === 55 ? ago(1) : ago(30);
        const data = Array.from({ length: 100 }, (_, index) => optedOut(`${page}-${index}`, at));
        return new Response(toResponse({ data, next_cursor: page + 1 < manyPages ? String(page + 1) : null }));
      };
      return { asked, respond };
    };

    test('goes on at the next poll where one of 5,000 ended, and then begins again', async () => {
      const { asked, respond } = serve();
      const kept = new Map<unknown, unknown>();
      const cache = {
        get: async (key: unknown) => kept.get(key) ?? null,
        set: async (key: unknown, value: unknown) => Boolean(kept.set(key, value)),
      };
      const poll = () => runAlone('triggers.contact_opted_out.operation.perform', { authData }, { respond, cache });
      await expect(poll()).resolves.toEqual([]);
      await expect(poll()).resolves.toHaveLength(100);
      expect(asked).toEqual(Array.from({ length: manyPages }, (_, page) => page));
      await poll();
      expect(asked.slice(manyPages, manyPages + 1)).toEqual([0]);
    });

    test('says that it would miss someone when it can remember no place to go on', async () => {
      const { asked, respond } = serve();
      const fail = () => Promise.reject(new Error('No cache'));
      const edge = { respond, cache: { get: fail, set: fail } };
      const polled = runAlone('triggers.contact_opted_out.operation.perform', { authData }, edge);
      await expect(polled).rejects.toThrow('More than 5000 contacts have opted out');
      expect(asked).toHaveLength(50);
    });
  });

  test('a test step reads on after an empty page with a cursor', async () => {
    allowWebhooks();
    const query = { direction: 'outbound', status: 'failed', limit: 100 };
    const failed = { ...message.sample, status: 'failed' };
    expectCall('listMessages', { query }).reply(200, { data: [], next_cursor: 'c1' });
    expectCall('listMessages', { query: { ...query, after: 'c1' } }).reply(200, { data: [failed] });
    const listed = runStep('triggers.message_failed.operation.performList', { authData });
    await expect(listed).resolves.toEqual([triggered(failed)]);
  });
});
