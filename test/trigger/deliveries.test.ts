/** Deliveries: repeats, and bursts of messages. */

import timers from 'node:timers/promises';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { events } from '../../src/api/events';
import { deliveryOf, signed, subscribeData } from '../support/deliveries';
import { type Call, serveRpc } from '../support/rpc';
import { authData } from '../support/service';
import { triggered } from '../support/triggered';
import { runAlone, runStep } from '../support/zapier';

type Answer = (call: Pick<Call, 'method' | 'params'>) => unknown;

/** Returns `z.cache` with what answers its calls. */
const cacheOf = (answer: Answer) => ({
  get: async (...params: unknown[]) => answer({ method: 'zcache_get', params }),
  set: async (...params: unknown[]) => answer({ method: 'zcache_set', params }),
});

const runTrigger = (key: string, answer: Answer, bundle: object): Promise<unknown> =>
  runAlone(`triggers.${key}.operation.perform`, { authData, ...bundle }, { cache: cacheOf(answer) });

/** Zapier's cache, which keeps a value as long as it's asked to, and the first one if it's asked to. `now` is in minutes. */
const createCache = () => {
  const kept = new Map<unknown, { value: unknown; until: number }>();
  const cache = { now: 0, kept, answer: (_: Parameters<Answer>[0]): unknown => null };
  const read = (key: unknown): unknown => {
    const { value = null, until = 0 } = kept.get(key) ?? {};
    return until > cache.now ? value : null;
  };
  const write = ([key, value, seconds, _scope, isFirstOnly]: unknown[]): boolean =>
    !(isFirstOnly && read(key) !== null) && Boolean(kept.set(key, { value, until: cache.now + Number(seconds) / 60 }));
  cache.answer = ({ method, params }) => (method === 'zcache_set' ? write(params) : read(params[0]));
  return cache;
};

/** Holds the reads from one to another, counted from 1, until all of them were made. */
const readTogether = (answer: Answer, first: number, last: number): Answer => {
  const allRead = Promise.withResolvers<void>();
  let reads = 0;
  return async (call) => {
    const value = answer(call);
    if (call.method !== 'zcache_get') return value;
    reads += 1;
    if (reads === last) allRead.resolve();
    if (reads >= first) await allRead.promise;
    return value;
  };
};

const started = z.array(z.looseObject({ id: z.string() }));

/** Returns the ids of the records that started a Zap. */
const idsOf = (records: unknown): string[] => started.parse(records).map(({ id }) => id);

/** Returns a signing secret made of a word. */
const secretOf = (word: string): string => `whsec_${Buffer.from(word.repeat(24)).toString('base64')}`;

