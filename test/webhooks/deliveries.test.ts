/** Deliveries: many events at once, repeats, and bursts of messages. */

import timers, { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import nock from 'nock';
import * as z from 'zod/mini';
import { type EventName, events } from '../../src/api/events';
import { pathOf } from '../support/calls';
import { deliveryOf, signed, subscribeData } from '../support/deliveries';
import { type Call, serveRpc } from '../support/rpc';
import { authData, expectCall, service, toResponse } from '../support/service';
import { triggered } from '../support/triggered';
import { runStep } from '../support/zapier';

/** Runs a trigger with Zapier's cache, which `serveRpc` serves. */
const runTrigger = (key: string) => (bundle: Parameters<typeof runStep>[1]) =>
  runStep(`triggers.${key}.operation.perform`, bundle, { rpcUrl: 'https://rpc.zapier.com/cli' });

const receiveMessages = runTrigger('message_received');
const receiveStatuses = runTrigger('message_status_updated');
const receiveConversations = runTrigger('conversation_opened');

/** Zapier's cache, which keeps a value as long as it's asked to, and the first one if it's asked to. `now` is in minutes. */
const createCache = () => {
  const kept = new Map<unknown, { value: unknown; until: number }>();
  const cache = { now: 0, kept, answer: (_: Call): unknown => null };
  const read = (key: unknown): unknown => {
    const { value = null, until = 0 } = kept.get(key) ?? {};
    return until > cache.now ? value : null;
  };
  const write = ([key, value, seconds, _scope, isFirstOnly]: unknown[]): boolean =>
    !(isFirstOnly && read(key) !== null) && Boolean(kept.set(key, { value, until: cache.now + Number(seconds) / 60 }));
  cache.answer = ({ method, params }) => (method === 'zcache_set' ? write(params) : read(params[0]));
  return cache;
};

/** Lets the time limit for the cache never pass, so that no test depends on how fast the machine is. */
const stopClock = (): void => {
  let limit: jest.SpyInstance;
  beforeAll(() => {
    limit = jest
      .spyOn(timers, 'setTimeout')
      .mockImplementation((_ms, _value, options) => (options?.signal ? new Promise(() => undefined) : nextTurn()));
  });
  afterAll(() => limit.mockRestore());
};

describe('many events', () => {
  const type = 'message.received';

  /** Receives a delivery. Returns the ids of the started records. */
  const receive = async (delivered: object[]): Promise<string[]> => {
    const started = await receiveMessages({ authData, subscribeData, ...signed(delivered) });
    return z
      .array(z.looseObject({ id: z.string() }))
      .parse(started)
      .map(({ id }) => id);
  };

  /** Serves messages by their ids. `respond` gets the id and how often it was asked for before. */
  const serveMessages = (respond: (id: string, before: number) => number) => {
    const asked = new Map<string, number>();
    const path = new RegExp(`^${pathOf('getMessage', { id: 'ID' }).replace('ID', '([^/]+)')}$`);
    let atOnce = 0;
    let most = 0;
    service()
      .persist()
      .get(path)
      .reply(async (url) => {
        const id = path.exec(url)?.[1] ?? '';
        const before = asked.get(id) ?? 0;
        asked.set(id, before + 1);
        atOnce += 1;
        most = Math.max(most, atOnce);
        await new Promise(setImmediate);
        atOnce -= 1;
        const status = respond(id, before);
        const record = { ...events[type].sample, id };
        return [status, status === 200 ? toResponse('getMessage', status, record) : '{}'];
      });
    return { asked, most: () => most };
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
  const unreadable: readonly Kind[] = ['failing', 'refused'];

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
    serveMessages((id, before) => statusOf(all[Number(id)]?.kind ?? 'gone', before));
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
          expect(isBroken || payload.some(({ kind }) => unreadable.includes(kind))).toBe(true);
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
    nock.cleanAll();
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
        const { stop } = serveRpc(createCache().answer);
        const runs = await deliver(chosen, orders);
        stop();
        expect([...runs.values()].filter((times) => times !== 1)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  test('reads 40 records ten at a time, each once, and gives them in the order of their events', async () => {
    const { asked, most } = serveMessages(() => 200);
    const ids = Array.from({ length: 40 }, (_, index) => String(index));
    await expect(receive(ids.map((id) => eventOf('thin', id)))).resolves.toEqual(ids);
    expect([asked.size, Math.max(...asked.values()), most()]).toEqual([40, 1, 10]);
    nock.cleanAll();
  });

  test('goes on where it stopped when the service reports more events than a step has time to read', async () => {
    const { stop } = serveRpc(createCache().answer);
    const ids = Array.from({ length: 30 }, (_, index) => String(index));
    const started = Date.now();
    serveMessages((id) => {
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
    stop();
    nock.cleanAll();
  });

  test('says that there are more events than a step has time to read when those that it read start nothing', async () => {
    const started = Date.now();
    serveMessages(() => {
      clock.mockReturnValue(started + 60_000);
      return 404;
    });
    const delivered = Array.from({ length: 30 }, (_, index) => eventOf('thin', String(index)));
    await expect(receive(delivered)).rejects.toThrow(
      'The messaging service reported more events at once than this step can read. Replay the run to read the others.',
    );
    nock.cleanAll();
  });
});

describe('repeats', () => {
  const otherSecret = `whsec_${Buffer.from('of the account of a stranger').toString('base64')}`;

  /** Two accounts whose webhooks have one id, and two webhooks that have one secret. */
  const subscriptions = [
    subscribeData,
    { ...subscribeData, secret: otherSecret },
    { ...subscribeData, id: `${subscribeData.id}1` },
  ];

  type Subscription = typeof subscribeData;

  /** Receives events as one delivery. */
  const receive = (delivered: object | object[], subscription: Subscription = subscribeData): Promise<unknown> =>
    receiveStatuses({
      authData,
      subscribeData: subscription,
      ...signed(delivered, { secret: subscription.secret }),
    });

  const event = deliveryOf('message.read');
  const started = [triggered(events['message.read'].sample)];

  test("without Zapier's cache, a delivery still starts the Zap", async () => {
    await expect(receive(event)).resolves.toEqual(started);
  });

  test('a slow cache holds no run back for over a second, and lets a repeat start no other one', async () => {
    const [asked, limit, released] = [Promise.withResolvers(), Promise.withResolvers(), Promise.withResolvers()];
    const sleep = jest.spyOn(timers, 'setTimeout');
    sleep.mockImplementationOnce((_ms, value) => limit.promise.then(() => value));
    const { answer } = createCache();
    const { stop } = serveRpc(async (call) => {
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
    sleep.mockReturnValueOnce(new Promise(() => undefined));
    await expect(receive(event)).resolves.toEqual([]);
    stop();
  });

  describe('with the cache as Zapier keeps it', () => {
    stopClock();
    let stop: () => void;
    const serve = (answer: (call: Call) => unknown): void => {
      ({ stop } = serveRpc(answer));
    };
    afterEach(() => stop());

    test('a delivery that comes twice at the same moment starts the Zap once', async () => {
      const { answer } = createCache();
      const bothRead = Promise.withResolvers<void>();
      let reads = 0;
      serve(async (call) => {
        if (call.method === 'zcache_set') return bothRead.promise.then(() => answer(call));
        reads += 1;
        if (reads === 2) bothRead.resolve();
        return answer(call);
      });
      const results = await Promise.all([receive(event), receive(event)]);
      expect(results.toSorted()).toEqual([[], started]);
      await expect(receive(event)).resolves.toEqual([]);
    });

    test('a delivery is remembered for a day, because the service may repeat it', async () => {
      const remembered: unknown[] = [];
      serve(({ method, params: [, , seconds] }) => {
        if (method === 'zcache_set') remembered.push(seconds);
        return null;
      });
      await receive(event);
      expect(remembered).toEqual([86_400]);
    });

    test('a delivery starts the Zap when its own write is said to be somebody else’s, as after a lost answer', async () => {
      const { answer } = createCache();
      serve((call) => (call.method === 'zcache_set' ? !answer(call) : answer(call)));
      await expect(receive(event)).resolves.toEqual(started);
    });

    test('an event of another type is another event, although it has the same id', async () => {
      serve(createCache().answer);
      await expect(receive(deliveryOf('message.delivered', {}, 'evt_1'))).resolves.toHaveLength(1);
      await expect(receive(deliveryOf('message.read', {}, 'evt_1'))).resolves.toHaveLength(1);
    });

    test.each(['', ' ', 'evt_other'])('the same message under the event id %j starts the Zap once', async (id) => {
      serve(createCache().answer);
      await expect(receive(event)).resolves.toHaveLength(1);
      await expect(receive([{ ...event, id }, deliveryOf('message.read', { id: 'msg_2' }, id)])).resolves.toHaveLength(
        1,
      );
    });

    test.each(['', ' '])(
      'a conversation opens again under the blank event id %j, and its repeat starts nothing',
      async (id) => {
        serve(createCache().answer);
        const opened = (minute: number) => ({
          ...deliveryOf('conversation.opened', {}, id),
          created_at: `2026-06-12T10:0${minute}:00Z`,
        });
        const run = (minute: number) => receiveConversations({ authData, subscribeData, ...signed(opened(minute)) });
        await expect(run(1)).resolves.toHaveLength(1);
        await expect(run(1)).resolves.toEqual([]);
        await expect(run(2)).resolves.toHaveLength(1);
      },
    );

    test('what the cache keeps shows nothing of an event and its secret', async () => {
      const { kept, answer } = createCache();
      serve(answer);
      await receive(event);
      expect([...kept]).toEqual([
        [
          expect.stringMatching(/^[0-9a-f]{64}$/),
          expect.objectContaining({ value: expect.stringMatching(/^"[0-9a-f-]{36}"$/) }),
        ],
      ]);
    });

    test('many events are looked up at once, and the slow ones hold up no others', async () => {
      const { answer } = createCache();
      const many = Array.from({ length: 60 }, (_, index) => deliveryOf('message.read', { id: `msg_${index}` }));
      serve(answer);
      await expect(receive(many)).resolves.toHaveLength(many.length);
      stop();
      const allAsked = Promise.withResolvers<void>();
      const asked = new Set<unknown>();
      serve(async (call) => {
        if (asked.add(call.params[0]).size === many.length) allAsked.resolve();
        if (asked.size <= 20) await allAsked.promise;
        return answer(call);
      });
      await expect(receive(many)).resolves.toEqual([]);
    });
  });

  type Happening = 'answers' | 'fails' | 'is null' | 'loses its answer';

  interface Attempt {
    to: number;
    /** The events in the payload, as indexes of `pool`. */
    includes: number[];
    /** Where in the payload an event is that can't be read. */
    unreadableAt: number | null;
    /** Where in the payload an event is whose record the service refuses. */
    failsAt: number | null;
  }

  const pool = (['message.delivered', 'message.read'] satisfies EventName[]).flatMap((type) =>
    // Together with the ids of the subscriptions, these would give the same text.
    ['1', '11'].map((id) => deliveryOf(type, { id: `${type} ${id}` }, id)),
  );

  const unreadable = { ...deliveryOf('message.read'), data: { text: 'no id' } };
  const refused = { ...deliveryOf('message.read'), data: { id: 'msg_refused' } };

  const attempt: fc.Arbitrary<Attempt> = fc.record({
    to: fc.nat({ max: subscriptions.length - 1 }),
    includes: fc.array(fc.nat({ max: pool.length - 1 }), { minLength: 1, maxLength: 4 }),
    unreadableAt: fc.option(fc.nat({ max: 4 }), { freq: 3 }),
    failsAt: fc.option(fc.nat({ max: 4 }), { freq: 3 }),
  });

  /** Deliveries one after the other. Those in one list come at the same moment. */
  const history = fc.array(fc.array(attempt, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 });

  const records = z.array(z.looseObject({ id: z.string() }));

  const insert = (all: object[], at: number | null, event: object): object[] =>
    at === null ? all : all.toSpliced(at, 0, event);

  const payloadOf = ({ includes, unreadableAt, failsAt }: Attempt): object[] => {
    const known = includes.flatMap((index) => pool[index] ?? []);
    return insert(insert(known, unreadableAt, unreadable), failsAt, refused);
  };

  /** Makes the deliveries. Returns how often each event that can be read started its Zap. */
  const countRuns = async (batches: Attempt[][]): Promise<Map<string, number>> => {
    const runs = new Map<string, number>();
    for (const batch of batches) {
      await Promise.all(
        batch.map(async (each) => {
          // An event that fails holds none of the others back, and the delivery fails only if it has no new one.
          const received = receive(payloadOf(each), subscriptions[each.to]).catch((error: Error) => {
            expect([each.failsAt === null, error.message]).toEqual([
              false,
              expect.stringContaining('too many requests'),
            ]);
            return [];
          });
          const count = (id: string, more: number) => {
            const name = `${each.to} ${id}`;
            runs.set(name, (runs.get(name) ?? 0) + more);
          };
          for (const index of each.includes) count(pool[index]?.data.id ?? '', 0);
          for (const { id } of records.parse(await received)) count(id, 1);
        }),
      );
    }
    return runs;
  };

  const pass = async (turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
  };

  describe('whatever the order of deliveries', () => {
    stopClock();
    const happening = fc.constantFrom<Happening>('answers', 'fails', 'is null', 'loses its answer');
    /** How many turns of the event loop the cache takes to read or write, and then to answer. */
    const pauses = fc.infiniteStream(fc.nat({ max: 20 }));

    /** Makes the deliveries with a cache that does what happens to it. */
    const simulate = async (batches: Attempt[][], turns: Iterator<number>, happens: () => Happening) => {
      const { answer } = createCache();
      const { stop } = serveRpc(async (call) => {
        const happened = happens();
        await pass(turns.next().value);
        if (happened === 'fails') throw new Error('broken');
        const result = happened === 'is null' ? null : answer(call);
        await pass(turns.next().value);
        if (happened === 'loses its answer') throw new Error('lost');
        return result;
      });
      expectCall('getMessage', { id: refused.data.id }).interceptor.reply(429).persist();
      const runs = await countRuns(batches);
      stop();
      return [...runs.values()];
    };

    test('each event starts its Zap once, or at least once while the cache fails, whatever else its deliveries hold', async () => {
      const failing = fc.option(fc.infiniteStream(happening));
      await fc.assert(
        fc.asyncProperty(history, pauses, failing, async (batches, turns, next) => {
          const runs = await simulate(batches, turns, () => next?.next().value ?? 'answers');
          expect(runs.filter((times) => (next ? times < 1 : times !== 1))).toEqual([]);
        }),
        { numRuns: 40 },
      );
    });
  });
});

describe('bursts', () => {
  const label = 'At Most Once per Conversation Every';
  stopClock();

  const started = z.array(z.looseObject({ id: z.string() }));

  /** Receives a delivery. Returns the ids of the messages that start the Zap. */
  const receive = async (delivered: object[], minutes_apart: unknown): Promise<string[]> => {
    const given = await receiveMessages({
      authData,
      subscribeData,
      inputData: { minutes_apart },
      ...signed(delivered),
    });
    return started.parse(given).map(({ id }) => id);
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
  const tell = async (
    told: { later: number; places: number[] }[],
    minutes: unknown,
    answer?: (call: Call) => unknown,
  ) => {
    const cache = createCache();
    const { stop } = serveRpc(answer ?? cache.answer);
    let count = 0;
    const deliveries = [];
    for (const { later, places: written } of told) {
      cache.now += later;
      const messages = written.map((place) => ({ place, id: `msg_${count++}` }));
      const events = messages.map(({ place, id }) => deliveryOf('message.received', { ...places[place], id }));
      deliveries.push({ at: cache.now, messages, started: await receive(events, minutes) });
    }
    stop();
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

  test.each<[string, (call: Call) => unknown]>([
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
    const { stop } = serveRpc(async (call) => {
      const read = answer(call);
      if (call.method === 'zcache_get' && ++reads >= 4) bothRead.resolve();
      if (call.method === 'zcache_get' && reads > 2) await bothRead.promise;
      return read;
    });
    const send = (id: string) => receive([deliveryOf('message.received', { ...places[0], id })], 5);
    const both = await Promise.all([send('msg_1'), send('msg_2')]);
    expect(both.flat()).toHaveLength(1);
    stop();
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
