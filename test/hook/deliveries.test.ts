/** Deliveries: many events at once, repeats, and bursts of messages. */

import timers from 'node:timers/promises';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { events } from '../../src/api/events';
import { pathOf } from '../support/calls';
import { deliveryOf, signed, subscribeData } from '../support/deliveries';
import { type Call, serveRpc } from '../support/rpc';
import { authData, toResponse } from '../support/service';
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

const started = z.array(z.looseObject({ id: z.string() }));

/** Returns the ids of the records that started a Zap. */
const idsOf = (records: unknown): string[] => started.parse(records).map(({ id }) => id);

describe('many events', () => {
  const type = 'message.received';

  type Respond = (id: string, before: number) => number;

  const path = new RegExp(`^${pathOf('getMessage', { id: 'ID' }).replace('ID', '([^/]+)')}$`);

  /** Serves messages by their ids. `statusOf` gets the id and how often it was asked for before. */
  const serveMessages = (statusOf: Respond) => {
    const { answer } = createCache();
    const asked = new Map<string, number>();
    let [atOnce, most] = [0, 0];
    const respond = async ({ url }: { url: string }): Promise<Response> => {
      const id = path.exec(url)?.[1] ?? '';
      const before = asked.get(id) ?? 0;
      asked.set(id, before + 1);
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise(setImmediate);
      atOnce -= 1;
      const status = statusOf(id, before);
      const body = status === 200 ? toResponse('getMessage', status, { ...events[type].sample, id }) : '{}';
      return new Response(body, { status });
    };
    /** Receives a delivery. Returns the ids of the started records. */
    const receive = async (delivered: object[]): Promise<string[]> => {
      const bundle = { authData, subscribeData, ...signed(delivered) };
      const edge = { respond, cache: cacheOf(answer) };
      return idsOf(await runAlone('triggers.message_received.operation.perform', bundle, edge));
    };
    return { asked, most: () => most, receive };
  };

  /** What can happen to an event, with the responses to the requests for its record. */
  const kinds = {
    whole: [],
    thin: [200],
    'thin, and read at the third attempt': [500, 429, 200],
    gone: [404],
    failing: [500],
    refused: [422],
    broken: [],
  } satisfies Record<string, number[]>;
  type Kind = keyof typeof kinds;

  const readable: readonly Kind[] = ['whole', 'thin', 'thin, and read at the third attempt'];

  const eventOf = (kind: Kind, id: string): object => {
    const event = deliveryOf(type, { id }, `evt_${id}`);
    if (kind === 'whole') return event;
    return { ...event, data: kind === 'broken' ? { text: 'no id' } : { id } };
  };

  const names = Object.keys(kinds) as Kind[];
  const batch = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 8 });
  /** Which events each delivery holds, and their order. */
  const deliveries = fc.array(fc.infiniteStream(fc.nat({ max: 99 })), { minLength: 1, maxLength: 2 });

  const statusOf = (kind: Kind, before: number): number => kinds[kind][before] ?? kinds[kind].at(-1) ?? 404;

  interface Event {
    kind: Kind;
    id: string;
  }

  /** Makes deliveries of the same events. Returns how often each was started, and what each delivery should have done. */
  const deliver = async (chosen: Kind[], orders: Iterable<Iterator<number>>) => {
    const all: Event[] = chosen.map((kind, index) => ({ kind, id: `${index}` }));
    const { receive } = serveMessages((id, before) => statusOf(all[Number(id)]?.kind ?? 'gone', before));
    const runs = new Map<string, number>();
    const delivered = new Set<string>();
    for (const order of orders) {
      const drawn = all.map((event) => ({ event, at: order.next().value as number }));
      // A later delivery may leave out some.
      const kept = drawn
        .filter(({ at }) => delivered.size === 0 || at < 80)
        .toSorted((one, other) => one.at - other.at);
      const payload = kept.map(({ event }) => event);
      if (payload.length === 0) continue;
      const started = await receive(payload.map(({ kind, id }) => eventOf(kind, id))).catch(
        (error: Error): string[] => {
          // Only a delivery that starts nothing fails.
          const isBroken = payload.every(({ kind }) => kind === 'broken');
          expect(isBroken || payload.some(({ kind }) => ['failing', 'refused'].includes(kind))).toBe(true);
          expect(error.message).toContain('messaging service');
          return [];
        },
      );
      for (const id of started) runs.set(id, (runs.get(id) ?? 0) + 1);
      for (const { id } of payload) delivered.add(id);
      for (const { kind, id } of payload) {
        expect(started.includes(id) && !readable.includes(kind)).toBe(false);
        expect(runs.has(id)).toBe(readable.includes(kind));
      }
    }
    return runs;
  };

  // A busy machine takes longer for 500 records than a step has.
  let clock: jest.SpyInstance;
  beforeEach(() => {
    clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  });
  afterEach(() => clock.mockRestore());

  test('every readable event starts the Zap once, whatever happens to the others and however often all are repeated', async () => {
    await fc.assert(
      fc.asyncProperty(batch, deliveries, async (chosen, orders) => {
        const runs = await deliver(chosen, orders);
        expect([...runs.values()].filter((times) => times !== 1)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  test('reads 40 records ten at a time, each once, and gives them in the order of their events', async () => {
    const { asked, most, receive } = serveMessages(() => 200);
    const ids = Array.from({ length: 40 }, (_, index) => String(index));
    await expect(receive(ids.map((id) => eventOf('thin', id)))).resolves.toEqual(ids);
    expect([asked.size, Math.max(...asked.values()), most()]).toEqual([40, 1, 10]);
  });

  test('goes on where it stopped when the service reports more events than a step has time to read', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => String(index));
    const started = Date.now();
    const { receive } = serveMessages((id) => {
      if (id === '10') clock.mockReturnValue(started + 60_000);
      return 200;
    });
    const delivered = ids.map((id) => eventOf('thin', id));
    const first = await receive(delivered);
    expect(first.length).toBeGreaterThan(9);
    expect(first.length).toBeLessThan(30);
    clock.mockReturnValue(started);
    const second = await receive(delivered);
    expect([...first, ...second]).toEqual(ids);
  });

  test('says that there are more events than a step has time to read when those that it read start nothing', async () => {
    const started = Date.now();
    const { receive } = serveMessages(() => {
      clock.mockReturnValue(started + 60_000);
      return 404;
    });
    const delivered = Array.from({ length: 30 }, (_, index) => eventOf('thin', String(index)));
    await expect(receive(delivered)).rejects.toThrow(
      'The messaging service reported more events at once than this step can read. Replay the run to read the others.',
    );
  });
});

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

  test("without Zapier's cache, a delivery still starts the Zap", async () => {
    await expect(receiveOnCore(event)).resolves.toEqual(started);
  });

  test('a slow cache holds no run back for over a second, and lets a repeat start no other one', async () => {
    const [asked, limit, released] = [Promise.withResolvers(), Promise.withResolvers(), Promise.withResolvers()];
    const sleep = jest.spyOn(timers, 'setTimeout');
    sleep.mockImplementationOnce((_ms, value) => limit.promise.then(() => value));
    const { answer } = createCache();
    const receive = receiverOf(async (call) => {
      if (call.method === 'zcache_set') asked.resolve(null);
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
    const { answer } = createCache();
    const bothRead = Promise.withResolvers<void>();
    let reads = 0;
    const { stop } = serveRpc(async (call) => {
      if (call.method === 'zcache_set') return bothRead.promise.then(() => answer(call));
      reads += 1;
      if (reads === 2) bothRead.resolve();
      return answer(call);
    });
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

  test.each(['', ' ', 'evt_other'])('the same message under the event id %j starts the Zap once', async (id) => {
    const receive = receiverOf(createCache().answer);
    await expect(receive(event)).resolves.toHaveLength(1);
    const both = [{ ...event, id }, deliveryOf('message.read', { id: 'msg_2' }, id)];
    await expect(receive(both)).resolves.toHaveLength(1);
  });

  test.each(['', ' '])('a conversation opens again under the blank event id %j, but for its repeat', async (id) => {
    const receive = receiverOf(createCache().answer, 'conversation_opened');
    const opened = (minute: number) => ({
      ...deliveryOf('conversation.opened', {}, id),
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

  test('many events are looked up at once, and the slow ones hold up no others', async () => {
    const { answer } = createCache();
    const many = Array.from({ length: 60 }, (_, index) => deliveryOf('message.read', { id: `msg_${index}` }));
    await expect(receiverOf(answer)(many)).resolves.toHaveLength(many.length);
    const allAsked = Promise.withResolvers<void>();
    const asked = new Set<unknown>();
    const receive = receiverOf(async (call) => {
      if (asked.add(call.params[0]).size === many.length) allAsked.resolve();
      if (asked.size <= 20) await allAsked.promise;
      return answer(call);
    });
    await expect(receive(many)).resolves.toEqual([]);
  });
});

describe('bursts', () => {
  const label = 'At Most Once per Conversation Every';

  /** Receives a delivery. Returns the ids of the messages that start the Zap. */
  const receive = async (answer: Answer, delivered: object[], minutes_apart: unknown): Promise<string[]> =>
    idsOf(
      await runTrigger('message_received', answer, {
        subscribeData,
        inputData: { minutes_apart },
        ...signed(delivered),
      }),
    );

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
          const expected = messages.flatMap(({ place, id }) => {
            const before = last.get(place);
            if (before !== undefined && at - before < minutes) return [];
            last.set(place, at);
            return [id];
          });
          expect(ids.toSorted()).toEqual(expected.toSorted());
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

  test.each([undefined, null, ''])('with %j in the field, every message starts the Zap', async (minutes) => {
    const [delivery] = await tell([{ later: 0, places: [0, 0, 1] }], minutes);
    expect(delivery?.started).toHaveLength(3);
  });

  test('two messages at the same moment start the Zap once', async () => {
    const { answer } = createCache();
    const bothRead = Promise.withResolvers<void>();
    let reads = 0;
    const slow: Answer = async (call) => {
      const read = answer(call);
      if (call.method === 'zcache_get' && ++reads >= 4) bothRead.resolve();
      if (call.method === 'zcache_get' && reads > 2) await bothRead.promise;
      return read;
    };
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
