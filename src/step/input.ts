import type { InferInputData, InputField, PlainInputField } from 'zapier-platform-core';
import { asRecord, parseJson } from '../api/json';
import type { FieldLabels } from '../api/labels';
import { foldCase, readText, readTexts } from '../text/fold';
import { halt, quote } from './errors';

/** Returns what a form calls its fields, by their keys. */
export const formLabels = (fields: readonly InputField[]): FieldLabels =>
  Object.fromEntries(
    fields.flatMap((field) => (typeof field === 'object' && 'key' in field ? [[field.key, field.label]] : [])),
  );

/**
 * Returns the choices of a field, each as its value and label, in the order in which people see them. Zapier keeps the order
 * of an array only. `sample` is a legacy key that it still requires.
 */
export const ordered = <const V extends string>(
  ...choices: readonly (readonly [value: V, label: string])[]
): { value: V; label: string; sample: V }[] => choices.map(([value, label]) => ({ value, label, sample: value }));

/** Returns what a text says in JSON, such as `["vip", "new"]`; the text itself if that's no JSON of this kind. */
const readJson = (value: unknown, start: '[' | '{'): unknown => {
  if (typeof value !== 'string' || !value.trimStart().startsWith(start)) return value;
  return parseJson(value) ?? value;
};

/** Splits items at commas, semicolons and line breaks, except in a field of type `text`, whose items may contain them. */
const readListField = (field: PlainInputField, value: unknown): string[] => {
  if (field.type === 'text') return readTexts(value);
  return [value]
    .flat()
    .flatMap((each) => readTexts(readJson(each, '[')))
    .flatMap((item) => item.split(/[,;\n]/))
    .map((item) => item.trim())
    .filter((item) => item !== '');
};

/** Returns a mapped dictionary as text by name, without blank names and values. */
export const readDictionary = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(asRecord(value)).flatMap(([name, item]) => {
      const text = readText(item);
      return name.trim() && text ? [[name.trim(), text]] : [];
    }),
  );

/** Returns a name that a mapped dictionary has twice, with other spaces around it, if there is one. */
const nameGivenTwice = (value: unknown): string | undefined => {
  const full = Object.entries(asRecord(value)).filter(([, item]) => readText(item) !== undefined);
  const names = Map.groupBy(full, ([name]) => name.trim());
  return [...names].find(([name, each]) => name && each.length > 1)?.[0];
};

const readInteger = (label: string, text: string): number => {
  if (/^[+-]?\d{1,15}$/.test(text)) return Number(text);
  throw halt(`${label}: ${quote(text)} isn't a whole number. Enter digits only, such as 25.`);
};

const isFullObject = (value: unknown): boolean => Object.keys(asRecord(value)).length > 0;

const maxNesting = 10;

/** Whether a mapped value doesn't fit the field, such as an object in a text field. Such a value isn't empty. */
const isMisfit = (field: PlainInputField, value: unknown): boolean => {
  const values = field.dict && !Array.isArray(value) ? Object.values(asRecord(value)) : [value];
  const parts = values.flat(maxNesting);
  return parts.some((part) => Array.isArray(part) || isFullObject(part)) || Boolean(field.dict && readText(value));
};

/** Whether a mapped value has nothing in it. A group of values isn't empty, though it's no text. */
export const isBlank = (value: unknown): boolean => readText(value) === undefined && !isMisfit({ key: '' }, value);

const choicesOf = ({ choices }: PlainInputField): [key: string, label: string][] | undefined => {
  if (!choices || 'perform' in choices) return undefined;
  if (!Array.isArray(choices)) return Object.entries(choices).map(([key, label]) => [key, String(label)]);
  return choices.map((choice) => (typeof choice === 'string' ? [choice, choice] : [choice.value, choice.label]));
};

/** Returns a key or label for comparison: `not_read`, `Not read` and `not-read` are the same. */
const foldChoice = (text: string): string => foldCase(text.replace(/[\s_-]+/g, ' '));

