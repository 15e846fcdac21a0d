/** A delivery of many events, some of which can't be read. */
import fc from 'fast-check';
import nock from 'nock';
import { createAppTester } from 'zapier-platform-core';
import * as z from 'zod/mini';
import { events } from '../../src/api/events';
import { pathOf } from '../support/calls';
import { deliveryOf, signed, subscribeData } from '../support/deliveries';
import { type Call, serveRpc } from '../support/rpc';
import { authData, service, toResponse } from '../support/service';
import { definition, findPerform } from '../support/zapier';

const type = 'message.received';

/** Receives a delivery with Zapier's cache in place of core's cache for tests. Returns the ids of the started records. */
const receive = async (delivered: object[]): Promise<string[]> => {
  const tester = Object.assign(createAppTester(definition.only('message_received')), { zcacheTestObj: undefined });
  const bundle = { authData, subscribeData, ...signed(delivered) };
  const started = await tester(findPerform('triggers.message_received.operation.perform'), bundle);
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

const createCache = () => {
  const kept = new Map<unknown, unknown>();
  return ({ method, params: [key, value] }: Call): unknown => {
    if (method === 'zcache_get') return kept.get(key) ?? null;
    return !kept.has(key) && Boolean(kept.set(key, value));
  };
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
    const kept = drawn.filter(({ at }) => delivered.size === 0 || at < 80).toSorted((one, other) => one.at - other.at);
    const payload = kept.map(({ event }) => event);
    if (payload.length === 0) continue;
    const started = await receive(payload.map(({ kind, id }) => eventOf(kind, id))).catch((error: Error): string[] => {
      // Only a delivery that starts nothing fails.
      const isBroken = payload.every(({ kind }) => kind === 'broken');
      expect(isBroken || payload.some(({ kind }) => unreadable.includes(kind))).toBe(true);
      expect(error.message).toContain('messaging service');
      return [];
    });
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
      const { stop } = serveRpc(createCache());
      const runs = await deliver(chosen, orders);
      stop();
      expect([...runs.values()].filter((times) => times !== 1)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test("every readable event starts the Zap at least once without Zapier's cache", async () => {
  await fc.assert(
    fc.asyncProperty(batch, deliveries, async (chosen, orders) => void (await deliver(chosen, orders))),
    {
      numRuns: 25,
    },
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
  const { stop } = serveRpc(createCache());
  const ids = Array.from({ length: 60 }, (_, index) => String(index));
  const started = Date.now();
  serveMessages((id) => {
    if (id === '30') clock.mockReturnValue(started + 60_000);
    return 200;
  });
  const delivered = ids.map((id) => eventOf('thin', id));
  const first = await receive(delivered);
  expect(first.length).toBeGreaterThan(29);
  expect(first.length).toBeLessThan(60);
  clock.mockReturnValue(started);
  const second = await receive(delivered);
  expect([...first, ...second]).toEqual(ids);
  stop();
  nock.cleanAll();
});

test('says that there are more events than a step can read when those that it read start nothing', async () => {
  serveMessages(() => 404);
  const delivered = Array.from({ length: 501 }, (_, index) => eventOf('thin', String(index)));
  await expect(receive(delivered)).rejects.toThrow(
    'The messaging service reported more events at once than this step can read. Replay the run to read the others.',
  );
  nock.cleanAll();
});

test('a delivery of several events starts the trigger for its own ones, and not for unknown or other ones', async () => {
  const { stop } = serveRpc(createCache());
  const unknown = { ...deliveryOf(type), type: 'contact.merged', data: { id: 'con_1' } };
  const own = deliveryOf(type, { id: 'msg_own' });
  const started = await receive([unknown, own, deliveryOf('message.delivered'), deliveryOf('conversation.closed')]);
  stop();
  expect(started).toEqual(['msg_own']);
});
