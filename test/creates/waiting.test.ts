/** Send Message and Wait for Reply under any order of lines, callbacks, runs and failures. */
import timers from 'node:timers/promises';
import fc from 'fast-check';
import nock from 'nock';
import { headers } from '../../src/api/endpoints';
import '../many-runs';
import { authData } from '../service';
import { type Attempt, Runs, type RunsStory } from './waiting-runs';
import { type Fault, faultKinds, person, Service, type ServiceStory, stranger } from './waiting-service';

interface Story extends ServiceStory, RunsStory {
  /** The number of the request during which a second run writes to the same person; null for none. */
  second: number | null;
  /** Whether somebody replays the first run after it ended. */
  isReplayed: boolean;
}

const runs = ['a', 'b'];

/** A service, and Zapier around it. */
class World {
  readonly story: Story;
  readonly zapier: Runs;
  readonly service: Service;
  replay: Attempt | undefined;
  readonly #handling: Promise<unknown>[] = [];

  constructor(story: Story) {
    this.story = story;
    this.zapier = new Runs(story);
    this.service = new Service(story, {
      before: async (request) => {
        if (request === story.second) await this.zapier.start('b');
      },
      deliver: (url, payload) => this.zapier.receive(url, payload),
    });
  }

  /** Remembers a request, since a step may give it up while somebody still handles it. */
  handle<T>(handled: Promise<T>): Promise<T> {
    this.#handling.push(handled);
    return handled;
  }

  async #settle(): Promise<void> {
    do {
      await Promise.all(this.#handling.splice(0));
      await this.service.settle();
    } while (this.#handling.length > 0);
  }

  /** Starts the first run, and lets everything happen that follows. */
  async #start(): Promise<Attempt | undefined> {
    await this.zapier.start('a');
    await this.#settle();
    for (let repeats = 0; repeats < 4 && (await this.zapier.repeatFailed()); repeats += 1) await this.#settle();
    return this.zapier.lastOf('a');
  }

  async run(): Promise<void> {
    const { result } = (await this.#start()) ?? {};
    if (result && this.story.isReplayed && this.story.isKeyed) this.replay = await this.#start();
  }
}

/** Whether failures are few enough for the step to get over them in the time that it has. */
const isMild = ({ faults }: Story): boolean =>
  faults.every(({ kind, count }) => count <= 2 && !kind.startsWith('hang'));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

type ReplyOf = (attempt: Attempt) => string | undefined;

const ownReply: ReplyOf = ({ result }) => result?.reply.id;

/** Returns what is wrong with a run, in words. */
function* problemsOf({ story, zapier, service }: World, run: string, replyOf: ReplyOf): Generator<string> {
  const attempts = zapier.attempts.filter((each) => each.run === run);
  const last = attempts.at(-1);
  if (!last) return;
  const inOrder = service.messages.toReversed();
  const questions = inOrder.filter(({ variables }) => variables?.run === run);
  const [question] = questions;
  if (questions.length > 1) yield 'the person got the message twice';
  const after = question ? inOrder.slice(inOrder.indexOf(question) + 1) : [];
  const lines = after.filter(({ direction, from }) => direction === 'inbound' && from === person);
  const [answer] = lines;

  const reply = replyOf(last);
  const ofReply = lines.find(({ id }) => id === reply)?.conversation_id;
  const first = lines.find(({ conversation_id }) => conversation_id === ofReply);
  if (reply && last.result?.sent.id !== question?.id) yield 'the reply is to another message';
  if (reply && !ofReply) yield 'the reply is no line of the person after the question';
  const onlyLater = story.givesOnlyId && story.lagMs > 0;
  if (reply && reply !== first?.id && isMild(story) && !onlyLater) yield "the reply isn't the first line";

  const heard = service.heard.filter(({ url }) => attempts.some((each) => each.url === url)).map(({ id }) => id);
  const isHeard = service.heard.some(({ url, id }) => url === last.url && lines.some((each) => each.id === id));
  // A webhook that is made after an event may still report it.
  const isMisled = heard.some((id) => !after.some((each) => each.id === id));
  const isInOneConversation = story.lines.every(({ conversation_id }) => conversation_id === 'cnv_1');
  const isListed = story.lagMs === 0 && story.faults.length === 0 && story.early !== 'refuse' && isInOneConversation;
  // Zapier resumes a step that has told it nothing yet.
  const isBlind = story.early === 'run' && (story.second !== null || !isInOneConversation);
  // A send whose outcome is unknown halts.
  const isUnknown = /may have succeeded/.test(messageOf(last.error));
  const isCertain = !isMisled && !isBlind && !isUnknown;
  const canRepeat = story.isKeyed;
  if (!reply && answer && isMild(story) && (isHeard || isListed) && (isCertain || canRepeat)) yield 'the reply is lost';
  if (!answer && last.state === 'ended' && isMild(story) && !isMisled && !isUnknown) yield 'the wait ended too soon';

  for (const { error } of attempts.length === 1 ? attempts : []) {
    if (/nothing was sent/i.test(messageOf(error)) && question) yield 'the error says that nothing was sent';
    if (/the message was sent/i.test(messageOf(error)) && !question) yield 'the error says that the message was sent';
  }
  for (const { state, url } of attempts) {
    const watching = service.webhooks.filter((each) => each.url === url).length;
    if (state === 'waits' && watching !== 1) yield `${watching} webhooks watch for the reply`;
    const isKnown = !isBlind && !(story.early === 'run' && story.fanOutMs > 0);
    if (state === 'ended' && watching > 0 && isMild(story) && isKnown) yield 'a webhook is left';
  }
}

const problems = (world: World, replyOf = ownReply): string[] => {
  const { story, service, zapier, replay } = world;
  const found = runs.flatMap((run) => [...problemsOf(world, run, replyOf)].map((problem) => `${run}: ${problem}`));
  if (service.webhooks.every(({ id }) => id !== 'other')) found.push("another step's webhook is deleted");
  const isAlone = story.second === null && story.early !== 'run';
  const longest = Math.max(...zapier.durations);
  if (isAlone && longest > 28_500) found.push(`a step takes ${longest} ms`);
  const isSeen = story.lagMs === 0 && story.early !== 'refuse' && story.faults.length === 0;
  if (replay?.state === 'waits' && isSeen) found.push('a replay waits for an answer that there is');
  if (replay?.result?.already_sent === false && story.faults.length === 0) found.push('a replay seems to send');
  return found;
};

const mostly = <T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 2 }, { arbitrary: other, weight: 1 });

