/** Zaps that run: starts, runs, and what the platform does. */

import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type AppStep, kindOf, type Step } from '../kinds';
import { type OpenQuestions, platform } from '../platform';
import { hasEnded } from '../runs/run';
import { RpcStore } from '../starts/rpc';
import { MemoryStore } from '../zap/store';
import { newService, note, startSmall, step, stopAll, trigger } from './small-app';

afterEach(stopAll);

/** A promise, and what fulfills it. */
const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
};

/** Lets the work of this process go on until something is so. */
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise(setImmediate);
};

describe('runs', () => {
  const record = { id: 1, person: { name: 'Noor' } };

  const wait = { type: 'delay', id: 'delay', value: '1', unit: 'hours' } as const;
  const untilTime = { ...wait, value: '', event: 'until', until: '{{1.at}}' } as const;

  test('a replay runs again with the record that started the run, also after the Zap was changed', async () => {
    const { zapOn, deliver, zaps, runner, runs, settled, service } = await startSmall();
    const zap = await zapOn(note('{{1.person.name}}'));
    await deliver(zap, record);
    const [first] = runs.list();
    if (!first) throw new Error('No run started.');
    zaps.change(zap, { steps: [...zap.steps.slice(0, 1), note('draft')] });
    await runner.replay(first);
    await settled();
    expect(service.ran).toEqual(['Noor', 'Noor']);
    expect(runs.list()[0]).toMatchObject({ type: 'replay', status: 'success', trigger: record, cause: first.id });
  });

  test('a throttled run is on hold, and tried again after the delay that its error names', async () => {
    const { zapOn, deliver, pass, service, runs, statuses } = await startSmall();
    const zap = await zapOn(step('creates.throttle', 'first'), note('second'));
    service.isBusy = true;
    await deliver(zap);
    expect(runs.list()[0]?.steps[1]).toMatchObject({
      status: 'held',
      failure: {
        message: 'Too many.',
        effect: 'Zapier holds this run (On hold) and tries again in 60 s.',
        retryAfterSeconds: 60,
      },
    });
    // It is still busy after a minute, and waits another one.
    await pass(60);
    expect(statuses()).toEqual(['held']);
    service.isBusy = false;
    await pass(59);
    expect(statuses()).toEqual(['held']);
    await pass(1);
    expect(statuses()).toEqual(['success']);
    expect(service.ran).toEqual(['first', 'first', 'first', 'second']);
  });

  test('a throttled trigger is tried again with its delivery, and starts a run for each record', async () => {
    const { zapOn, deliver, pass, service, statuses } = await startSmall();
    const zap = await zapOn(note('{{1.id}}'));
    service.isBusy = true;
    await deliver(zap, { isEarly: true, records: [{ id: 7 }, { id: 8 }] });
    expect([statuses(), service.ran]).toEqual([['held'], []]);
    service.isBusy = false;
    await pass(60);
    expect([statuses(), service.ran]).toEqual([
      ['success', 'success'],
      ['7', '8'],
    ]);
  });

  test('a delivery that the trigger refuses is a run that was halted at its trigger', async () => {
    const { zapOn, deliver, runs, service } = await startSmall();
    await deliver(await zapOn(note('first')), { isBad: true });
    expect(runs.list()).toMatchObject([
      { status: 'halted', steps: [{ title: 'came', failure: { message: 'It may not come from the service.' } }] },
    ]);
    expect(service.ran).toEqual([]);
  });

  const units = fc.constantFrom(['minutes', 60] as const, ['hours', 3600] as const);

  test('a run waits at a delay exactly as long as it says, and goes on with what the steps before gave', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 31 * 24 }),
        units,
        fc.integer({ min: 1, max: 60 }),
        async (value, [unit, seconds], early) => {
          const { zapOn, deliver, pass, service, statuses } = await startSmall();
          const long = { ...wait, value: String(value), unit };
          await deliver(await zapOn(note('{{1.person.name}}'), long, note('{{2.name}} {{1.id}}')), record);
          await pass(value * seconds - early);
          expect([statuses(), service.ran]).toEqual([['delayed'], ['Noor']]);
          await pass(early);
          expect([statuses(), service.ran]).toEqual([['success'], ['Noor', 'Noor 1']]);
          await stopAll();
        },
      ),
      { numRuns: 20 },
    );
  });

  const daySeconds = 24 * 60 * 60;

  test.each([
    [2, ' -1d', daySeconds],
    [1, ' + 90m -1h', daySeconds + 30 * 60],
    [1, '', daySeconds],
    [-1, '', 0],
  ])('a run waits until %d days ahead with "%s", or not at all when that is over', async (days, modifiers, seconds) => {
    const { zapOn, deliver, pass, service, statuses } = await startSmall();
    const at = new Date(service.now() + days * daySeconds * 1000).toISOString();
    await deliver(await zapOn(untilTime, note('{{1.at}}')), { at: at + modifiers });
    if (seconds > 0) {
      await pass(seconds - 1);
      expect(statuses()).toEqual(['delayed']);
      await pass(1);
    }
    expect(statuses()).toEqual(['success']);
  });

  test.each([
    ['time', untilTime, 'tomorrow', 'Date/Time Delayed Until: "tomorrow" isn\'t a date and time.'],
    ['time', untilTime, '2199-01-01', 'Date/Time Delayed Until must be within 31 days, not "2199-01-01".'],
    [
      'length',
      { ...wait, value: '{{1.at}}' },
      'soon',
      expect.stringContaining('must be a number from 1 to 744, not "soon".'),
    ],
  ])('a run whose delay has no good %s stops: %#', async (_, delay, at, sentence) => {
    const { zapOn, deliver, runs, service } = await startSmall();
    await deliver(await zapOn(delay, note('late')), { at });
    expect(runs.list()[0]?.steps[1]?.failure?.message).toEqual(sentence);
    expect(service.ran).toEqual([]);
  });

  const looped = { type: 'loop', id: 'loop', values: { phone: '{{1.phones}}', name: '{{1.names}}' } } as const;

  test('the steps after a loop run once for each item, in order, and a failure of one stops no other', async () => {
    const { zapOn, deliver, service, statuses, runs } = await startSmall();
    const halt = step('creates.halt', 'halt');
    const rules = [{ value: '{{2.phone}}', condition: '(Text) Exactly matches', text: 'two' }] as const;
    const paths: Step[] = [
      { type: 'path', id: 'path', name: 'Two', rules: [...rules] },
      halt,
      { type: 'path', id: 'others', name: 'All', rules: [{ ...rules[0], condition: 'Exists' }] },
      note('{{2.loop_iteration}} {{2.phone}} {{2.name}} {{2.loop_iteration_is_last}}'),
    ];
    const zap = await zapOn(looped, ...paths);
    await deliver(zap, { phones: ['one', 'two', 'three'], names: ['Noor', null] });
    expect(service.ran.filter((name) => name !== 'halt')).toEqual(['1 one Noor false', '3 three  true']);
    expect(statuses()).toEqual(['success', 'halted', 'success']);
    expect(runs.list().map(({ trigger: given }) => given)).toHaveLength(3);
  });

  test('a run of a loop waits without holding up the others', async () => {
    const { zapOn, deliver, service, statuses, pass } = await startSmall();
    await deliver(await zapOn(looped, wait, note('{{2.phone}}')), { phones: ['one', 'two'], names: [] });
    expect([statuses(), service.ran]).toEqual([['delayed', 'delayed'], []]);
    await pass(60 * 60);
    expect([statuses(), service.ran.toSorted()]).toEqual([
      ['success', 'success'],
      ['one', 'two'],
    ]);
  });

  test.each([
    [[], 'filtered', undefined],
    [Array(501).fill('one'), 'error', 'A loop runs for 500 items at most, not 501.'],
  ])('a loop over %j ends its run', async (phones, status, message) => {
    const { zapOn, deliver, service, runs } = await startSmall();
    await deliver(await zapOn(looped, note('{{2.phone}}')), { phones, names: [] });
    expect(service.ran).toEqual([]);
    expect(runs.list().map((run) => [run.status, run.steps[1]?.failure?.message])).toEqual([[status, message]]);
  });

  test.each([
    ['approved', 'stop', 'success', ['Dear Noor, approved']],
    ['declined', 'stop', 'filtered', []],
    ['declined', 'continue', 'success', ['Dear Noor, declined']],
  ] as const)('a run waits for a person who has %s, and may %s', async (decision, declined, status, ran) => {
    const { zapOn, deliver, service, statuses, runs, runner, settled } = await startSmall();
    const content = { Text: 'Hi {{1.person.name}}', Phone: '{{1.id}}' };
    const approval = { type: 'approval', id: 'approval', content, declined } as const;
    await deliver(await zapOn(approval, note('{{2.Text}}, {{2.decision}}')), record);
    const [waiting] = runs.list();
    expect([statuses(), service.ran, waiting?.steps[1]?.output]).toEqual([
      ['waiting'],
      [],
      { Text: 'Hi Noor', Phone: '1' },
    ]);
    const given = { decision, content: { Text: 'Dear Noor', Other: 'ignored' } };
    expect(runner.receiveCallback(`${waiting?.id}-1`, given)).toBe(true);
    await settled();
    expect([statuses(), service.ran]).toEqual([[status], ran]);
    expect(waiting?.steps[1]?.output).toEqual({ Text: 'Dear Noor', Phone: '1', decision });
    expect(runner.receiveCallback(`${waiting?.id}-1`, given)).toBe(false);
  });

  test('a run that waits has not ended, and goes on with what its callback brings', async () => {
    const { zapOn, deliver, runs, settled, service } = await startSmall();
    await deliver(await zapOn(step('creates.ask', 'first'), note('{{2.reply}} {{2.id}}')));
    const [waiting] = runs.list();
    if (!waiting) throw new Error('No run started.');
    expect([waiting.status, hasEnded(waiting), service.ran]).toEqual(['waiting', false, ['first']]);
    const { callback } = Object(waiting.steps[1]?.output);
    expect((await fetch(callback, { method: 'POST', body: '{"reply":"PX-1"}' })).status).toBe(200);
    await settled();
    expect([waiting.status, hasEnded(waiting), service.ran]).toEqual(['success', true, ['first', 'PX-1 1']]);
  });

  const never: Step = { type: 'filter', id: 'filter', rules: [{ value: 'a', condition: 'Does not exist', text: '' }] };

  test.each([
    ['halted', step('creates.halt', 'first'), ['first']],
    ['error', step('creates.fail', 'first'), ['first']],
    ['held', step('creates.throttle', 'first'), ['first']],
    ['waiting', step('creates.ask', 'first'), ['first']],
    ['halted', step('searches.find', 'none'), []],
    ['filtered', never, []],
  ])('no step runs after one that is %s: %#', async (status, first, ran) => {
    const { zapOn, deliver, service, statuses } = await startSmall();
    const zap = await zapOn(first, note('second'));
    Object.assign(service, { isBusy: true, isDown: true });
    await deliver(zap);
    expect([statuses(), service.ran]).toEqual([[status], ran]);
  });

  test('no step runs after one that refuses its callback', async () => {
    const { zapOn, deliver, runs, runner, settled, service, statuses } = await startSmall();
    await deliver(await zapOn(step('creates.ask', 'first'), note('second')));
    runner.receiveCallback(`${runs.list()[0]?.id}-1`, { isBad: true });
    await settled();
    expect([statuses(), service.ran]).toEqual([['halted'], ['first']]);
  });

  test('an Autoreplay goes on once, at the step that failed', async () => {
    const { zapOn, deliver, runs, runner, settled, service } = await startSmall();
    const zap = await zapOn(note('first'), step('creates.fail', 'second'), note('third'));
    service.isDown = true;
    await deliver(zap);
    service.isDown = false;
    const [failed] = runs.list();
    if (!failed) throw new Error('No run started.');
    await runner.autoreplay(failed);
    await runner.autoreplay(failed);
    await settled();
    expect([service.ran, runs.list().length]).toEqual([['first', 'second', 'second', 'third'], 1]);
  });

  test('a refused account holds its run and every later one, which call nothing, until it is connected again', async () => {
    const { zapOn, deliver, runs, runner, settled, service, connection, statuses } = await startSmall();
    const zap = await zapOn(step('creates.sign', '{{1.id}}'), note('after {{1.id}}'));
    service.token = 'rotated';
    await deliver(zap, { id: 1 });
    await deliver(zap, { id: 2 });
    expect([statuses(), service.ran]).toEqual([['held', 'held'], ['1']]);
    const failures = runs.list().map(({ steps }) => steps[1]?.failure);
    expect(failures).toEqual([
      {
        message: "The account isn't connected.",
        effect: 'Zapier holds this run (On hold) until you reconnect the account.',
      },
      {
        message: 'The token is no longer valid.',
        effect: 'Zapier asks you to reconnect the account and holds its runs (On hold) until then.',
      },
    ]);
    // As long as it isn't connected, nothing goes on.
    await runner.paused.releaseHeld();
    await settled();
    expect(service.ran).toEqual(['1']);
    connection.reconnect({ token: 'rotated' });
    await runner.paused.releaseHeld();
    await settled();
    expect([statuses(), service.ran]).toEqual([
      ['success', 'success'],
      ['1', '1', 'after 1', '2', 'after 2'],
    ]);
  });

  test('a held run goes on once when the account is connected again twice, however slow its step is', async () => {
    const { zapOn, deliver, runner, settled, service, connection, statuses } = await startSmall();
    const zap = await zapOn(step('creates.ask', '{{1.id}}'));
    connection.holdsRuns = true;
    for (const id of [1, 2]) await deliver(zap, { id });
    expect([statuses(), service.ran]).toEqual([['held', 'held'], []]);
    connection.holdsRuns = false;
    const { promise, open } = gate();
    service.during = () => promise;
    // The first release waits for its step, and the second one overtakes it.
    const first = runner.paused.releaseHeld();
    const second = runner.paused.releaseHeld();
    open();
    await Promise.all([first, second]);
    await settled();
    expect(statuses()).toEqual(['waiting', 'waiting']);
    expect(service.ran.toSorted()).toEqual(['1', '2']);
  });

  test('an earlier process leaves runs that wait as they are, and fails the one that it stopped in a step', async () => {
    const [store, service] = [new MemoryStore(), newService()];
    const before = await startSmall({ store, service });
    const zap = await before.zapOn(note('first'), wait, note('{{1.id}}'));
    await before.deliver(zap, { id: 'waits' });
    const { promise, open } = gate();
    service.during = () => promise;
    void before.runner.startWith(zap, 'live', { id: 'stopped' });
    await until(() => service.ran.length === 2);

    const copy = new MemoryStore();
    for (const each of before.zaps.list()) copy.put('zap', each.id, structuredClone(each));
    for (const each of before.runs.list().toReversed()) copy.put('run', each.id, structuredClone(each));
    open();
    await before.settled();
    service.during = async () => undefined;
    service.ran.length = 0;

    const { runs, runner, pass, statuses } = await startSmall({ store: copy, service });
    runner.paused.restore();
    expect(statuses()).toEqual(['error', 'delayed']);
    expect(runs.list()[0]?.steps[1]).toMatchObject({
      title: 'Act note',
      failure: { message: 'The process stopped during this step.', effect: 'Replay the run.' },
    });
    await pass(3600);
    expect([statuses(), service.ran]).toEqual([['error', 'success'], ['waits']]);
  });

  test('only the newest 500 runs are kept', async () => {
    const store = new MemoryStore();
    const { zapOf, runner, runs } = await startSmall({ store });
    const zap = zapOf();
    for (let id = 0; id < 502; id += 1) await runner.startWith(zap, 'live', { id });
    expect(runs.list()).toHaveLength(500);
    expect(runs.list().at(-1)?.trigger).toEqual({ id: 2 });
    expect(runs.find(runs.list()[0]?.id ?? '')?.trigger).toEqual({ id: 501 });
  });
});