describe('repeats', () => {
  const event = deliveryOf('message.read');
  const started = [triggered(events['message.read'].sample)];

  /** Runs the trigger on core with Zapier's cache, which `serveRpc` serves. */
  const receiveOnCore = (delivered: object): Promise<unknown> => {
    const bundle = { authData, subscribeData, ...signed(delivered) };
    const path = 'triggers.message_status_updated.operation.perform';
    return runStep(path, bundle, { rpcUrl: 'https://rpc.zapier.com/cli' });
  };

  /** Returns what receives events as one delivery. */
  const receiverOf =
    (answer: Answer, key = 'message_status_updated') =>
    (delivered: object) =>
      runTrigger(key, answer, { subscribeData, ...signed(delivered) });

  test('a slow cache holds no run back for over a second, and lets a repeat start no other one', async () => {
    const [asked, limit, released] = [Promise.withResolvers(), Promise.withResolvers(), Promise.withResolvers()];
    const sleep = jest.spyOn(timers, 'setTimeout');
    sleep.mockImplementationOnce((_ms, value) => limit.promise.then(() => value));
    const { answer } = createCache();
    const receive = receiverOf(async (call) => {
      asked.resolve(null);
      await released.promise;
      return answer(call);
    });
    const run = receive(event);
    await asked.promise;
    expect(sleep.mock.lastCall?.[0]).toBe(1_000);
    limit.resolve(null);
    await expect(run).resolves.toEqual(started);
    released.resolve(null);
    await expect(receive(event)).resolves.toEqual([]);
  });

  test('a delivery that comes twice at the same moment starts the Zap once', async () => {
    const { stop } = serveRpc(readTogether(createCache().answer, 1, 2));
    const results = await Promise.all([receiveOnCore(event), receiveOnCore(event)]);
    expect(results.toSorted()).toEqual([[], started]);
    await expect(receiveOnCore(event)).resolves.toEqual([]);
    stop();
  });

  test('what the cache keeps for a day shows nothing of an event and its secret', async () => {
    const { kept, answer } = createCache();
    const { stop } = serveRpc(answer);
    await receiveOnCore(event);
    stop();
    const mark = { value: expect.stringMatching(/^"[0-9a-f-]{36}"$/), until: 24 * 60 };
    expect([...kept]).toEqual([[expect.stringMatching(/^[0-9a-f]{64}$/), mark]]);
  });

  test('a delivery starts the Zap when its own write is said to be somebody else’s, as after a lost answer', async () => {
    const { answer } = createCache();
    const receive = receiverOf((call) => (call.method === 'zcache_set' ? !answer(call) : answer(call)));
    await expect(receive(event)).resolves.toEqual(started);
  });

  test('an event of another type is another event, although it has the same id', async () => {
    const receive = receiverOf(createCache().answer);
    await expect(receive(deliveryOf('message.delivered', {}, 'evt_1'))).resolves.toHaveLength(1);
    await expect(receive(deliveryOf('message.read', {}, 'evt_1'))).resolves.toHaveLength(1);
  });

  test.each([' ', 'evt_other'])('the same message under the event id %j starts the Zap once', async (id) => {
    const receive = receiverOf(createCache().answer);
    await expect(receive(event)).resolves.toHaveLength(1);
    await expect(receive({ ...event, id })).resolves.toEqual([]);
    await expect(receive(deliveryOf('message.read', { id: 'msg_2' }, id))).resolves.toHaveLength(1);
  });

  test('a conversation opens again under a blank event id, but for its repeat', async () => {
    const receive = receiverOf(createCache().answer, 'conversation_opened');
    const opened = (minute: number) => ({
      ...deliveryOf('conversation.opened', {}, ' '),
      created_at: `2026-06-12T10:0${minute}:00Z`,
    });
    await expect(receive(opened(1))).resolves.toHaveLength(1);
    await expect(receive(opened(1))).resolves.toEqual([]);
    await expect(receive(opened(2))).resolves.toHaveLength(1);
  });

  test.each([
    ['whose ids and events give the same text together', { id: '501' }, '11', { id: '5011' }, '1'],
    ['with one id, of two accounts', { secret: secretOf('one') }, '11', { secret: secretOf('other') }, '11'],
  ])('two webhooks %s are two', async (_what, one, event, other, otherEvent) => {
    const { answer } = createCache();
    const open = (changes: object, id: string) => {
      const kept = { ...subscribeData, ...changes };
      return runTrigger('conversation_opened', answer, {
        subscribeData: kept,
        ...signed(deliveryOf('conversation.opened', {}, id), { secret: kept.secret }),
      });
    };
    await expect(open(one, event)).resolves.toHaveLength(1);
    await expect(open(other, otherEvent)).resolves.toHaveLength(1);
    await expect(open(other, otherEvent)).resolves.toEqual([]);
  });
});

