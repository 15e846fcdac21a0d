import type { Definition } from '../core/definition';
import { numbersIn } from '../fields/mapping';
import { findBrokenReference } from '../fields/references';
import { type AppStep, kindOf, type OtherStep, type RulesStep, type Step, type StepAlone } from '../kinds';

/** What the editor and Zap history call a step. */
export const titleOf = (definition: Definition, step: Step): string =>
  step.name ?? kindOf(step).title(step, definition);

/** What a step gives while the Zap is built: what its last test gave, or its sample. */
export const exampleOf = (definition: Definition, step: Step, before: readonly unknown[] = []): unknown =>
  kindOf(step).example(step, definition, before);

/** What each of the first steps of a Zap gives while it's built. */
export const examplesOf = (definition: Definition, steps: readonly Step[]): unknown[] => {
  const examples: unknown[] = [];
  for (const step of steps) examples.push(exampleOf(definition, step, examples));
  return examples;
};

/** What the list of operations calls a step: the path of an operation of the app, or the kind of another step. */
export const operationOf = (step: StepAlone): string => (step.type === 'app' ? step.operation : step.type);

/** The step, if it's one of the app. */
export const asApp = (step: Step | undefined): AppStep | undefined => (step?.type === 'app' ? step : undefined);

/** Whether a step decides by rules whether a run continues. */
export const hasRules = (step: Step): step is RulesStep => 'rules' in step;

/** Whether a step has an example of what another app gives. */
export const hasRecord = (step: Step): step is OtherStep => 'json' in step;

/** The numbers of the steps that a step maps data of. */
export const readsOf = (step: Step): number[] =>
  kindOf(step)
    .mapped(step)
    .flatMap(({ value }) => numbersIn(value));

/** Returns a sentence about the first text of a step that maps data that no step before gives, or undefined. */
export const findBrokenStep = (step: Step, earlierSteps: number): string | undefined => {
  for (const mapped of kindOf(step).mapped(step)) {
    const problem = findBrokenReference(mapped, earlierSteps);
    if (problem) return problem;
  }
  return undefined;
};