describe('throttle and lock', () => {
  const mapped = (operation: string) => step(operation, '{{1.name}}');

  test('a run over the limit is held until its window ends, and nothing is lost', async () => {
    const { zapOn, deliver, pass, service, runs, statuses } = await startSmall();
    const zap = await zapOn(mapped('creates.limited'));
    for (let id = 0; id < 3; id += 1) await deliver(zap, { id, name: 'Noor' });
    expect(service.ran).toEqual(['Noor', 'Noor']);
    expect(runs.list()[0]?.steps[1]).toMatchObject({
      status: 'held',
      failure: {
        message: 'The app lets this action run 2 times in 600 s for the same value.',
        effect: 'Zapier holds this run (On hold) and tries again in 600 s.',
      },
    });
    await pass(599);
    expect(service.ran).toHaveLength(2);
    await pass(1);
    expect([service.ran.length, ...statuses()]).toEqual([3, 'success', 'success', 'success']);
  });

  test('a full window from before the clock went back holds no run', async () => {
    const { zapOn, deliver, pass, service, statuses } = await startSmall();
    const zap = await zapOn(mapped('creates.limited'));
    await pass(86_400);
    for (let id = 0; id < 2; id += 1) await deliver(zap, { id, name: 'Noor' });
    await pass(-86_400);
    await deliver(zap, { id: 2, name: 'Noor' });
    expect([service.ran.length, ...statuses()]).toEqual([3, 'success', 'success', 'success']);
  });

  test('actions with the same limit share it, and another text has a limit of its own', async () => {
    const { zapOn, deliver, service } = await startSmall();
    const zaps = [await zapOn(mapped('creates.limited')), await zapOn(mapped('creates.limited_as_well'))];
    for (const zap of zaps) for (const name of ['Noor', 'noor']) await deliver(zap, { id: 1, name });
    for (const zap of zaps) await deliver(zap, { id: 1, name: 'Noor' });
    expect(service.ran.toSorted()).toEqual(['Noor', 'Noor', 'noor', 'noor']);
  });

  test('whatever comes when, no window has more than its limit, and each run goes through once', async () => {
    const arrival = fc.record({ gap: fc.integer({ min: 0, max: 900 }), name: fc.constantFrom('a', 'b') });
    await fc.assert(
      fc.asyncProperty(fc.array(arrival, { maxLength: 8 }), async (arrivals) => {
        const service = newService();
        const { zapOn, deliver, pass, statuses } = await startSmall({ service });
        const times: Record<string, number[]> = { a: [], b: [] };
        service.during = async () => void times[service.ran.at(-1) ?? '']?.push(service.now() / 1000);
        const zap = await zapOn(mapped('creates.limited'));
        for (const { gap, name } of arrivals) {
          await pass(gap);
          await deliver(zap, { id: 1, name });
        }
        await pass(8 * 600);
        expect(service.ran.toSorted()).toEqual(arrivals.map(({ name }) => name).toSorted());
        expect(statuses().filter((status) => status !== 'success')).toEqual([]);
        // Three runs in less than a window would take two windows that meet.
        for (const all of Object.values(times)) {
          for (const [index, time] of all.entries())
            expect((all[index + 4] ?? Number.POSITIVE_INFINITY) - time).toBeGreaterThanOrEqual(600);
        }
        await stopAll();
      }),
      { numRuns: 15 },
    );
  });

  test('a run whose lock another one has goes on after it, and one with another text at once', async () => {
    const { zapOn, deliver, pass, service, zaps, runner, settled, statuses } = await startSmall();
    const zap = await zapOn(mapped('creates.alone'));
    const { promise, open } = gate();
    service.during = () => promise;
    const first = runner.startWith(zap, 'live', { id: 1, name: 'Noor' });
    await until(() => service.ran.length > 0);
    service.during = async () => undefined;
    await Promise.all([
      runner.startWith(zap, 'live', { id: 2, name: 'Noor' }),
      runner.startWith(zap, 'live', { id: 3, name: 'Sam' }),
    ]);
    expect(service.ran).toEqual(['Noor', 'Sam']);
    open();
    await first;
    await settled();
    expect(statuses()).toContain('held');
    await pass(30);
    expect([service.ran, statuses()]).toEqual([
      ['Noor', 'Sam', 'Noor'],
      ['success', 'success', 'success'],
    ]);
    await deliver(zap, { id: 4, name: 'Noor' });
    expect(zaps.list()).toHaveLength(1);
    expect(service.ran).toHaveLength(4);
  });

  test('a test of a step in the editor is not held back', async () => {
    const { zapOn, deliver, editor, service } = await startSmall();
    const zap = await zapOn(mapped('creates.limited'));
    for (let id = 0; id < 2; id += 1) await deliver(zap, { id, name: 'Noor' });
    zap.steps[0] && Object.assign(zap.steps[0], { example: { id: 1, name: 'Noor' } });
    await editor.run(zap, 1, true);
    expect(service.ran).toHaveLength(3);
  });
});

