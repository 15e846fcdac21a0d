import { isDeepStrictEqual } from 'node:util';
import type { Definition } from '../core/definition';
import type { Failure, StepResult } from '../core/result';
import { isEmpty } from '../fields/form';
import type { Problems } from '../fields/values';
import { kindOf, type Step } from '../kinds';
import { inputOf } from '../kinds/app-runner';
import type { Run } from '../runs/run';
import { asApp, examplesOf, operationOf } from '../zap/steps';
import { digest, fingerprintOf } from '../zap/versions';
import { findFailedField, findStepProblems } from './problems';

/** What a step needs until its Zap can run. */
export type StepState =
  | { status: 'incomplete'; problems: Problems }
  | { status: 'complete' | 'tested' }
  | {
      status: 'failed';
      /** What the last run of the step came to. */
      result: StepResult & { failure: Failure };
    };

/** A short text that differs when the form of a step shows something else. */
export const formVersion = (step: Step): string => {
  const filled = Object.entries(kindOf(step).entered(step)).filter(([, value]) => !isEmpty(value));
  return digest(JSON.stringify([operationOf(step), filled]));
};

/** The last test of a step, if there is one. `runs` has the newest first. */
export const findTest = (runs: readonly Run[], { id }: Step): Run | undefined =>
  runs.find(({ alone }) => alone?.step === id);

/** What a step did when it ran. Runs of earlier versions don't say it. */
const fingerprintIn = ({ alone, stepIds, fingerprints }: Run, { id }: Step): string | undefined =>
  alone ? alone.fingerprint : fingerprints?.[stepIds?.indexOf(id) ?? -1];

/** Whether a step still does what it did in a run of it alone or of its whole Zap. */
export const isCurrent = (run: Run, step: Step, steps: readonly Step[]): boolean =>
  fingerprintIn(run, step) === fingerprintOf(step, steps);

/** The result of a step in a run of it alone or of its whole Zap. */
const resultIn = (run: Run, step: Step): StepResult | undefined =>
  run.alone?.step === step.id ? run.steps[0] : run.steps[run.stepIds?.indexOf(step.id) ?? -1];

/** Whether a test of a step of the app had the data that the steps before give now. */
const hasSameData = (definition: Definition, { input }: StepResult, step: Step, steps: readonly Step[]): boolean => {
  const own = asApp(step);
  return !own || isDeepStrictEqual(input, inputOf(own, examplesOf(definition, steps.slice(0, steps.indexOf(step)))));
};

/** What the last run that reached a step says of it. A run says nothing of a step, or of a test's data, that changed since. */
const lastResult = (
  definition: Definition,
  runs: readonly Run[],
  step: Step,
  steps: readonly Step[],
): StepResult | undefined => {
  for (const run of runs) {
    const result = isCurrent(run, step, steps) ? resultIn(run, step) : undefined;
    if (result && (!run.alone || hasSameData(definition, result, step, steps))) return result;
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
  const result = lastResult(definition, runs, step, steps);
  if (result?.failure) return { status: 'failed', result: { ...result, failure: result.failure } };
  const test = findTest(runs, step);
  const isTested = test && isCurrent(test, step, steps) && ['success', 'filtered'].includes(test.status);
  return { status: isTested ? 'tested' : 'complete' };
};

/** What the last run of a step said of one of its fields. */
export const findProblemOfRun = (step: Step, state: StepState | undefined): Problems =>
  state?.status === 'failed' ? findFailedField(step, state.result.failure.message) : {};
