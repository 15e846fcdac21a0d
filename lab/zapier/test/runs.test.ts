/** Zaps that run: how a run waits, fails, goes on and ends. */
import type { Step } from '../kinds';
import { hasEnded, type Run } from '../runs/run';
import { MemoryStore } from '../zap/store';
import { gate, newService, note, startSmall, step, stopAll, until } from './small-app';

afterEach(stopAll);

/** Returns the run that started last. */
const newestOf = (runs: { list: () => readonly Run[] }): Run => {
  const [newest] = runs.list();
  if (!newest) throw new Error('No run started.');
  return newest;
};

describe('runs', () => {
  const record = { id: 1, person: { name: 'Noor' } };

  const wait = { type: 'delay', id: 'delay', value: '1', unit: 'hours' } as const;
  const untilTime = { ...wait, value: '', event: 'until', until: '{{1.at}}' } as const;

  test('a replay runs again with the record that started the run, also after the Zap was changed', async () => {
    const { zapOn, deliver, zaps, runner, runs, settled, service } = await startSmall();
    const zap = await zapOn(note('{{1.person.name}}'));
    await deliver(zap, record);
    const first = newestOf(runs);
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

  const daySeconds = 24 * 60 * 60;

  test.each([
    [2, ' -1d', daySeconds],
    [1, ' + 90m -1h', daySeconds + 30 * 60],
    [1, '', daySeconds],
  ])('a run waits until %d days ahead with "%s"', async (days, modifiers, seconds) => {
    const { zapOn, deliver, pass, service, statuses } = await startSmall();
    const at = new Date(service.now() + days * daySeconds * 1000).toISOString();
    await deliver(await zapOn(untilTime, note('{{1.at}}')), { at: at + modifiers });
    await pass(seconds - 1);
    expect(statuses()).toEqual(['delayed']);
    await pass(1);
    expect(statuses()).toEqual(['success']);
  });

  const looped = { type: 'loop', id: 'loop', values: { phone: '{{1.phones}}', name: '{{1.names}}' } } as const;

  test.each<[what: string, step: Step, reason: string]>([
    [
      'a delay until over 31 days ahead',
      { ...untilTime, until: '2999-01-01' },
      'must be within 31 days, not "2999-01-01"',
    ],
    ['a delay until no time', { ...untilTime, until: 'soon' }, `"soon" isn't a date and time`],
    ['a delay for less than nothing', { ...wait, value: '-1' }, 'must be a number from 1 to 744, not "-1"'],
    ['a delay for over 31 days', { ...wait, value: '745' }, 'must be a number from 1 to 744, not "745"'],
    ['a loop of over 500 items', looped, 'A loop runs for 500 items at most, not 501'],
  ])('a run stops at %s, and says why', async (_what, step, reason) => {
    const { zapOn, deliver, service, runs } = await startSmall();
    await deliver(await zapOn(step, note('after')), { phones: Array(501).fill('one') });
    expect(newestOf(runs).steps[1]).toMatchObject({
      status: 'error',
      failure: { message: expect.stringContaining(reason) },
    });
    expect(service.ran).toEqual([]);
  });

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

  test('a run that waits has not ended, and goes on with what its callback brings', async () => {
    const { zapOn, deliver, runs, settled, service } = await startSmall();
    await deliver(await zapOn(step('creates.ask', 'first'), note('{{2.reply}} {{2.id}}')));
    const waiting = newestOf(runs);
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

  test('an Autoreplay goes on once, at the step that failed', async () => {
    const { zapOn, deliver, runs, runner, settled, service } = await startSmall();
    const zap = await zapOn(note('first'), step('creates.fail', 'second'), note('third'));
    service.isDown = true;
    await deliver(zap);
    service.isDown = false;
    const failed = newestOf(runs);
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
});

describe('throttle and lock', () => {
  const mapped = (operation: string) => step(operation, '{{1.name}}');

  test('a run over the limit of its value is held until its window ends, and nothing is lost', async () => {
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
    await deliver(zap, { id: 3, name: 'Sam' });
    expect(service.ran).toEqual(['Noor', 'Noor', 'Sam']);
    await pass(599);
    expect(service.ran).toHaveLength(3);
    await pass(1);
    expect([service.ran.length, ...statuses()]).toEqual([4, ...Array(4).fill('success')]);
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
});