describe('the cache', () => {
  const start = () => {
    const time = { now: 0 };
    const store = new RpcStore(new MemoryStore(), { now: () => time.now, at: () => undefined });
    const call = (method: string, ...params: unknown[]) => store.answer({ id: 1, method, params })?.result;
    return { time, call };
  };

  test('a value is there until its time is over, and may then be set by whoever sets it only if there is none', () => {
    const { time, call } = start();
    const takeFor = (seconds: number, value: string) => call('zcache_set', 'key', value, seconds, null, true);
    expect(takeFor(60, 'first')).toBe(true);
    time.now = 59_999;
    expect([takeFor(60, 'second'), call('zcache_get', 'key')]).toEqual([false, 'first']);
    time.now = 60_000;
    expect(call('zcache_get', 'key')).toBeNull();
    expect([takeFor(60, 'third'), call('zcache_get', 'key')]).toEqual([true, 'third']);
  });

  test('a value from before the clock went back is gone', () => {
    const { time, call } = start();
    time.now = 86_400_000;
    call('zcache_set', 'key', 'value', 60, null, true);
    time.now = 0;
    expect(call('zcache_get', 'key')).toBeNull();
  });

  test('a value without a time stays until it is deleted', () => {
    const { time, call } = start();
    expect(call('zcache_set', 'key', 'value', null, null, null)).toBe(true);
    time.now = 1e12;
    expect(call('zcache_get', 'key')).toBe('value');
    expect([call('zcache_delete', 'key'), call('zcache_get', 'key')]).toEqual([true, null]);
  });
});