const line = fc.record({
  from: mostly(person, fc.constant(stranger)),
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
  lagMs: mostly(0, fc.constantFrom(100, 2_000)),
  fanOutMs: mostly(0, fc.constant(300)),
  isReversed: fc.boolean(),
  isTwice: fc.boolean(),
  early: fc.constantFrom('hold', 'run', 'refuse'),
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

const listen = (world: World): void => {
  for (const method of ['get', 'post', 'delete'] as const) {
    nock(authData.base_url)
      .persist()
      [method](/.*/)
      .reply(function (uri, body, respond) {
        const key = this.req.headers[headers.idempotencyKey];
        void world.handle(world.service.handle(this.req.method, uri, body, key && String(key))).then((reply) => {
          if ('error' in reply) respond(reply.error, [500]);
          else respond(null, reply.response);
        });
      });
  }
  nock(/zapier/)
    .persist()
    .post(/.*/)
    .reply(async (uri, body) => [
      await world.handle(world.zapier.receive(`https://zapier.example.com${uri}`, body)),
      '{}',
    ]);
};

const tell = async (told: Story): Promise<World> => {
  jest.setSystemTime(Date.UTC(2026, 5, 11, 9));
  const world = new World(told);
  listen(world);
  await world.run().finally(() => nock.cleanAll());
  return world;
};

test('a wait ends with the first line of the right person after the question, and with nothing else', async () => {
  const holds = fc.asyncProperty(story, async (told) => expect(problems(await tell(told))).toEqual([]));
  await fc.assert(holds, { numRuns: 50 });
});

test('a step that believed its callback would be found out', async () => {
  const believes = fc.asyncProperty(story, async (told) => {
    const world = await tell(told);
    const named: ReplyOf = ({ url, result }) => result && world.service.heard.find((each) => each.url === url)?.id;
    expect(problems(world, named)).toEqual([]);
  });
  expect(await fc.check(believes, { numRuns: 200, endOnFailure: true, seed: 1 })).toMatchObject({ failed: true });
});
