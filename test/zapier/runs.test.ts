/** Runs of Zaps: replays, holds, delays, callbacks, and what an earlier process left. */
import fc from 'fast-check';
import { hasEnded } from '../../zapier/runs/run';
import { MemoryStore } from '../../zapier/zap/store';
import { newService, note, startSmall, step, stopAll } from './small-app';

afterEach(stopAll);

const record = { id: 1, person: { name: 'Noor' } };

/** A promise, and what fulfills it. */
const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
};

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
        const wait = { type: 'delay', id: 'delay', value: String(value), unit } as const;
        await deliver(await zapOn(note('{{1.person.name}}'), wait, note('{{2.name}} {{1.id}}')), record);
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

test('a delay without a number stops its run', async () => {
  const { zapOn, deliver, runs, service } = await startSmall();
  const delay = { type: 'delay', id: 'delay', value: '{{1.hours}}', unit: 'hours' } as const;
  await deliver(await zapOn(delay, note('second')), { hours: 'soon' });
  expect(runs.list()[0]?.steps[1]?.failure?.message).toContain('must be a number from 1 to 744, not "soon".');
  expect(service.ran).toEqual([]);
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
  const zap = await before.zapOn(
    note('first'),
    { type: 'delay', id: 'delay', value: '1', unit: 'hours' },
    note('{{1.id}}'),
  );
  await before.deliver(zap, { id: 'waits' });
  const { promise, open } = gate();
  service.during = () => promise;
  void before.runner.startWith(zap, 'live', { id: 'stopped' });
  while (service.ran.length < 2) await new Promise(setImmediate);

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