describe('polling', () => {
  beforeEach(() => {
    jest.useFakeTimers({
      doNotFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'nextTick', 'Date', 'performance'],
    });
  });
  afterEach(() => void jest.useRealTimers());

  const startPolled = async (operation = 'triggers.found') => {
    const zapier = await startSmall();
    const zap = zapier.zaps.add([trigger(operation), note('{{1.id}}')]);
    await zapier.subscriptions.turnOn(zap);
    const poll = async (found: number) => {
      zapier.service.found = found;
      jest.runOnlyPendingTimers();
      await zapier.settled();
      return zapier.service.ran.splice(0);
    };
    return { ...zapier, zap, poll };
  };

  test('each new record starts one run, oldest first, and one that came while the Zap was off none', async () => {
    const { poll, subscriptions, zap, service, polling } = await startPolled();
    expect([await poll(1), await poll(4), await poll(4), await poll(5)]).toEqual([[], ['1', '2', '3'], [], ['4']]);
    await subscriptions.turnOff(zap);
    service.isDown = true;
    // The service isn't even asked.
    expect([await poll(6), polling.checks()]).toEqual([[], []]);
    service.isDown = false;
    await subscriptions.turnOn(zap);
    expect([await poll(6), await poll(7)]).toEqual([[], ['6']]);
  });

  test('a record starts a run again when another of its primary outputs changes', async () => {
    const { poll } = await startPolled('triggers.changed');
    expect([await poll(1), await poll(2), await poll(2), await poll(1)]).toEqual([[], ['1'], [], []]);
  });

  test('a poll that fails loses nothing, and its reason is told', async () => {
    const { poll, service, polling, zap } = await startPolled();
    service.isDown = true;
    expect(await poll(3)).toEqual([]);
    expect(await poll(3)).toEqual([]);
    expect(polling.checks()).toEqual([{ zapId: zap.id, count: 2, since: 0, problem: 'The service is down.' }]);
    service.isDown = false;
    expect(await poll(3)).toEqual(['1', '2']);
    expect(polling.checks()).toEqual([]);
  });

  test('what another account has starts no run, and what is new there does', async () => {
    const { poll, connection } = await startPolled();
    Object.assign(connection, { account: 'another' });
    expect([await poll(9), await poll(10)]).toEqual([[], ['9']]);
  });

  test('an account that has to be connected again is not polled', async () => {
    const { poll, connection } = await startPolled();
    connection.refuse();
    expect(await poll(3)).toEqual([]);
    connection.reconnect({ token: 'secret' });
    expect(await poll(3)).toEqual(['1', '2']);
  });

  test.each([
    ['off', ['turnOff']],
    ['off and on', ['turnOff', 'turnOn']],
  ] as const)('a Zap that is turned %s starts no further run of the records that it found', async (_, turns) => {
    const { poll, service, subscriptions, zap, settled, runs } = await startPolled();
    const { promise, open } = gate();
    service.during = () => promise;
    const polled = poll(3);
    await until(() => service.ran.length > 0);
    for (const turn of turns) await subscriptions[turn](zap);
    open();
    await polled;
    await settled();
    expect(runs.list().map((run) => run.trigger)).toEqual([{ id: 1 }]);
  });
});

