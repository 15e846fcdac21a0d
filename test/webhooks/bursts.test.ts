/** A Zap that starts at most once per conversation in a while, for any messages in any order. */
import timers, { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { createAppTester } from 'zapier-platform-core';
import * as z from 'zod/mini';
import { deliveryOf, signed, subscribeData } from '../support/deliveries';
import { type Call, serveRpc } from '../support/rpc';
import { authData } from '../support/service';
import { definition, findPerform } from '../support/zapier';

const label = 'At Most Once per Conversation Every';

/** A cache that forgets a value when its time is over. `now` is in minutes. */
const createCache = () => {
  const kept = new Map<unknown, { value: unknown; until: number }>();
  const cache = { now: 0, answer: (_: Call): unknown => null };
  const read = (key: unknown): unknown => {
    const { value = null, until = 0 } = kept.get(key) ?? {};
    return until > cache.now ? value : null;
  };
  cache.answer = ({ method, params: [key, value, seconds, , isFirstOnly] }) => {
    if (method === 'zcache_get') return read(key);
    if (isFirstOnly && read(key) !== null) return false;
    return Boolean(kept.set(key, { value, until: cache.now + Number(seconds) / 60 }));
  };
  return cache;
};

let limit: jest.SpyInstance;
beforeAll(() => {
  // No test depends on how fast the machine is.
  limit = jest
    .spyOn(timers, 'setTimeout')
    .mockImplementation((_ms, _value, options) => (options?.signal ? new Promise(() => undefined) : nextTurn()));
});
afterAll(() => limit.mockRestore());

const started = z.array(z.looseObject({ id: z.string() }));

/** Receives a delivery. Returns the ids of the messages that start the Zap. */
const receive = async (delivered: object[], minutes_apart: unknown): Promise<string[]> => {
  const tester = Object.assign(createAppTester(definition.only('message_received')), { zcacheTestObj: undefined });
  const bundle = { authData, subscribeData, inputData: { minutes_apart }, ...signed(delivered) };
  const given = await tester(findPerform('triggers.message_received.operation.perform'), bundle);
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
  { maxLength: 8 },
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
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      for (const { messages, started: ids } of await tell(told, 5, answer)) {
        expect(ids.toSorted()).toEqual(messages.map(({ id }) => id).toSorted());
      }
    }),
    { numRuns: 5 },
  );
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
  ['0', '0 is out of range. Enter a number of minutes from 1 to 1440.'],
  ['1441', '1441 is out of range. Enter a number of minutes from 1 to 1440.'],
  ['soon', `"soon" isn't a whole number.`],
])('a Zap with %s in the field cannot be turned on', async (minutes_apart, words) => {
  const tester = createAppTester(definition.only('message_received'));
  const bundle = { authData, inputData: { minutes_apart }, targetUrl: 'https://hooks.zapier.com/1' };
  const turnedOn = tester(findPerform('triggers.message_received.operation.performSubscribe'), bundle);
  await expect(turnedOn).rejects.toThrow(`${label}: ${words}`);
});
