import { createHash } from 'node:crypto';
import type { Definition } from '../core/definition';
import { replaceReferences } from '../fields/mapping';
import type { Problems } from '../fields/values';
import type { Step } from '../kinds';
import type { Run } from '../runs/run';
import { effectOf } from '../zap/versions';
import { findStepProblems } from './problems';

/** What a step needs until its Zap can run. */
export type StepState = { status: 'incomplete'; problems: Problems } | { status: 'complete' | 'tested' | 'failed' };

/** A short text that differs when a step does something else than when it was tested. `steps` are those of its Zap. */
export const fingerprintOf = (step: Step, steps: readonly Step[]): string => {
  // A step that moves maps the same data by another number.
  const effect = replaceReferences(
    JSON.stringify({ ...effectOf(step), name: undefined }),
    (number, path) => `{{${steps[number - 1]?.id}.${path}}}`,
  );
  return createHash('sha256').update(effect).digest('base64url').slice(0, 12);
};

/** The last test of a step, if there is one. `runs` has the newest first. */
export const findTest = (runs: readonly Run[], { id }: Step): Run | undefined =>
  runs.find(({ alone }) => alone?.step === id);

/** Whether a step still does what it did in its test. */
export const isCurrent = ({ alone }: Run, step: Step, steps: readonly Step[]): boolean =>
  alone?.fingerprint === fingerprintOf(step, steps);

/** What the end of a test says. A test that waits hasn't ended. */
const byTest: Partial<Record<Run['status'], 'tested' | 'failed'>> = {
  success: 'tested',
  filtered: 'tested',
  error: 'failed',
  halted: 'failed',
  held: 'failed',
};

/** What the step at `index` needs. `refusals` are what a run would refuse of it. */
export const stateOf = (
  definition: Definition,
  steps: readonly Step[],
  index: number,
  runs: readonly Run[],
  refusals: Problems = {},
): StepState => {
  const step = steps[index];
  if (!step) return { status: 'complete' };
  const problems = { ...refusals, ...findStepProblems(definition, step, steps.slice(0, index)) };
  if (Object.keys(problems).length > 0) return { status: 'incomplete', problems };
  const test = findTest(runs, step);
  if (!test || !isCurrent(test, step, steps)) return { status: 'complete' };
  return { status: byTest[test.status] ?? 'complete' };
};