/** Returns the key of the choice that a text names by its key, or else by its key or label in any case if only one has it. */
export const choose = (
  label: string | undefined,
  text: string,
  choices: readonly [key: string, label: string][],
): string => {
  const found = choices.filter((names) => names.some((name) => foldChoice(name) === foldChoice(text)));
  const [chosen, other] = choices.some(([key]) => key === text) ? [[text]] : found;
  if (other) {
    throw halt(`${label}: several are called ${quote(text)}. Choose one in the list of this field, or map its ID.`);
  }
  if (chosen?.[0] !== undefined) return chosen[0];
  const labels = choices.map(([, name]) => name).join('; ');
  // A checkbox of a form is one or the other, and only its owner knows which choice that is.
  const how = /^(true|false|yes|no|on|off|[01])$/i.test(text) ? 'Map it with a Formatter lookup table to' : 'Choose';
  throw halt(`${label}: ${quote(text)} isn't one of the choices. ${how} one of these: ${labels}.`);
};

const readChoice = (field: PlainInputField, text: string): string => {
  const choices = choicesOf(field);
  return choices ? choose(field.label, text, choices) : text;
};

/** Returns the error for several values in a field for one. */
export const onlyOne = (label: string | undefined, text = ''): Error =>
  halt(`${label}: ${quote(text)} is more than one. Enter only one.`);

/**
 * Whether a value names several records in a field for one. Zapier joins mapped line items with commas, which no id has; a
 * template's name may have one.
 */
const namesSeveral = ({ resource }: PlainInputField, value: unknown): boolean =>
  resource !== undefined &&
  (readTexts(value).length > 1 || (resource !== 'template' && Boolean(readText(value)?.includes(','))));

/** Reads one field as `readInput` does: text, integer, list or dictionary, depending on the field. */
export const readField = (field: PlainInputField, given: unknown): unknown => {
  const value = field.dict ? readJson(given, '{') : given;
  if (isMisfit(field, value)) {
    const problem = field.dict
      ? "this isn't a set of names with one value each. Enter each name on the left and its value on the right."
      : 'this is a group of values. Map one value from it instead.';
    throw halt(`${field.label}: ${problem}`);
  }
  if (field.dict) {
    const twice = nameGivenTwice(value);
    if (twice === undefined) return readDictionary(value);
    throw halt(`${field.label}: ${quote(twice)} has two values. Remove one of them.`);
  }
  if (field.list) return [...new Set(readListField(field, value).map((item) => readChoice(field, item)))];
  if (namesSeveral(field, value)) throw onlyOne(field.label, readText(value));
  const text = readText(value);
  if (text === undefined && field.required) {
    throw halt(`${field.label} is empty. Fill it in, or check the earlier step that its value comes from.`);
  }
  if (text === undefined) return undefined;
  return field.type === 'integer' ? readInteger(field.label ?? field.key, text) : readChoice(field, text);
};

/** A choice of a field. Core's type for it also allows any other text. */
type Choice<T> = T extends string ? (string extends T ? never : T) : never;

/** The input of a step as `readInput` returns it: a field with fixed choices has one of them. */
export type InputOf<F extends InputField[]> = {
  [K in keyof InferInputData<F>]: [Choice<InferInputData<F>[K]>] extends [never]
    ? InferInputData<F>[K]
    : Choice<InferInputData<F>[K]> | Exclude<InferInputData<F>[K], string>;
};

/**
 * Reads the input of a step by its fields. Text is trimmed, and numbers and booleans in text fields become text. Blank
 * and missing values become undefined, `[]` for a list and `{}` for a dictionary. Throws an error that names the field
 * when a required value is missing or a value doesn't fit. Zapier doesn't check its own input types, so every step
 * reads its input here.
 */
export const readInput = <const F extends InputField[]>(fields: F, data: Record<string, unknown>): InputOf<F> => {
  const plain: PlainInputField[] = fields.filter((field) => typeof field !== 'function');
  const input = plain.map((field) => [field.key, readField(field, data[field.key])]);
  // `readField` gives each value the type that core infers from its field, and refuses other choices.
  return Object.fromEntries(input) as InputOf<F>;
};
