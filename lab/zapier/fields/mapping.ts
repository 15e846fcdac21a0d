import { platform } from '../platform';
import type { FieldValue } from './form';

/** A reference to an output of an earlier step, such as `{{1.contact.phone}}`. */
export const reference = /\{\{(\d{1,4})\.([^{}]{1,200})\}\}/g;

/** Replaces each reference in a text. Steps count from 1. */
export const replaceReferences = (text: string, replace: (step: number, path: string) => string): string =>
  text.replace(reference, (_, step: string, path: string) => replace(Number(step), path));

/** The texts in the value of a field. */
export const textsOf = (value: FieldValue): string[] => (typeof value === 'string' ? [value] : Object.values(value));

/** The numbers of the steps that a value maps data of. */
export const numbersIn = (value: FieldValue): number[] =>
  textsOf(value).flatMap((text) => [...text.matchAll(reference)].map((match) => Number(match[1])));

/** Whether a value maps something from an earlier step. */
export const isMapped = (value: FieldValue): boolean => textsOf(value).some((text) => text.includes('{{'));

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The value at a path such as `contact.phone`, or undefined. */
export const valueAt = (record: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined), record);

/** Whether a value is a list without records, such as what line items have under one key. */
const isPlainList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((item) => !isRecord(item));

/** What Zapier keeps of a file until a later step needs it. */
const file = /^hydrate\|{3}.*\|{3}hydrate$/s;

/** A value as Zap history shows it, which has words in place of a file. */
const withoutFile = (value: unknown): unknown =>
  typeof value === 'string' && file.test(value) ? '(Exists but not shown)' : value;

/** A value of a record as a text, which is empty for nothing and JSON for a record. The items of a list are in a row. */
const toText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (isPlainList(value)) return value.map(toText).join(platform.lineItemSeparator.is);
  return isRecord(value) ? JSON.stringify(value) : String(withoutFile(value));
};

/** Replaces the references in a text. A text that is one reference becomes its value, such as a number or a list. */
export const resolveText = (text: string, outputs: readonly unknown[]): unknown => {
  const [only] = text.trim().matchAll(reference);
  if (only && only[0] === text.trim()) return withoutFile(valueAt(outputs[Number(only[1]) - 1], only[2] ?? '')) ?? '';
  return replaceReferences(text, (step, path) => toText(valueAt(outputs[step - 1], path)));
};

/** Replaces the references in a text. A value that is a record becomes JSON. */
export const resolveToText = (text: string, outputs: readonly unknown[]): string => toText(resolveText(text, outputs));

/** Replaces the references in the value of a field. */
export const resolveValue = (value: FieldValue, outputs: readonly unknown[]): unknown => {
  if (typeof value === 'string') return resolveText(value, outputs);
  if (Array.isArray(value)) return value.map((item) => resolveText(item, outputs));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveText(item, outputs)]));
};

/** An output that later steps can map, with its path. */
export interface Output {
  path: string;
  value: string;
  type: string;
}

/** The path of an output as the key of an output field: `contact.phone` is `contact__phone`. */
export const outputKey = (path: string): string => path.replaceAll(/\.\d+\./g, '[]').replaceAll('.', '__');

/** Whether a reference leads to the value at a path. None does for a name with a brace, a dot or over 200 characters. */
export const isMappable = (record: unknown, path: string): boolean => {
  const text = `{{1.${path}}}`;
  return text.match(reference)?.[0] === text && valueAt(record, path) !== undefined;
};

const maxOutputs = 150;
/** Data of earlier versions may be nested deeper than the stack. */
const maxDepth = 100;

const collect = (value: unknown, path: string, found: Output[], depth = 0): void => {
  if (found.length >= maxOutputs) return;
  if (depth < maxDepth && isRecord(value) && !isPlainList(value) && Object.keys(value).length > 0) {
    for (const [key, item] of Object.entries(value)) collect(item, path ? `${path}.${key}` : key, found, depth + 1);
    return;
  }
  const type = value === null ? 'empty' : Array.isArray(value) ? 'list' : typeof value;
  found.push({ path, value: isRecord(value) && !isPlainList(value) ? '' : toText(value), type });
};

/** The values of a record by path, at most 150. What's deeper than 100 levels has no text. */
export const outputsOf = (record: unknown): Output[] => {
  const found: Output[] = [];
  if (isRecord(record)) collect(record, '', found);
  return found;
};