describe('subscriptions', () => {
  const day = 86_400;

  /** What another app starts. */
  const elsewhere: Step = { type: 'delay', id: 'delay', value: '1', unit: 'hours' };

  /** A Zap that is on, and whose webhook exists for 30 days. */
  const startRenewed = async () => {
    const service = newService();
    service.lifetime = 30 * day;
    const zapier = await startSmall({ service });
    return { ...zapier, zap: await zapier.zapOn(note('{{1.id}}')) };
  };

  test('a Zap that two tabs turn on at once subscribes once', async () => {
    const { zapOf, subscriptions, service } = await startSmall();
    const zap = zapOf();
    await Promise.all([subscriptions.turnOn(zap), subscriptions.turnOn(zap)]);
    await subscriptions.turnOn(zap);
    expect([zap.isOn, service.subscriptions]).toEqual([true, 1]);
  });

  test('a Zap that the service refuses stays off, and can be turned on later', async () => {
    const { zapOf, subscriptions, service } = await startSmall();
    const zap = zapOf();
    service.isDown = true;
    await expect(subscriptions.turnOn(zap)).rejects.toThrow('The service is down.');
    expect([zap.isOn, zap.subscription]).toEqual([false, undefined]);
    service.isDown = false;
    await subscriptions.turnOn(zap);
    expect([zap.isOn, zap.subscription?.id]).toEqual([true, 'webhook-2']);
  });

  test('a webhook is renewed each time it expires, keeps its address, and goes on starting runs', async () => {
    const { zap, pass, deliver, service } = await startRenewed();
    const { targetUrl } = zap.subscription ?? {};
    for (const id of [2, 3, 4]) {
      await pass(30 * day);
      expect([...service.webhooks]).toEqual([[`webhook-${id}`, { targetUrl, of: undefined }]]);
      expect(zap.subscription).toMatchObject({ id: `webhook-${id}`, targetUrl });
    }
    await pass(365 * day);
    expect([...service.webhooks.keys()]).toEqual([zap.subscription?.id]);
    await deliver(zap, { id: 'renewed' });
    expect(service.ran).toEqual(['renewed']);
  });

  test('a renewal that the service refuses is named, and tried again every minute until it succeeds', async () => {
    const { zap, pass, service } = await startRenewed();
    service.isDown = true;
    await pass(30 * day);
    expect(zap).toMatchObject({ problem: "The subscription wasn't renewed. The service is down.", isOn: true });
    await pass(59);
    expect(service.subscriptions).toBe(2);
    await pass(61);
    expect(service.subscriptions).toBe(4);
    service.isDown = false;
    await pass(60);
    expect([zap.problem, zap.subscription?.id, service.subscriptions]).toEqual([undefined, 'webhook-5', 5]);
    await pass(600);
    expect(service.subscriptions).toBe(5);
  });

  test('a refused renewal is not tried again for a Zap that was turned off and on', async () => {
    const { zap, pass, subscriptions, service } = await startRenewed();
    service.isDown = true;
    await pass(30 * day);
    service.isDown = false;
    await subscriptions.turnOff(zap);
    await subscriptions.turnOn(zap);
    const { id } = zap.subscription ?? {};
    await pass(3600);
    expect([zap.subscription?.id, service.subscriptions, [...service.webhooks.keys()]]).toEqual([id, 3, [id]]);
  });

  test('a Zap that is turned off while its webhook is renewed leaves none', async () => {
    const { zap, pass, subscriptions, service } = await startRenewed();
    const { promise, open } = gate();
    service.subscribing = () => promise;
    const renewed = pass(30 * day);
    await until(() => service.subscriptions === 2);
    await subscriptions.turnOff(zap);
    open();
    await renewed;
    expect([zap.isOn, zap.subscription, service.webhooks.size]).toEqual([false, undefined, 0]);
  });

  test('a Zap whose webhook the service keeps is off and says so, and the address starts no run', async () => {
    const { zapOn, subscriptions, deliver, service, runs } = await startSmall();
    const zap = await zapOn(note('first'));
    const { targetUrl = '' } = zap.subscription ?? {};
    service.isDown = true;
    expect(await subscriptions.turnOff(zap)).toBe(
      "The service didn't remove the webhook webhook-1: The service is down. The webhook starts no runs while the Zap is off, and the service deletes it after its next event.",
    );
    service.isDown = false;
    expect(await deliver(zap, { id: 1 }, targetUrl)).toBe(410);
    await subscriptions.turnOn(zap);
    expect(zap.subscription?.targetUrl).not.toBe(targetUrl);
    expect(await deliver(zap, { id: 2 }, targetUrl)).toBe(410);
    expect(runs.list()).toEqual([]);
  });

  /** A Zap that is on, and whose editor has other steps. `before` is the address of its webhook. */
  const startChanged = async (...steps: Step[]) => {
    const zapier = await startSmall();
    const zap = await zapier.zapOn(note('old {{1.id}}'));
    const { targetUrl: before = '' } = zap.subscription ?? {};
    zapier.zaps.change(zap, { steps });
    return { ...zapier, zap, before };
  };

  const another = trigger('triggers.came', { of: 'another' });

  test('a Zap that is on listens for its published trigger until another one is published', async () => {
    const { zap, before, subscriptions, deliver, service } = await startChanged(another, note('new {{1.id}}'));
    await deliver(zap, { id: 1 });
    expect(service.ran.splice(0)).toEqual(['old 1']);
    await subscriptions.publish(zap);
    expect([...service.webhooks.values()]).toEqual([{ targetUrl: zap.subscription?.targetUrl, of: 'another' }]);
    expect([await deliver(zap, { id: 2 }, before), await deliver(zap, { id: 3 })]).toEqual([410, 200]);
    expect(service.ran).toEqual(['new 3']);
  });

  test('a change after the trigger is published without another webhook', async () => {
    const { zap, subscriptions, deliver, service } = await startChanged(
      trigger('triggers.came', { of: '' }),
      note('new'),
    );
    await subscriptions.publish(zap);
    await deliver(zap);
    expect([service.ran, service.subscriptions]).toEqual([['new'], 1]);
  });

  test('a Zap whose new trigger the service refuses runs as before', async () => {
    const { zap, subscriptions, deliver, service } = await startChanged(another, note('new'));
    service.isDown = true;
    await expect(subscriptions.publish(zap)).rejects.toThrow('The service is down.');
    service.isDown = false;
    await deliver(zap);
    expect([service.ran, [...service.webhooks.keys()]]).toEqual([['old 1'], ['webhook-1']]);
  });

  test('a Zap whose trigger becomes that of another app listens no longer for the one before', async () => {
    const { zap, before, subscriptions, deliver, service, runner } = await startChanged(elsewhere, note('new'));
    await subscriptions.publish(zap);
    const status = await deliver(zap, { id: 1 }, before);
    expect([zap.subscription, service.webhooks.size, status]).toEqual([undefined, 0, 410]);
    await runner.startWith(zap, 'live', {});
    expect(service.ran).toEqual(['new']);
  });

  test('a Zap that is turned off while its new trigger is published leaves no webhook', async () => {
    const { zap, subscriptions, service } = await startChanged(another, note('new'));
    const { promise, open } = gate();
    service.subscribing = () => promise;
    const published = subscriptions.publish(zap);
    await until(() => service.subscriptions === 2);
    await subscriptions.turnOff(zap);
    open();
    await published;
    expect([zap.isOn, zap.subscription, service.webhooks.size]).toEqual([false, undefined, 0]);
  });

  test('a Zap that another app starts is turned on and off without a webhook', async () => {
    const { zaps, subscriptions, service } = await startSmall();
    const zap = zaps.add([elsewhere, note('sent')]);
    await subscriptions.turnOn(zap);
    expect([zap.isOn, zap.published?.length, service.subscriptions]).toEqual([true, 2, 0]);
    expect(await subscriptions.turnOff(zap)).toBeUndefined();
    expect([zap.isOn, zap.published]).toEqual([false, undefined]);
  });

  test('a new process renews a webhook that the service lost or that leads elsewhere, and keeps the others', async () => {
    const service = newService();
    const store = new MemoryStore();
    const before = await startSmall({ store, service });
    const zap = await before.zapOn(note('{{1.id}}'));
    const isOff = before.zapOf();
    await before.stop();

    const after = await startSmall({ store, service });
    await after.subscriptions.restore(new Set(service.webhooks.keys()));
    const [restored] = after.zaps.list();
    // The address of another process leads nowhere.
    expect(restored?.subscription?.targetUrl).toContain(`${after.url}/hooks/`);
    expect([...service.webhooks.keys()]).toEqual([restored?.subscription?.id]);
    expect(restored?.subscription?.id).not.toBe(zap.subscription?.id);
    const { subscriptions } = service;
    await after.subscriptions.restore(new Set(service.webhooks.keys()));
    expect(service.subscriptions).toBe(subscriptions);
    service.webhooks.clear();
    await after.subscriptions.restore(new Set());
    expect(service.subscriptions).toBe(subscriptions + 1);
    expect(after.zaps.find(isOff.id)?.isOn).toBe(false);
  });
});

