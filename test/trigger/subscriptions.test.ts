/** Turning a Zap on and off: its webhook, and until when that lasts. */

import nock from 'nock';
import * as z from 'zod/mini';
import { webhook } from '../../src/api/resources';
import { readRenewal } from '../../src/trigger/webhook';
import { subscribeData } from '../support/deliveries';
import { type Bundle, runTrigger } from '../support/run-trigger';
import { expectCall, recordCalls } from '../support/service';

const targetUrl = 'https://hooks.example.com/standard/1/a/';

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

  test.each(['2026-07-01T10:00:00Z', '2026-07-01T12:00:00.000+02:00', '1782900000', ' 1782900000000\n'])(
    'a webhook that expires at %j is renewed at that moment',
    (text) => {
      expect(readRenewal(text)).toBe('2026-07-01T10:00:00.000Z');
    },
  );

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

  test.each([
    [tomorrow / 1000, { expiration_date: iso(tomorrow) }],
    // It never needs a renewal.
    [null, {}],
  ])('a Zap is turned on when its webhook expires at %j', async (expires_at, renewal) => {
    const { kept, isDeleted } = await turnOn(expires_at);
    expect(kept).toEqual({ id: webhook.sample.id, secret: expect.any(String), ...renewal });
    expect(isDeleted).toBe(false);
  });

  test.each<[unknown]>([[iso(now)], ['in 30 days'], [0], [{ at: iso(tomorrow) }]])(
    'a Zap isn’t turned on, and its webhook is deleted, when that expires at %j',
    async (expires_at) => {
      const { kept, error, isDeleted } = await turnOn(expires_at);
      expect(kept).toBeUndefined();
      expect(error).toContain(unclear);
      expect(isDeleted).toBe(true);
    },
  );
});

const step = (name: string, bundle: Bundle) => runTrigger('message_received', name, bundle);
const subscribe = (bundle: Bundle = {}) => step('performSubscribe', { targetUrl, ...bundle });
const unsubscribe = (kept?: object) => step('performUnsubscribe', { targetUrl, subscribeData: { id: '', ...kept } });

describe('turning a Zap on', () => {
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

  test.each([undefined, '???'])('with the secret %j leaves nothing behind and says why', async (secret) => {
    expectCall('createWebhook').reply(201, { ...webhook.sample, secret });
    expectCall('deleteWebhook', { id: webhook.sample.id }).reply(204);
    await expect(subscribe()).rejects.toThrow('sent no signing secret');
  });
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

test('the test step stops before it lists anything, and says why, when webhooks are refused', async () => {
  const error = { code: 'plan_required', message: 'No', required_plan: 'advanced' };
  expectCall('listWebhooks').reply(403, { error, request_id: 'req_1' });
  await expect(step('performList', {})).rejects.toThrow(
    /Instant triggers .+ need the Advanced plan\. .+ work on the Growth plan\./,
  );
});
