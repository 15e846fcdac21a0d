import { describeValue, type FieldValue } from './form';
import { isMapped, resolveToText } from './mapping';
import { type Entered, enteredIn } from './merge';
import type { Step } from './zap';

const maxLength = 300;

const fill = (value: FieldValue, outputs: readonly unknown[]): FieldValue => {
  const text = (each: string) => resolveToText(each, outputs);
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map(text);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, text(each)]));
};

/** What the fields of a step would have with these outputs of the steps before, by field. */
export const fillIn = (step: Step, outputs: readonly unknown[]): Entered =>
  Object.fromEntries(Object.entries(enteredIn(step)).map(([key, value]) => [key, fill(value, outputs)]));

/** What the fields of a step that map data would have, by field and as short texts. */
export const previewOf = (step: Step, outputs: readonly unknown[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(enteredIn(step))
      .filter(([, value]) => isMapped(value))
      .map(([key, value]) => [key, describeValue(fill(value, outputs)).slice(0, maxLength)]),
  );