describe('the platform', () => {
  const ask = step('creates.ask', 'question');
  const last: Step = { type: 'filter', id: 'last', rules: [{ value: '1', condition: 'Exists', text: '' }] };
  const find = (name: string, search: AppStep['search'] = {}): Step => ({ ...step('searches.find', name), search });

  const start = async (answers: Partial<OpenQuestions> = {}, ...steps: Step[]) => {
    const zapier = await startSmall({ answers });
    const { runner, runs, settled, url } = zapier;
    const zap = zapier.zapOf(...steps);
    /** Runs the Zap to its end. Returns what each step came to. */
    const run = async () => {
      await runner.startWith(zap, 'live', { id: 1 });
      await settled();
      return (runs.list()[0]?.steps ?? []).slice(1).map(({ status, output }) => [status, output]);
    };
    /** Answers the question of the newest run. */
    const callBack = async (query = '') => {
      const address = `${url}/callbacks/${runs.list()[0]?.id}-1${query}`;
      return (await fetch(address, { method: 'POST', body: '{"answer":"yes"}' })).status;
    };
    return { ...zapier, log: zapier.service.log, zap, run, callBack };
  };

  const found = { [platform.searchFound.is]: true };

  test.each([
    [{}, { id: 'a', at: { place: 'place of a' }, ...found }],
    [{ results: 'first' }, { id: 'a', at: { place: 'place of a' }, ...found }],
    [{ results: 'all' }, { id: ['a', 'b'], at: { place: ['place of a', 'place of b'] }, ...found }],
  ] as const)('a search set to %j gives its first result, or all as line items', async (search, output) => {
    const { run, log } = await start({}, find('a b', search));
    expect(await run()).toEqual([['success', output]]);
    expect(log).toEqual(['finds {"name":"a b"}']);
  });

  test('a filter after a search sees whether it was found, also when later steps get all results', async () => {
    const rule = { value: `{{2.${platform.searchFound.is}}}`, condition: '(Boolean) Is true', text: '' } as const;
    const { run } = await start({}, find('a b', { results: 'all' }), { ...last, rules: [rule] });
    expect((await run()).map(([status]) => status)).toEqual(['success', 'success']);
  });

  test('a search that finds nothing stops the run, or continues and says so', async () => {
    const { run } = await start({}, find('a', { whenNone: 'continue' }), find('{{2.nothing}}'), last);
    expect((await run()).map(([status]) => status)).toEqual(['success', 'halted']);
    const { run: runOn } = await start({}, find('', { whenNone: 'continue' }), last);
    expect(await runOn()).toEqual([
      ['success', { [platform.searchFound.is]: false }],
      ['success', undefined],
    ]);
  });

  test("the form of a search has the editor's own settings, which the app doesn't get", async () => {
    const { editor, zap } = await start({}, find('a'));
    await editor.open(zap, 1);
    const [, search] = zap.steps;
    if (!search) throw new Error('The Zap has no search.');
    const kind = kindOf(search);
    expect(kind.entered(search)).toEqual({ name: 'a', 'zapier-results': 'first', 'zapier-whenNone': 'stop' });
    expect(kind.enter(search, { name: 'b', 'zapier-results': 'all', 'zapier-whenNone': 'junk' }, {})).toMatchObject({
      values: { name: 'b' },
      search: { results: 'all' },
    });
  });

  test.each([
    ['hold', 200, ['ask begins', 'ask ends', 'ask resumes'], ['success', { id: 1, answer: 'yes' }]],
    ['run', 200, ['ask begins', 'ask resumes', 'ask ends'], ['success', { answer: 'yes' }]],
    ['refuse', 410, ['ask begins', 'ask ends'], ['waiting', { id: 1 }]],
  ] as const)('of two callbacks before their step returned, one is taken: %s', async (early, status, order, came) => {
    const { run, service, log, callBack } = await start({ early, callbackQuery: 'dropped' }, ask);
    const responded: number[] = [];
    service.during = async () => {
      responded.push(await callBack(), await callBack());
      // With `run`, the rest goes on by itself meanwhile.
      await until(() => early !== 'run' || log.includes('ask resumes'));
    };
    const [[reached, output] = []] = await run();
    expect([reached, output]).toMatchObject(came);
    expect([responded, log]).toEqual([[status, 410], order]);
  });

  test.each([410, 200] as const)(
    'a callback whose address is used up gets %d, and goes on with nothing',
    async (used) => {
      const { run, log, settled, callBack } = await start({ usedCallback: used }, ask, note('after'));
      await run();
      expect([await callBack(), await callBack()]).toEqual([200, used]);
      await settled();
      expect(await callBack()).toBe(used);
      await settled();
      expect(log).toEqual(['ask begins', 'ask ends', 'ask resumes', 'note begins', 'note ends']);
    },
  );

  test.each([
    ['passed', { a: '1', b: 'ü & x' }],
    ['dropped', undefined],
  ] as const)('the query of a callback: %s', async (callbackQuery, querystring) => {
    const { run, settled, runs, callBack } = await start({ callbackQuery }, ask);
    await run();
    await callBack(`?${new URLSearchParams({ a: '1', b: 'ü & x' })}`);
    await settled();
    const { callback: _, ...output } = Object(runs.list()[0]?.steps[1]?.output);
    expect(output).toEqual({ id: 1, answer: 'yes', ...(querystring && { querystring }) });
  });

  test.each([
    ['new first', ['subscribed', 'subscribed', 'unsubscribed']],
    ['old first', ['subscribed', 'unsubscribed', 'subscribed']],
  ] as const)('a renewal: %s', async (renewal, order) => {
    const { log, subscriptions, zap, pass, service } = await start({ renewal }, last);
    service.lifetime = 3600;
    await subscriptions.turnOn(zap);
    service.lifetime = undefined;
    await pass(3600);
    expect(log).toEqual(order);
    expect(zap.subscription?.id).toBe('webhook-2');
  });

  test('a Zap whose renewal the service refused may start no more runs', async () => {
    const { subscriptions, zap, service, pass } = await start({ refusedRenewal: 'stop' }, last);
    service.lifetime = 3600;
    await subscriptions.turnOn(zap);
    service.isDown = true;
    await pass(3600);
    service.isDown = false;
    await pass(60);
    expect([zap.problem, zap.subscription?.id, service.subscriptions]).toEqual([
      "The subscription wasn't renewed. The service is down.",
      'webhook-1',
      2,
    ]);
  });

  test('a callback that comes more than 30 days later resumes nothing', async () => {
    const { run, log, callBack, pass } = await start({}, ask);
    await run();
    await pass(platform.callbackSeconds.is + 1);
    expect([await callBack(), log]).toEqual([410, ['ask begins', 'ask ends']]);
  });

  test('an instant trigger that is throttled waits five minutes at most', async () => {
    const { zapOn, deliver, service, runs } = await start();
    Object.assign(service, { isBusy: true, busySeconds: 4000 });
    await deliver(await zapOn(last), { isEarly: true });
    expect(runs.list()[0]?.steps[0]?.failure?.retryAfterSeconds).toBe(platform.hookThrottleSeconds.is);
  });

  test.each(['/hooks/none', '/callbacks/none', '/rpc'])(
    '%s takes 10 MB at most, however they are sent',
    async (path) => {
      const { url } = await start({}, last);
      const piece = new Uint8Array(platform.deliveryBytes.is / 4);
      const pieces = [piece, piece, piece, piece, piece];
      const body = new ReadableStream({
        pull: (to) => {
          const next = pieces.pop();
          if (next) to.enqueue(next);
          else to.close();
        },
      });
      const init = { method: 'POST', body, duplex: 'half' as const };
      expect((await fetch(url + path, init)).status).toBe(413);
    },
  );

  test.each([
    ['/callbacks/none', '{', 400],
    ['/callbacks/none', '{}', 410],
    ['/rpc', 'junk', 400],
    ['/rpc', '{"id":1,"method":"drop","params":[]}', 400],
    ['/hooks/none', '{}', 410],
    ['/elsewhere', '{}', 404],
  ])('%s responds to %s with %d', async (path, body, status) => {
    const { url } = await start({}, last);
    expect((await fetch(url + path, { method: 'POST', body })).status).toBe(status);
  });

  test('a delivery that is no JSON starts a run, too', async () => {
    const { zapOn, settled, runs } = await start();
    const zap = await zapOn(last);
    expect((await fetch(zap.subscription?.targetUrl ?? '', { method: 'POST', body: '{ not json' })).status).toBe(200);
    await settled();
    expect(runs.list()).toHaveLength(1);
  });

  test('a Zap of a single trigger gives the records of each delivery', async () => {
    const { turnOn } = await start();
    const live = await turnOn('came');
    await fetch(live.targetUrl, { method: 'POST', body: '{"id":7}' });
    expect(await live.nextRun()).toEqual([{ id: 7 }]);
    await live.turnOff();
    expect((await fetch(live.targetUrl, { method: 'POST', body: '{}' })).status).toBe(410);
  });
});

