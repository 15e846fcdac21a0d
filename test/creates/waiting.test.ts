/** Send Message and Wait for Reply under any order of lines, callbacks, runs and failures. */
import timers from 'node:timers/promises';
import fc from 'fast-check';
import '../support/service';
import { problemsOf } from './waiting-judge';
import type { RunsStory } from './waiting-runs';
import { colleague, type Fault, faultKinds, person, stranger } from './waiting-service';
import { type Story, World } from './waiting-world';

const mostly = <T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 2 }, { arbitrary: other, weight: 1 });

const line = fc.record({
  from: mostly(person, fc.constantFrom(stranger, colleague)),
  quotes: mostly(null, fc.constantFrom('a', 'b')),
  conversation_id: mostly('cnv_1', fc.constant('cnv_2')),
  // The third request creates the webhook.
  after: fc.oneof(fc.constant(2), fc.constant(3), fc.nat({ max: 9 }), fc.constant(99)),
  later: fc.constantFrom(0, 3, 400, 1_500, 60_000),
});

const fault = fc.record({
  kind: fc.constantFrom(...faultKinds),
  at: fc.nat({ max: 9 }),
  count: fc.constantFrom(1, 1, 2, 30),
});

const story: fc.Arbitrary<Story> = fc.record({
  lines: fc.array(line, { maxLength: 4 }),
  faults: fc.oneof(fc.constant<Fault[]>([]), fc.array(fault, { minLength: 1, maxLength: 2 })),
  isPrecise: fc.boolean(),
  givesOnlyId: mostly(false, fc.constant(true)),
  knowsAfter: fc.boolean(),
  lagMs: mostly(0, fc.constantFrom(100, 2_000)),
  fanOutMs: mostly(0, fc.constant(300)),
  isReversed: fc.boolean(),
  isTwice: fc.boolean(),
  early: fc.constantFrom<RunsStory['early'][]>('hold', 'run', 'refuse'),
  passesQuery: fc.boolean(),
  continues: fc.boolean(),
  isKeyed: fc.boolean(),
  second: fc.option(fc.nat({ max: 6 }), { freq: 2 }),
  isReplayed: fc.boolean(),
});

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'performance'] });
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const end = new AbortController();
    setTimeout(() => end.abort(), ms);
    return end.signal;
  });
  jest.spyOn(timers, 'setTimeout').mockImplementation(async (ms, value) => {
    jest.advanceTimersByTime(ms ?? 0);
    return value;
  });
});

afterEach(() => {
  jest.useRealTimers();
  jest.mocked(Math.random).mockRestore();
  jest.mocked(AbortSignal.timeout).mockRestore();
});

const tell = (told: Story): Promise<World> => {
  jest.setSystemTime(Date.UTC(2026, 5, 11, 9));
  return new World(told).tell();
};

test('a wait ends with the reply of the right person to its question, and with nothing else', async () => {
  const holds = fc.asyncProperty(story, async (told) => expect(problemsOf(await tell(told))).toEqual([]));
  await fc.assert(holds, { numRuns: 40 });
});

test('a step that believed its callback would be found out', async () => {
  const believes = fc.asyncProperty(story, async (told) => {
    const world = await tell(told);
    const namedFor = (url: string) => world.service.heard.find((each) => each.url === url)?.id;
    expect(problemsOf(world, ({ url, result }) => result && namedFor(url))).toEqual([]);
  });
  expect(await fc.check(believes, { numRuns: 200, endOnFailure: true, seed: 1 })).toMatchObject({ failed: true });
});
