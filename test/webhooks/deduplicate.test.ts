import timers, { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import nock from 'nock';
import { createAppTester } from 'zapier-platform-core';
import * as z from 'zod/mini';
import { type EventName, events } from '../../src/api/events';
import { deliveryOf, signed, subscribeData } from '../support/deliveries';
import { type Call, serveRpc } from '../support/rpc';
import { authData, expectCall } from '../support/service';
import { triggered } from '../support/triggered';
import { definition, findPerform } from '../support/zapier';

const otherSecret = `whsec_${Buffer.from('of the account of a stranger').toString('base64')}`;

/** Two accounts whose webhooks have one id, and two webhooks that have one secret. */
const subscriptions = [
  subscribeData,
  { ...subscribeData, secret: otherSecret },
  { ...subscribeData, id: `${subscribeData.id}1` },
];

type Subscription = typeof subscribeData;

/** Receives events as one delivery, with Zapier's cache instead of core's cache for tests. */
const receive = (delivered: object | object[], subscription: Subscription = subscribeData): Promise<unknown> => {
  const tester = Object.assign(createAppTester(definition.only('message_status_updated')), {
    zcacheTestObj: undefined,
  });
  const request = signed(delivered, { secret: subscription.secret });
  const bundle = { authData, subscribeData: subscription, ...request };
  return tester(findPerform('triggers.message_status_updated.operation.perform'), bundle);
};

const event = deliveryOf('message.read');
const started = [triggered(events['message.read'].sample)];

/** A cache that keeps the first value of a key, if it's asked to. */
const createCache = () => {
  const kept = new Map<unknown, unknown>();
  const read = (key: unknown) => kept.get(key) ?? null;
  const write = ([key, value, _seconds, _scope, isFirstOnly]: unknown[]) =>
    !(isFirstOnly && kept.has(key)) && Boolean(kept.set(key, value));
  const answer = ({ method, params }: Call): unknown => (method === 'zcache_set' ? write(params) : read(params[0]));
  return { kept, read, write, answer };
};

describe("without Zapier's cache, a delivery still starts the Zap", () => {
  const rpc = () => nock('https://rpc.zapier.com').post('/cli');

  beforeEach(() => {
    process.env.ZAPIER_DEPLOY_KEY = 'key';
  });
  afterEach(() => {
    nock.abortPendingRequests();
    delete process.env.ZAPIER_DEPLOY_KEY;
  });

  test('because it is missing', async () => {
    delete process.env.ZAPIER_DEPLOY_KEY;
    await expect(receive(event)).resolves.toEqual(started);
  });

  test('because it fails', async () => {
    rpc().reply(400, { error: 'broken' });
    await expect(receive(event)).resolves.toEqual(started);
  });

  test('because it answers null', async () => {
    const { stop } = serveRpc(() => null);
    await expect(receive(event)).resolves.toEqual(started);
    stop();
  });
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

describe('with the cache as Zapier keeps it', () => {
  stopClock();
  let stop: () => void;
  const serve = (answer: (call: Call) => unknown): void => {
    ({ stop } = serveRpc(answer));
  };
  afterEach(() => stop());

  test('a delivery that comes twice at the same moment starts the Zap once', async () => {
    const { read, write } = createCache();
    const bothRead = Promise.withResolvers<void>();
    let reads = 0;
    serve(async ({ method, params }) => {
      if (method === 'zcache_set') return bothRead.promise.then(() => write(params));
      reads += 1;
      if (reads === 2) bothRead.resolve();
      return read(params[0]);
    });
    const results = await Promise.all([receive(event), receive(event)]);
    expect(results.toSorted()).toEqual([[], started]);
    await expect(receive(event)).resolves.toEqual([]);
  });

  test('a delivery starts the Zap when the cache reads only after it has written', async () => {
    const { read, write } = createCache();
    const written = Promise.withResolvers<void>();
    serve(async ({ method, params }) => {
      if (method === 'zcache_get') return written.promise.then(() => read(params[0]));
      const isFirst = write(params);
      written.resolve();
      return isFirst;
    });
    await expect(receive(event)).resolves.toEqual(started);
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
    const { read, write } = createCache();
    serve(({ method, params }) => (method === 'zcache_set' ? !write(params) : read(params[0])));
    await expect(receive(event)).resolves.toEqual(started);
  });

  test("an event doesn't suppress that of another account or another Zap with the same ids", async () => {
    serve(createCache().answer);
    for (const subscription of subscriptions) await expect(receive(event, subscription)).resolves.toEqual(started);
    for (const subscription of subscriptions) await expect(receive(event, subscription)).resolves.toEqual([]);
  });

  test('an event of another type is another event, although it has the same id', async () => {
    serve(createCache().answer);
    await expect(receive(deliveryOf('message.delivered', {}, 'evt_1'))).resolves.toHaveLength(1);
    await expect(receive(deliveryOf('message.read', {}, 'evt_1'))).resolves.toHaveLength(1);
  });

  test.each(['', ' '])("events whose id is %j start the Zap each, since they can't be told apart", async (id) => {
    serve(createCache().answer);
    await expect(receive([{ ...event, id }, deliveryOf('message.read', { id: 'msg_2' }, id)])).resolves.toHaveLength(2);
    await expect(receive({ ...event, id })).resolves.toHaveLength(1);
  });

  test('what the cache keeps shows nothing of an event and its secret', async () => {
    const { kept, answer } = createCache();
    serve(answer);
    await receive(event);
    expect([...kept]).toEqual([[expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^"[0-9a-f-]{36}"$/)]]);
  });

  test('many events are looked up at once, so that a slow cache cannot use up the time of the step', async () => {
    const { answer } = createCache();
    const many = Array.from({ length: 20 }, (_, index) => deliveryOf('message.read', { id: `msg_${index}` }));
    serve(answer);
    await expect(receive(many)).resolves.toHaveLength(many.length);
    stop();
    const allAsked = Promise.withResolvers<void>();
    const asked = new Set<unknown>();
    serve(async (call) => {
      if (asked.add(call.params[0]).size === many.length) allAsked.resolve();
      await allAsked.promise;
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
const history = fc.array(fc.array(attempt, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });

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
          expect([each.failsAt === null, error.message]).toEqual([false, expect.stringContaining('too many requests')]);
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

  test('each event starts its Zap exactly once, whatever else its deliveries hold', async () => {
    await fc.assert(
      fc.asyncProperty(history, pauses, async (batches, turns) => {
        const runs = await simulate(batches, turns, () => 'answers');
        expect(runs.filter((times) => times !== 1)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('each event starts its Zap at least once, however the cache fails in between', async () => {
    await fc.assert(
      fc.asyncProperty(history, pauses, fc.infiniteStream(happening), async (batches, turns, next) => {
        const runs = await simulate(batches, turns, () => next.next().value);
        expect(runs.filter((times) => times < 1)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