test('only four files have timers, so nothing can start after everything has settled', () => {
  const timers = /\b(?:setTimeout|setInterval|setImmediate|nextTick|queueMicrotask)\b/;
  const files = globSync('lab/zapier/{*,!(test)/**/*}.ts').filter((path) => timers.test(readFileSync(path, 'utf8')));
  expect(files.map((path) => path.replaceAll('\\', '/')).toSorted()).toEqual([
    'lab/zapier/core/clock.ts',
    'lab/zapier/core/work.ts',
    // The end of a step that takes too long.
    'lab/zapier/kinds/app-runner.ts',
    // The polls, a minute apart.
    'lab/zapier/starts/polling.ts',
  ]);
});

test('a page with much memory goes on after hundreds of runs, unlike a server of Zapier', () => {
  const checkMemory = jest.requireActual<() => void>('zapier-platform-core/src/tools/memory-checker');
  const large = { ...process.memoryUsage(), rss: 2 ** 40 };
  const usage = jest.spyOn(process, 'memoryUsage').mockImplementation(Object.assign(() => large, { rss: () => 0 }));
  const exit = jest.spyOn(process, 'exit').mockImplementation();
  for (let run = 0; run < 260; run += 1) checkMemory();
  expect([usage.mock.calls.length, exit.mock.calls]).toEqual([260, []]);
  usage.mockRestore();
  exit.mockRestore();
});
