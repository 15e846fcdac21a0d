import type { FieldValue } from './form';

/** What people enter in a step's form, by field. */
export type Entered = Record<string, FieldValue>;

/** Sentences by the key of a field, or of `operation`. */
export type Problems = Record<string, string>;

/** A record with each of its values changed. */
export const mapEntries = <T, U>(entries: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, change(value)]));

/** A text or the items of a list, each changed. */
export const changeTexts = (value: string | string[], change: (text: string) => string): string | string[] =>
  typeof value === 'string' ? change(value) : value.map(change);

/** The value of a field with each of its texts changed. */
export const changeValue = (value: FieldValue, change: (text: string) => string): FieldValue =>
  typeof value === 'string' || Array.isArray(value) ? changeTexts(value, change) : mapEntries(value, change);
