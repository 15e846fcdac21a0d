/** What an app limits by `throttle` and `lock`. */
import fc from 'fast-check';
import { newService, startSmall, step, stopAll } from './small-app';

afterEach(stopAll);

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
  const { promise, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  service.during = () => {
    begin();
    return promise;
  };
  const first = runner.startWith(zap, 'live', { id: 1, name: 'Noor' });
  await begun;
  service.during = async () => undefined;
  await Promise.all([
    runner.startWith(zap, 'live', { id: 2, name: 'Noor' }),
    runner.startWith(zap, 'live', { id: 3, name: 'Sam' }),
  ]);
  expect(service.ran).toEqual(['Noor', 'Sam']);
  resolve();
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
