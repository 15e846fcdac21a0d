import * as z from 'zod/mini';
import { isTime } from '../../src/api/fields';
import { itemOf, nameOnWire, wordsOnWire } from '../../src/api/wire';

type Schema = z.core.$ZodType | undefined;

const maskCharacter = (character: string): string => {
  if (/\p{Lu}/u.test(character)) return 'X';
  if (/\p{N}/u.test(character)) return '0';
  return /[a-z]|[^\x20-\x7e]/.test(character) ? 'x' : character;
};

/** A text of the same look: each letter is an x, each digit a 0. */
export const maskText = (text: string): string => text.replace(/./gsu, maskCharacter);

/** Times and words of a closed vocabulary say nothing of a person. */
const maskString = (schema: Schema, text: string): string => {
  const isWord = schema && wordsOnWire(schema) && /^[a-z][a-z_.:]*$/.test(text);
  const isDated = schema && isTime(schema) && /^\d{4}-\d\d-\d\d[T ]?[\d:.Z+-]*$/.test(text);
  return isWord || isDated ? text : maskText(text);
};

/** The name of a field stays, unless it looks like a number or an address: some services have objects by phone number. */
const maskKey = (key: string): string => (/^[a-z_][a-z_]*$/i.test(key) ? key : maskText(key));

/** Two names that differ must not become one. */
const unlike = (taken: Map<string, unknown>, key: string): string => (taken.has(key) ? unlike(taken, `${key}_`) : key);

const fieldsOf = (schema: Schema): Map<string, Schema> => {
  if (!(schema instanceof z.ZodMiniObject)) return new Map();
  return new Map(Object.entries(schema.def.shape).map(([key, field]) => [nameOnWire(key, field), field]));
};

/**
 * The same JSON without what could belong to a person or open a door: its structure, types, times and known words stay,
 * every other text and number keeps its look alone. What the schema does not know is masked too.
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
    masked.set(unlike(masked, maskKey(key)), mask(fields.get(key), item));
  return Object.fromEntries(masked);
};
