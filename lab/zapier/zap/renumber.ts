import { replaceReferences } from '../fields/mapping';
import { mapEntries } from '../fields/values';
import { kindOf, type Step } from '../kinds';

const changeStep = ({ before, ...step }: Step, change: (text: string) => string): Step => {
  const changed = kindOf(step).remap(step, change);
  return before ? { ...changed, before: mapEntries(before, (each) => kindOf(each).remap(each, change)) } : changed;
};

const renumber = (steps: readonly Step[], change: (step: number) => number | 'removed'): Step[] =>
  steps.map((step) =>
    changeStep(step, (text) => replaceReferences(text, (number, path) => `{{${change(number)}.${path}}}`)),
  );

/** The steps without the one at `index`. Later steps map the same data as before. What they map from it is marked. */
export const withoutStep = (steps: readonly Step[], index: number): Step[] => {
  const removed = index + 1;
  const next = (number: number) => (number === removed ? 'removed' : number > removed ? number - 1 : number);
  return [...steps.slice(0, index), ...renumber(steps.slice(removed), next)];
};

/** The steps with the one at `index` and the next one in the other order. Each maps the same data as before. */
export const swapped = (steps: readonly Step[], index: number): Step[] => {
  const [upper, lower] = [index + 1, index + 2];
  const next = (number: number) => (number === upper ? lower : number === lower ? upper : number);
  const inOrder = [...steps.slice(0, index), ...steps.slice(index, index + 2).toReversed(), ...steps.slice(index + 2)];
  return renumber(inOrder, next);
};

/** The steps with another one at `index`. Later steps map the same data as before. */
export const withStep = (steps: readonly Step[], index: number, added: Step): Step[] => {
  const next = (number: number) => (number > index ? number + 1 : number);
  return [...steps.slice(0, index), added, ...renumber(steps.slice(index), next)];
};
