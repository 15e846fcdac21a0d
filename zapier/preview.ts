import type { FieldValue } from './form';
import { isMapped, resolveText } from './mapping';
import { enteredIn } from './merge';
import type { Step } from './zap';

const maxLength = 300;

const toText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const resolve = (value: FieldValue, outputs: readonly unknown[]): string => {
  const text = (each: string) => toText(resolveText(each, outputs));
  if (typeof value === 'string') return text(value);
  const texts = Array.isArray(value)
    ? value.map(text)
    : Object.entries(value).map(([name, each]) => `${name}: ${text(each)}`);
  return texts.join(', ');
};

/** What the fields of a step that map data would have with these outputs of the steps before, by field. */
export const previewOf = (step: Step, outputs: readonly unknown[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(enteredIn(step))
      .filter(([, value]) => isMapped(value))
      .map(([key, value]) => [key, resolve(value, outputs).slice(0, maxLength)]),
  );
