import type { FieldValue, Step } from './zap';

/** A reference to an output of an earlier step, such as `{{1.contact.phone}}`. */
export const reference = /\{\{(\d{1,4})\.([^{}]{1,200})\}\}/g;

/** Replaces each reference in a text. Steps count from 1. */
export const replaceReferences = (text: string, replace: (step: number, path: string) => string): string =>
  text.replace(reference, (_, step: string, path: string) => replace(Number(step), path));

/** A reference to a step that was removed, such as `{{removed.contact.phone}}`. */
const removedReference = /\{\{removed\.[^{}]{1,200}\}\}/;

const mapEntries = <T, U>(entries: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, change(value)]));

const changeTexts = (value: string | string[], change: (text: string) => string): string | string[] =>
  typeof value === 'string' ? change(value) : value.map(change);

const changeValue = (value: FieldValue, change: (text: string) => string): FieldValue =>
  typeof value === 'string' || Array.isArray(value) ? changeTexts(value, change) : mapEntries(value, change);

const changeStep = (step: Step, change: (text: string) => string): Step => {
  if (step.type === 'delay') return step;
  const onlyIf = step.onlyIf && { ...step.onlyIf, value: change(step.onlyIf.value) };
  return step.type === 'own'
    ? { ...step, onlyIf, values: mapEntries(step.values, (value) => changeValue(value, change)) }
    : { ...step, onlyIf, fields: mapEntries(step.fields, (value) => changeTexts(value, change)) };
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

/** The steps with another one at `index`. Later steps map the same data as before. */
export const withStep = (steps: readonly Step[], index: number, added: Step): Step[] => {
  const next = (number: number) => (number > index ? number + 1 : number);
  return [...steps.slice(0, index), added, ...renumber(steps.slice(index), next)];
};

/** The texts in the value of a field. */
export const textsOf = (value: FieldValue): string[] => (typeof value === 'string' ? [value] : Object.values(value));

/**
 * Returns a sentence when a value maps data that no step before gives, or undefined. `name` begins the sentence, such
 * as the label of a field. `earlierSteps` is how many steps come before.
 */
export const findBrokenReference = (name: string, value: FieldValue, earlierSteps: number): string | undefined => {
  const texts = textsOf(value);
  if (texts.some((text) => removedReference.test(text))) {
    return `${name} uses data of a step that was removed. Choose other data.`;
  }
  const missing = texts
    .flatMap((text) => [...text.matchAll(reference)].map((match) => Number(match[1])))
    .find((number) => number < 1 || number > earlierSteps);
  if (missing === undefined) return undefined;
  return `${name} uses step ${missing}, which isn't an earlier step of this Zap. Choose other data.`;
};

/** Returns a sentence about the first text of a step that maps data that no step before gives, or undefined. */
export const findBrokenStep = (step: Step, earlierSteps: number): string | undefined => {
  if (step.type === 'delay') return undefined;
  const values: Record<string, FieldValue> = step.type === 'own' ? step.values : step.fields;
  for (const [key, value] of Object.entries(values)) {
    const problem = findBrokenReference(`The field ${key}`, value, earlierSteps);
    if (problem) return problem;
  }
  return findBrokenReference('The filter', step.onlyIf?.value ?? '', earlierSteps);
};
