/** What must not happen: steps, runs and starts that the stand-in leaves out, seen after everything has settled. */
import { globSync, readFileSync } from 'node:fs';
import type { Step } from '../../zapier/kinds';
import { note, startSmall, step, stopAll, trigger } from './small-app';

const never: Step = {
  type: 'filter',
  id: 'filter',
  rules: [{ value: 'a', condition: '(Text) Exactly matches', text: 'b' }],
};

const delivery = {
  rawRequest: { headers: {}, content: '{"id": "1"}', querystring: '' },
  cleanedRequest: { id: '1' },
};

afterEach(async () => {
  jest.useRealTimers();
  await stopAll();
});

/** A Zap of these steps after its trigger. */
const start = async (...steps: Step[]) => {
  const zapier = await startSmall();
  const { service: state, settled, runner, runs } = zapier;
  state.isDown = true;
  const zap = zapier.zapOf(...steps);
  /** Starts a run, and waits until nothing goes on. */
  const run = async () => {
    await runner.startWith(zap, 'live', { id: 1 });
    await settled();
    const [started] = runs.list();
    if (!started) throw new Error('No run started.');
    return started;
  };
  const hookOf = () => zap.subscription?.targetUrl.split('/').at(-1) ?? '';
  return { ...zapier, ran: state.ran, state, zap, run, hookOf };
};

test.each([
  ['halted', 'creates.halt', 'halted'],
  ['failed', 'creates.fail', 'error'],
  ['held', 'creates.throttle', 'held'],
  ['waiting', 'creates.ask', 'waiting'],
])('no step runs after a %s one', async (_, operation, status) => {
  const { ran, run, state } = await start(step(operation, 'first'), note('second'), note('third'));
  state.isBusy = true;
  const { steps, status: ended } = await run();
  expect(ran).toEqual(['first']);
  expect(steps.map((each) => each.status)).toEqual(['success', status]);
  expect(ended).toBe(status);
});

test('no step runs after a search that found nothing', async () => {
  const { ran, run } = await start(step('searches.none', 'first'), note('second'));
  expect((await run()).status).toBe('halted');
  expect(ran).toEqual([]);
});

test('no step runs after a filter that does not match', async () => {
  const { ran, run } = await start(note('first'), never, note('second'));
  expect((await run()).status).toBe('filtered');
  expect(ran).toEqual(['first']);
});

test('no step runs before its delay has passed, and each runs once after it', async () => {
  const { ran, run, pass } = await start(
    note('first'),
    { type: 'delay', id: 'delay', value: '1', unit: 'hours' },
    note('second'),
  );
  await run();
  await pass(3599);
  expect(ran).toEqual(['first']);
  await pass(1);
  await pass(3600);
  expect(ran).toEqual(['first', 'second']);
});

test('a held run goes on once, however often the account is connected again', async () => {
  const { ran, run, runner, connection, settled } = await start(step('creates.note', 'first'), note('second'));
  connection.holdsRuns = true;
  const held = await run();
  expect([held.status, ran]).toEqual(['held', []]);
  connection.holdsRuns = false;
  await Promise.all([runner.paused.releaseHeld(), runner.paused.releaseHeld()]);
  await runner.paused.releaseHeld();
  await settled();
  expect([held.status, ran]).toEqual(['success', ['first', 'second']]);
});

test('a throttled run goes on once when it is due', async () => {
  const { ran, run, pass, state } = await start(step('creates.throttle', 'first'), note('second'));
  state.isBusy = true;
  await run();
  state.isBusy = false;
  await pass(59);
  expect(ran).toEqual(['first']);
  await pass(1);
  await pass(600);
  expect(ran).toEqual(['first', 'first', 'second']);
});

test('a waiting run goes on once, and its callback is used up', async () => {
  const { ran, run, runner, settled } = await start(step('creates.ask', 'first'), note('second'));
  const { id } = await run();
  expect([runner.receiveCallback(`${id}-1`, {}), runner.receiveCallback(`${id}-1`, {})]).toEqual([true, false]);
  await settled();
  expect(runner.receiveCallback(`${id}-1`, {})).toBe(false);
  await settled();
  expect(ran).toEqual(['first', 'second']);
});

test('no step runs after a waiting one whose callback it refuses', async () => {
  const { ran, run, runner, settled } = await start(step('creates.ask', 'first'), note('second'));
  const waiting = await run();
  runner.receiveCallback(`${waiting.id}-1`, { isBad: true });
  await settled();
  expect([waiting.status, ran]).toEqual(['halted', ['first']]);
});

