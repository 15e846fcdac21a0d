import type { StepResult } from '../core/result';
import type { Step } from '../kinds';

type Steps = readonly (Pick<Step, 'type'> & { rules?: readonly unknown[] })[];

/** Whether a step begins a path. */
export const isPath = ({ type }: Pick<Step, 'type'>): boolean => type === 'path';

/** Whether a Zap has paths. */
export const hasPaths = (steps: Steps): boolean => steps.some(isPath);

/** The position after a step, or after the last step of the path that it begins. */
export const endOfPath = (steps: Steps, index: number): number => {
  if (!hasPaths(steps.slice(index, index + 1))) return index + 1;
  const next = steps.findIndex((step, at) => at > index && isPath(step));
  return next < 0 ? steps.length : next;
};

/** The position of the path that a step is on, or -1 before the first path. */
const pathAt = (steps: Steps, index: number): number => steps.slice(0, index + 1).findLastIndex(isPath);

/** The positions of the steps that lead to one: those before the first path, and those on its own path. */
export const leadingTo = (steps: Steps, index: number): number[] =>
  [...steps.keys()].slice(0, index).filter((at) => [-1, pathAt(steps, index)].includes(pathAt(steps, at)));

/** Whether a path has no rules, so that it's the fallback, and the run went along another one. */
const isUnneeded = (steps: Steps, results: readonly StepResult[], index: number): boolean =>
  steps.slice(index, index + 1).some((step) => isPath(step) && step.rules?.length === 0) &&
  steps.some((step, at) => isPath(step) && at !== index && results[at]?.status === 'success');

/** Whether a filter or a path that stopped keeps a step from running, or a fallback isn't needed. */
export const isSkipped = (steps: Steps, results: readonly StepResult[], index: number): boolean =>
  isUnneeded(steps, results, index) || leadingTo(steps, index).some((at) => results[at]?.status === 'filtered');

/** Whether nothing comes after a step, on its path or at all. */
const isEnd = (steps: Steps, index: number): boolean =>
  index === steps.length - 1 || (hasPaths(steps.slice(index + 1, index + 2)) && pathAt(steps, index) >= 0);

/** Whether filters and paths stopped a run before each of its ends. */
export const isFiltered = (steps: Steps, results: readonly StepResult[]): boolean =>
  results.every(({ status }, at) => status === 'filtered' || !isEnd(steps, at));