describe('bursts', () => {
  const label = 'At Most Once per Conversation Every';

  /** Receives deliveries, one after another. Returns the ids of the messages that start the Zap. */
  const receive = async (answer: Answer, delivered: object[], minutes_apart: unknown): Promise<string[]> => {
    const ids: string[] = [];
    for (const each of delivered) {
      const bundle = { subscribeData, inputData: { minutes_apart }, ...signed(each) };
      ids.push(...idsOf(await runTrigger('message_received', answer, bundle)));
    }
    return ids;
  };

  /** What a service says of the conversation that a message is in. Each is another one, although they share an id. */
  const places = [
    { conversation_id: '5' },
    { conversation_id: '6' },
    { conversation_id: null, contact: { id: '5' } },
    { conversation_id: null, contact: null, from: '+12025550123' },
    { conversation_id: null, contact: null, from: '+12025550187' },
  ];

  /** Deliveries, each some minutes after the one before, of messages in some of the places. */
  const story = fc.array(
    fc.record({
      later: fc.nat({ max: 12 }),
      places: fc.array(fc.nat({ max: places.length - 1 }), { minLength: 1, maxLength: 4 }),
    }),
    { maxLength: 4 },
  );

  /** Lets a story happen. Returns what each delivery had and what it started. */
  const tell = async (told: { later: number; places: number[] }[], minutes: unknown, answer?: Answer) => {
    const cache = createCache();
    let count = 0;
    const deliveries = [];
    for (const { later, places: written } of told) {
      cache.now += later;
      const messages = written.map((place) => ({ place, id: `msg_${count++}` }));
      const events = messages.map(({ place, id }) => deliveryOf('message.received', { ...places[place], id }));
      deliveries.push({ at: cache.now, messages, started: await receive(answer ?? cache.answer, events, minutes) });
    }
    return deliveries;
  };

  test('of each conversation, the first message starts the Zap, then none until the time is over, whoever else writes', async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.integer({ min: 1, max: 15 }), async (told, minutes) => {
        const last = new Map<number, number>();
        for (const { at, messages, started: ids } of await tell(told, minutes)) {
          const isDue = ({ place }: { place: number }) => at - (last.get(place) ?? Number.NEGATIVE_INFINITY) >= minutes;
          const firsts = new Map(
            messages
              .filter(isDue)
              .toReversed()
              .map(({ place, id }) => [place, id]),
          );
          for (const place of firsts.keys()) last.set(place, at);
          expect(ids.toSorted()).toEqual([...firsts.values()].toSorted());
        }
      }),
      { numRuns: 60 },
    );
  });

  test.each<[string, Answer]>([
    ['answers null', () => null],
    [
      'fails',
      () => {
        throw new Error('broken');
      },
    ],
    ['fails to write', ({ method }) => (method === 'zcache_get' ? null : 'unknown')],
  ])('when the cache %s, every message starts the Zap, as without the field', async (_what, answer) => {
    const told = [
      { later: 0, places: [0, 0, 1, 2] },
      { later: 1, places: [0, 3] },
    ];
    for (const { messages, started: ids } of await tell(told, 5, answer)) {
      expect(ids.toSorted()).toEqual(messages.map(({ id }) => id).toSorted());
    }
  });

  test.each([undefined, ''])('with %j in the field, every message starts the Zap', async (minutes) => {
    const [delivery] = await tell([{ later: 0, places: [0, 0, 1] }], minutes);
    expect(delivery?.started).toHaveLength(3);
  });

  test('two messages at the same moment start the Zap once', async () => {
    // The first two reads ask whether the event is a repeat.
    const slow = readTogether(createCache().answer, 3, 4);
    const send = (id: string) => receive(slow, [deliveryOf('message.received', { ...places[0], id })], 5);
    const both = await Promise.all([send('msg_1'), send('msg_2')]);
    expect(both.flat()).toHaveLength(1);
  });

  test.each([
    ['1441', '1441 is out of range. Enter a number of minutes from 1 to 1440.'],
    ['soon', `"soon" isn't a whole number.`],
  ])('a Zap with %s in the field cannot be turned on', async (minutes_apart, words) => {
    const bundle = { authData, inputData: { minutes_apart }, targetUrl: 'https://hooks.zapier.com/1' };
    const turnedOn = runStep('triggers.message_received.operation.performSubscribe', bundle);
    await expect(turnedOn).rejects.toThrow(`${label}: ${words}`);
  });
});