test('of two callbacks that come before their step returns, one is taken', async () => {
  const { ran, run, runner, runs, settled, state } = await start(step('creates.ask', 'first'), note('second'));
  const taken: boolean[] = [];
  state.during = async () => {
    const [{ id } = { id: '' }] = ran.length === 1 ? runs.list() : [];
    if (id) taken.push(...['one', 'other'].map((said) => runner.receiveCallback(`${id}-1`, { said })));
  };
  const { id, steps } = await run();
  await settled();
  expect(taken).toEqual([true, false]);
  expect([ran, steps[1]?.output]).toEqual([['first', 'second'], expect.objectContaining({ said: 'one' })]);
  expect(runner.receiveCallback(`${id}-1`, {})).toBe(false);
});

test('a replay starts one run, and an Autoreplay repeats no step before the failed one', async () => {
  const { ran, run, runner, settled, state, runs } = await start(
    note('first'),
    step('creates.fail', 'second'),
    note('third'),
  );
  const failed = await run();
  state.isDown = false;
  await runner.autoreplay(failed);
  await runner.autoreplay(failed);
  await settled();
  expect(ran.splice(0)).toEqual(['first', 'second', 'second', 'third']);
  await runner.replay(failed);
  await settled();
  expect(ran).toEqual(['first', 'second', 'third']);
  expect(runs.list()).toHaveLength(2);
});

test('a Zap that is off starts no run, and neither does a subscription that it had before', async () => {
  const { ran, deliveries, settled, subscriptions, zap, runs, hookOf, state } = await start(note('first'));
  state.isDown = false;
  await subscriptions.turnOn(zap);
  const before = hookOf();
  expect(deliveries.receive(before, delivery)).toBe(true);
  await settled();
  expect(ran.splice(0)).toEqual(['first']);
  await subscriptions.turnOff(zap);
  expect(deliveries.receive(before, delivery)).toBe(false);
  await subscriptions.turnOn(zap);
  expect(deliveries.receive(before, delivery)).toBe(false);
  await settled();
  expect([ran, runs.list().length]).toEqual([[], 1]);
});

test('a trigger that was replaced starts no run', async () => {
  const { ran, deliveries, settled, subscriptions, zap, zaps, hookOf, state } = await start(note('first'));
  state.isDown = false;
  await subscriptions.turnOn(zap);
  const before = hookOf();
  zaps.change(zap, { steps: [trigger('triggers.came', { of: 'another' }), note('first')] });
  await subscriptions.publish(zap);
  expect(deliveries.receive(before, delivery)).toBe(false);
  await settled();
  expect(ran).toEqual([]);
  expect(deliveries.receive(hookOf(), delivery)).toBe(true);
  await settled();
  expect(ran).toEqual(['first']);
});

test('a Zap that polls starts no run for what was there before, nor while it is off', async () => {
  jest.useFakeTimers({ doNotFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'nextTick', 'Date', 'performance'] });
  const { ran, settled, subscriptions, state, zap, zaps } = await start(note('first'));
  const poll = async (found: number) => {
    state.found = found;
    jest.runOnlyPendingTimers();
    await settled();
    return ran.splice(0).length;
  };
  state.isDown = false;
  zaps.change(zap, { steps: [trigger('triggers.found'), note('first')] });
  await subscriptions.turnOn(zap);
  expect([await poll(1), await poll(3), await poll(3)]).toEqual([0, 2, 0]);
  await subscriptions.turnOff(zap);
  expect(await poll(4)).toBe(0);
  await subscriptions.turnOn(zap);
  expect([await poll(4), await poll(5)]).toEqual([0, 1]);
});

test('only four files have timers, so nothing can start after everything has settled', () => {
  const timers = /\b(?:setTimeout|setInterval|setImmediate|nextTick|queueMicrotask)\b/;
  const files = globSync('zapier/**/*.ts').filter((path) => timers.test(readFileSync(path, 'utf8')));
  expect(files.map((path) => path.replaceAll('\\', '/')).toSorted()).toEqual(
    [
      // The end of a step that takes too long.
      'zapier/kinds/app-runner.ts',
      'zapier/core/clock.ts',
      'zapier/core/work.ts',
      // The polls, a minute apart.
      'zapier/starts/polling.ts',
    ].toSorted(),
  );
});
