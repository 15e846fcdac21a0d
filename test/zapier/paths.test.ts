import type { StepResult } from '../../zapier/core/result';
import { isFiltered, isSkipped, leadingTo } from '../../zapier/zap/paths';
import { zap as zapSchema } from '../../zapier/zap/zap';

type Kind = 'app' | 'filter' | 'path';

const stepsOf = (kinds: readonly Kind[]) => kinds.map((type) => ({ type }));

/** Runs steps of which those at the given positions stop. Returns the status of each, and of the run. */
const run = (kinds: readonly Kind[], stopping: readonly number[]) => {
  const [steps, results]: [ReturnType<typeof stepsOf>, StepResult[]] = [stepsOf(kinds), []];
  for (const at of steps.keys()) {
    const stops = isSkipped(steps, results, at) || stopping.includes(at);
    results.push({ title: 'Step', status: stops ? 'filtered' : 'success', requests: [] });
  }
  const ran = [...results.keys()].filter((at) => results[at]?.status === 'success');
  return { ran, isFiltered: isFiltered(steps, results) };
};

test('a filter that stops ends the run, also after steps that ran and before paths', () => {
  expect(run(['app', 'app', 'filter', 'app'], [2])).toEqual({ ran: [0, 1], isFiltered: true });
  expect(run(['app', 'filter', 'path', 'app', 'path', 'app'], [1])).toEqual({ ran: [0], isFiltered: true });
  expect(run(['app', 'filter', 'app'], [])).toEqual({ ran: [0, 1, 2], isFiltered: false });
});

test('a path that stops is skipped up to the next one', () => {
  const kinds: Kind[] = ['app', 'path', 'app', 'path', 'app', 'app'];
  expect(run(kinds, [1])).toEqual({ ran: [0, 3, 4, 5], isFiltered: false });
  expect(run(kinds, [3])).toEqual({ ran: [0, 1, 2], isFiltered: false });
  expect(run(kinds, [1, 3])).toEqual({ ran: [0], isFiltered: true });
});

test('a filter on a path stops that path alone', () => {
  const kinds: Kind[] = ['app', 'path', 'filter', 'app', 'path', 'app'];
  expect(run(kinds, [2])).toEqual({ ran: [0, 1, 4, 5], isFiltered: false });
  expect(run(kinds, [2, 4])).toEqual({ ran: [0, 1], isFiltered: true });
});

test('a step reads the steps before the paths and those on its own path', () => {
  const steps = stepsOf(['app', 'app', 'path', 'app', 'path', 'app', 'app']);
  expect(leadingTo(steps, 3)).toEqual([0, 1, 2]);
  expect(leadingTo(steps, 4)).toEqual([0, 1]);
  expect(leadingTo(steps, 6)).toEqual([0, 1, 4, 5]);
});

test('a step with a condition of an earlier version is not read, because without it the step would always run', () => {
  const step = { type: 'other', id: 'a', app: 'Sheets', event: 'New Row', fields: {}, json: '{}' };
  const read = (extra: object) =>
    zapSchema.safeParse({ id: 'zap-1', title: 'Earlier', steps: [{ ...step, ...extra }], isOn: false, seen: [] });
  expect(read({}).success).toBe(true);
  expect(read({ onlyIf: { value: '{{1.status}}', is: 'failed' } }).success).toBe(false);
});
