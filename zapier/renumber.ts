import type { FieldValue } from './form';
import { replaceReferences } from './mapping';
import type { Rule } from './rules';
import type { Step } from './zap';

const mapEntries = <T, U>(entries: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, change(value)]));

const changeTexts = (value: string | string[], change: (text: string) => string): string | string[] =>
  typeof value === 'string' ? change(value) : value.map(change);

const changeValue = (value: FieldValue, change: (text: string) => string): FieldValue =>
  typeof value === 'string' || Array.isArray(value) ? changeTexts(value, change) : mapEntries(value, change);

const changeRule = (rule: Rule, change: (text: string) => string): Rule => ({
  ...rule,
  value: change(rule.value),
  text: change(rule.text),
});

/** A step as it is with one operation. */
type StepAlone = NonNullable<Step['before']>[string];

const changeAlone = (step: StepAlone, change: (text: string) => string): StepAlone => {
  switch (step.type) {
    case 'own':
      return { ...step, values: mapEntries(step.values, (value) => changeValue(value, change)) };
    case 'other':
      return { ...step, fields: mapEntries(step.fields, (value) => changeTexts(value, change)) };
    case 'delay':
      return step;
    default:
      return { ...step, rules: step.rules.map((rule) => changeRule(rule, change)) };
  }
};

const changeStep = ({ before, ...step }: Step, change: (text: string) => string): Step => {
  const changed = changeAlone(step, change);
  return before ? { ...changed, before: mapEntries(before, (each) => changeAlone(each, change)) } : changed;
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
