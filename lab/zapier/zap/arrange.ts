import { randomUUID } from 'node:crypto';
import type { Definition } from '../core/definition';
import { newStep, type Step } from '../kinds';
import { endOfPath, hasPaths, isPath } from './paths';
import { swapped, withoutStep, withStep } from './renumber';
import { readsOf, titleOf } from './steps';

const firstLetter = 'A'.charCodeAt(0);

/** A path with the next letter as its name. */
const nameNext = (path: Step, steps: readonly Step[]): Step => {
  const letter = String.fromCharCode(firstLetter + steps.filter(isPath).length);
  return { ...structuredClone(path), id: randomUUID(), name: `Path ${letter}` };
};

/** The steps with a path at `index`. The first one gets a second at the end, because a single path is a filter. */
const withPath = (steps: readonly Step[], index: number, path: Step): Step[] => {
  const added = withStep(steps, index, nameNext(path, steps));
  return hasPaths(steps) ? added : [...added, nameNext(path, added)];
};

/** The steps with an empty one at `index`: with an operation of the app, or of another kind. */
export const withNewStep = (steps: readonly Step[], index: number, operation: string): Step[] => {
  const added = newStep(operation, randomUUID());
  return isPath(added) ? withPath(steps, index, added) : withStep(steps, index, added);
};

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
