import { randomUUID } from 'node:crypto';
import type { Definition } from '../core/definition';
import { newStep, type Step } from '../kinds';
import { endOfPath, hasPaths, isPath } from './paths';
import { swapped, withoutStep, withStep } from './renumber';
import { readsOf, titleOf } from './steps';

const firstLetter = 'A'.charCodeAt(0);

/** An empty path, named by the next letter. */
const newPath = (steps: readonly Step[]): Step => {
  const paths = steps.filter(isPath).length;
  return { ...newStep('path', randomUUID()), name: `Path ${String.fromCharCode(firstLetter + paths)}` };
};

/** The steps with a path at `index`. The first one gets a second at the end, because a single path is a filter. */
const withPath = (steps: readonly Step[], index: number): Step[] => {
  const added = withStep(steps, index, newPath(steps));
  return hasPaths(steps) ? added : [...added, newPath(added)];
};

/** The steps with an empty one at `index`: with an operation of the app, or of the type `other`, `filter`, `path` or `delay`. */
export const withNewStep = (steps: readonly Step[], index: number, operation: string): Step[] =>
  operation === 'path' ? withPath(steps, index) : withStep(steps, index, newStep(operation, randomUUID()));

/** The steps with a copy of one after it. */
export const withCopy = (steps: readonly Step[], index: number): Step[] => {
  const step = steps[index];
  return step ? withStep(steps, index + 1, { ...structuredClone(step), id: randomUUID() }) : [...steps];
};

/** The steps without the one at `index`. A path goes with the steps on it, because without the path they would always run. */
export const withoutStepOrPath = (steps: readonly Step[], index: number): Step[] => {
  const count = endOfPath(steps, index) - index;
  return Array.from({ length: count }).reduce<Step[]>((rest) => withoutStep(rest, index), [...steps]);
};

/**
 * The steps with the one at `index` and the next one in the other order, or a sentence when that can't be. The trigger
 * stays first.
 */
export const swapSteps = (definition: Definition, steps: readonly Step[], index: number): Step[] | string => {
  const [upper, lower] = [steps[index], steps[index + 1]];
  if (index < 1 || !upper || !lower) return 'The step is at the end of its Zap, so nothing moved.';
  if (!readsOf(lower).includes(index + 1)) return swapped(steps, index);
  const [reader, source] = [titleOf(definition, lower), titleOf(definition, upper)];
  return `Step ${index + 2}, ${reader}, uses data of step ${index + 1}, ${source}, and has to come after that step, so nothing moved.`;
};
