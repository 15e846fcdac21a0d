import * as z from 'zod/mini';
import { isTime } from '../../src/api/fields';
import { itemOf } from '../../src/api/schema';
import { nameOnWire, wordsOnWire } from '../../src/api/wire';

type Schema = z.core.$ZodType | undefined;

const maskCharacter = (character: string): string => {
  if (/\p{Lu}/u.test(character)) return 'X';
  if (/\p{N}/u.test(character)) return '0';
  return /[a-z]|[^\x20-\x7e]/.test(character) ? 'x' : character;
};

/** Returns a text of the same form, with an x for each letter and a 0 for each digit. */
export const maskText = (text: string): string => text.replace(/./gsu, maskCharacter);

/** Times and words of a vocabulary aren't personal. */
const maskString = (schema: Schema, text: string): string => {
  const isWord = schema && wordsOnWire(schema) && /^[a-z][a-z_.:]*$/.test(text);
  const isDated = schema && isTime(schema) && /^\d{4}-\d\d-\d\d[T ]?[\d:.Z+-]*$/.test(text);
  return isWord || isDated ? text : maskText(text);
};

/** Keeps a field name, but not a key that may be a phone number or an email address. */
const maskKey = (key: string): string => (/^[a-z_]+$/i.test(key) ? key : maskText(key));

/** Keeps masked names apart. */
const uniqueKey = (taken: Map<string, unknown>, key: string): string =>
  taken.has(key) ? uniqueKey(taken, `${key}_`) : key;

const fieldsOf = (schema: Schema): Map<string, Schema> => {
  if (!(schema instanceof z.ZodMiniObject)) return new Map();
  return new Map(Object.entries(schema.def.shape).map(([key, field]) => [nameOnWire(key, field), field]));
};

/**
 * Returns the same JSON without personal data and secrets. Keeps the structure, types, times and words of a vocabulary;
 * every other text keeps its form, and every number that the schema doesn't know becomes 0.
 */
export const mask = (outer: Schema, value: unknown): unknown => {
  const schema = outer && itemOf(outer);
  if (typeof value === 'string') return maskString(schema, value);
  if (typeof value === 'number') return schema instanceof z.ZodMiniNumber ? value : 0;
  if (Array.isArray(value)) return value.map((item) => mask(schema, item));
  if (typeof value !== 'object' || value === null) return value;
  const fields = fieldsOf(schema);
  const masked = new Map<string, unknown>();
  for (const [key, item] of Object.entries(value))
    masked.set(uniqueKey(masked, maskKey(key)), mask(fields.get(key), item));
  return Object.fromEntries(masked);
};
