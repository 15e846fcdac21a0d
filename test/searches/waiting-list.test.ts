/** The list of those who wait, for any conversations on any pages. */
import fc from 'fast-check';
import nock from 'nock';
import { conversation } from '../../src/api/resources';
import { pathOf } from '../support/calls';
import { authData, service, toResponse } from '../support/service';
import { runStep } from '../support/zapier';

const now = Date.parse('2026-06-11T12:00:00Z');

beforeEach(() => {
  jest.useFakeTimers({ now, doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
});

afterEach(() => {
  jest.useRealTimers();
});

const odd = fc.constantFrom<object>(
  { last_message: null },
  { last_message: null, message_count: undefined },
  { last_message: undefined },
  { last_message: { direction: 'internal', created_at: '2026-06-11T09:00:00Z' } },
  { last_message: { direction: null } },
  { last_message: { direction: 'inbound', created_at: 'soon' }, last_message_at: '' },
  { last_message: { direction: 'inbound', created_at: null }, last_message_at: null },
);

/** A conversation in which somebody wrote some minutes ago, or one that nobody can judge. */
const someConversation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ by: fc.constantFrom('inbound', 'outbound'), minutes: fc.nat({ max: 600 }) }) },
  { weight: 1, arbitrary: fc.record({ odd }) },
);

type Given = typeof someConversation extends fc.Arbitrary<infer T> ? T : never;

const toRecord = (given: Given, index: number): object => {
  const record = { ...conversation.sample, id: `cnv_${index}`, message_count: 3 };
  if ('odd' in given) return { ...record, ...given.odd };
  const created_at = new Date(now - given.minutes * 60_000).toISOString();
  return { ...record, last_message: { direction: given.by, text: 'Hello', created_at }, last_message_at: created_at };
};

/** Serves conversations in pages, of which the last one may name another that nobody gets. */
const serve = (records: object[], size: number, isEndless: boolean): void => {
  const path = pathOf('listConversations');
  service()
    .persist()
    .get((url) => new URL(url, authData.base_url).pathname === path)
    .reply(200, (url) => {
      const { searchParams } = new URL(url, authData.base_url);
      const start = Number(searchParams.get('after') ?? 0);
      const end = start + Math.min(size, Number(searchParams.get('limit')));
      const next_cursor = end < records.length ? String(end) : isEndless ? String(start) : null;
      return toResponse('listConversations', 200, { data: records.slice(start, end), next_cursor });
    });
};

interface Found {
  id: string;
  awaiting_reply: boolean | null;
  minutes_waiting: number | null;
  summary_line: string;
  complete: boolean;
}

const list = async (records: object[], limit: number, size = 100, isEndless = false): Promise<Found[]> => {
  serve(records, size, isEndless);
  const inputData = { awaiting_reply: 'true', conversation_limit: limit };
  const found = runStep('searches.find_conversations.operation.perform', { authData, inputData });
  return (await found.finally(() => nock.cleanAll())) as Found[];
};

const waitOf = (given: Given): number => ('odd' in given ? -1 : given.by === 'inbound' ? given.minutes : -2);

test('those who have waited longest come first, nobody is left out before another, and odd ones stop nothing', async () => {
  const many = fc.array(someConversation, { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      many,
      fc.integer({ min: 1, max: 45 }),
      fc.integer({ min: 4, max: 100 }),
      async (given, limit, size) => {
        const found = await list(given.map(toRecord), limit, size);
        const waits = given.map(waitOf).filter((minutes) => minutes > -2);
        const longestFirst = waits.toSorted((one, other) => other - one).slice(0, limit);
        expect(found.map(({ minutes_waiting }) => minutes_waiting ?? -1)).toEqual(longestFirst);
        expect(found.map(({ awaiting_reply }) => awaiting_reply)).toEqual(
          longestFirst.map((each) => (each < 0 ? null : true)),
        );
        const left = waits.length - found.length;
        expect(found.every(({ complete }) => complete === (left === 0))).toBe(true);
        expect(found.at(-1)?.summary_line.includes('listed)') ?? false).toBe(left > 0);
      },
    ),
    { numRuns: 150 },
  );
});

test('with No Messages Since, a conversation stays in which nobody knows who wrote last, such as after a note', async () => {
  const given = [
    { by: 'inbound' as const, minutes: 5 },
    { by: 'outbound' as const, minutes: 90 },
    { odd: { last_message: { direction: 'internal', created_at: new Date(now - 5 * 60_000).toISOString() } } },
  ];
  serve(given.map(toRecord), 100, false);
  const inputData = { quiet_since: '1 hour ago' };
  const found = runStep('searches.find_conversations.operation.perform', { authData, inputData });
  await expect(found.finally(() => nock.cleanAll())).resolves.toMatchObject([
    { id: 'cnv_2', awaiting_reply: null },
    { id: 'cnv_1', awaiting_reply: false },
  ]);
});

test('nobody is said to wait only when every page was read', async () => {
  const answered = fc.array(fc.record({ by: fc.constant('outbound'), minutes: fc.nat({ max: 600 }) }), {
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(answered, fc.integer({ min: 1, max: 30 }), fc.boolean(), async (given, size, isEndless) => {
      const found = await list(given.map(toRecord), 50, size, isEndless).catch((error: Error) => error);
      if (!isEndless && given.length <= 10 * size) expect(found).toEqual([]);
      if (isEndless)
        expect(found).toMatchObject({ name: 'AppError', message: expect.stringContaining('more conversations than') });
    }),
    { numRuns: 100 },
  );
});

test('of 1,000 conversations, the 50 who have waited longest are listed, although the service lists them last', async () => {
  const given = Array.from({ length: 1_000 }, (_, minutes) => ({ by: 'inbound' as const, minutes }));
  const found = await list(given.map(toRecord), 50);
  expect(found.map(({ minutes_waiting }) => minutes_waiting)).toEqual(Array.from({ length: 50 }, (_, at) => 999 - at));
  expect(found.at(-1)?.summary_line).toMatch(/ \(950 more conversations aren't listed\)$/);
});
