import type { InferInputData, InputField, PlainInputField } from 'zapier-platform-core';
import { halt, quote } from '../platform/errors';

/** A mapped value as trimmed text; several as one with commas; undefined when there is nothing in it. */
export const readText = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return readList(value).join(', ') || undefined;
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  return String(value).toWellFormed().trim() || undefined;
};

const readList = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map(readText).filter((item) => item !== undefined);

/** A list of names may come as one text with commas; a list of prose, of type `text`, may hold commas of its own. */
const readListField = (field: PlainInputField, value: unknown): string[] => {
  const items = readList(value);
  if (field.type === 'text') return items;
  return items.flatMap((item) => item.split(',')).flatMap((item) => item.trim() || []);
};

/** A mapped dictionary, name to text, without what is blank. */
export const readDictionary = (value: unknown): Record<string, string> => {
  const entries: [string, unknown][] = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries(
    entries.flatMap(([name, item]) => {
      const text = readText(item);
      return name.trim() && text ? [[name.trim(), text]] : [];
    }),
  );
};

const readInteger = (label: string, text: string): number => {
  if (/^[+-]?\d{1,15}$/.test(text)) return Number(text);
  throw halt(`${label}: ${quote(text)} isn't a whole number. Enter digits only, such as 25.`);
};

const isFullObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

/** Whether something was mapped that a field of this kind cannot hold. What is not read must not pass for empty. */
const isUnreadable = (field: PlainInputField, value: unknown): boolean => {
  const parts = field.dict && !Array.isArray(value) ? Object.values(value ?? {}) : [value].flat();
  return parts.some(isFullObject) || Boolean(field.dict && readText(value));
};

/** The choices of a field that are the same for everyone, by what is kept; undefined for any other field. */
const choicesOf = ({ choices }: PlainInputField): [key: string, name: string][] | undefined => {
  if (!choices || 'perform' in choices) return undefined;
  const entries = Array.isArray(choices) ? choices.map((choice) => [choice, choice]) : Object.entries(choices);
  return entries.map(([key, name]) => [String(key), String(name)]);
};

/** What is mapped may be the choice as Zapier keeps it or as people see it, in capital letters or not. */
const readChoice = (field: PlainInputField, text: string): string => {
  const choices = choicesOf(field);
  if (!choices) return text;
  const wanted = text.toLowerCase();
  const chosen = choices.find((choice) => choice.some((word) => word.toLowerCase() === wanted));
  if (chosen) return chosen[0];
  const names = choices.map(([, name]) => name).join('; ');
  throw halt(`${field.label}: ${quote(text)} isn't one of the choices. Choose one of these: ${names}.`);
};

/** Reads one field, like `readInput`: text, whole number, list or dictionary, by its kind. */
export const readField = (field: PlainInputField, value: unknown): unknown => {
  if (isUnreadable(field, value))
    throw halt(
      `${field.label}: this value doesn't fit. Map ${field.dict ? 'names and values' : 'a single value'} instead.`,
    );
  if (field.dict) return readDictionary(value);
  if (field.list) return [...new Set(readListField(field, value).map((item) => readChoice(field, item)))];
  const text = readText(value);
  if (text === undefined && field.required) throw halt(`${field.label} is empty. Fill it in and try again.`);
  if (text === undefined) return undefined;
  return field.type === 'integer' ? readInteger(field.label ?? field.key, text) : readChoice(field, text);
};

/**
 * Reads what a person put or mapped into the fields of a step. Texts are trimmed; blank, null and missing are all
 * undefined, for a list `[]` and for a dictionary `{}`; a number or a yes/no mapped into a text field becomes text.
 * Throws a sentence that names the field when a required one is empty, or when one has what it cannot hold. Zapier's own
 * types promise what it does not check, so every operation reads its input here.
 */
export const readInput = <const F extends InputField[]>(
  fields: F,
  data: Record<string, unknown>,
): InferInputData<F> => {
  const plain: PlainInputField[] = fields.filter((field) => typeof field !== 'function');
  return Object.fromEntries(plain.map((field) => [field.key, readField(field, data[field.key])])) as InferInputData<F>;
};
