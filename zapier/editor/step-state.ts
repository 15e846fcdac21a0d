import { createHash } from 'node:crypto';
import type { Definition } from '../core/definition';
import type { StepResult } from '../core/result';
import { isEmpty } from '../fields/form';
import { replaceReferences } from '../fields/mapping';
import type { Problems } from '../fields/values';
import { kindOf, type Step } from '../kinds';
import type { Run } from '../runs/run';
import { operationOf } from '../zap/steps';
import { effectOf } from '../zap/versions';
import { findStepProblems } from './problems';

/** What a step needs until its Zap can run. */
export type StepState =
  | { status: 'incomplete'; problems: Problems }
  | { status: 'complete' | 'tested' }
  | {
      status: 'failed';
      /** What the last run of the step said. */
      message: string;
    };

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 12);

/** A short text that differs when the form of a step shows something else. */
export const formVersion = (step: Step): string => {
  const filled = Object.entries(kindOf(step).entered(step)).filter(([, value]) => !isEmpty(value));
  return digest(JSON.stringify([operationOf(step), filled]));
};

/** A short text that differs when a step does something else than when it was tested. `steps` are those of its Zap. */
export const fingerprintOf = (step: Step, steps: readonly Step[]): string => {
  // A step that moves maps the same data by another number.
  const effect = replaceReferences(
    JSON.stringify({ ...effectOf(step), name: undefined }),
    (number, path) => `{{${steps[number - 1]?.id}.${path}}}`,
  );
  return digest(effect);
};

/** The last test of a step, if there is one. `runs` has the newest first. */
export const findTest = (runs: readonly Run[], { id }: Step): Run | undefined =>
  runs.find(({ alone }) => alone?.step === id);

/** Whether a step still does what it did in its test. */
export const isCurrent = ({ alone }: Run, step: Step, steps: readonly Step[]): boolean =>
  alone?.fingerprint === fingerprintOf(step, steps);

/** The result of a step in a run of it alone or of its whole Zap. */
const resultIn = (run: Run, step: Step): StepResult | undefined =>
  run.alone?.step === step.id ? run.steps[0] : run.steps[run.stepIds?.indexOf(step.id) ?? -1];

/** What the last run that reached a step says of it. A test says nothing of a step that changed since. */
const lastResult = (runs: readonly Run[], step: Step, steps: readonly Step[]): StepResult | undefined => {
  for (const run of runs) {
    const result = !run.alone || isCurrent(run, step, steps) ? resultIn(run, step) : undefined;
    if (result) return result;
  }
  return undefined;
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
  const message = lastResult(runs, step, steps)?.failure?.message;
  if (message !== undefined) return { status: 'failed', message };
  const test = findTest(runs, step);
  const isTested = test && isCurrent(test, step, steps) && ['success', 'filtered'].includes(test.status);
  return { status: isTested ? 'tested' : 'complete' };
};
