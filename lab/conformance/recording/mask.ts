import * as z from 'zod/mini';
import { type Endpoint, endpoints } from '../../../src/api/endpoints';
import { errorResponse } from '../../../src/api/errors';
import { delivery, events } from '../../../src/api/events';
import { elementOf, innerOf, isTime, itemOf, wordsOf } from '../../../src/api/fields';
import { isIsoTime } from '../shape';

type Schema = z.core.$ZodType;

/** Returns the declared fields of an object. */
const fieldsOf = (schema: Schema | undefined): Map<string, Schema> => {
  const fields = schema instanceof z.ZodMiniObject ? Object.entries(schema.def.shape) : [];
  return new Map(fields);
};

/** Returns every schema inside another one, with the key of the field that it is in. */
const placesIn = (schema: Schema, key = ''): { schema: Schema; key: string }[] => {
  const inner = innerOf(schema) ?? elementOf(schema);
  const fields = schema instanceof z.ZodMiniObject ? Object.entries(schema.shape) : [];
  const inside = inner ? placesIn(inner, key) : fields.flatMap(([name, field]) => placesIn(field, name));
  return [{ schema, key }, ...inside];
};

const places = [
  ...Object.values<Endpoint>(endpoints).flatMap(({ query, body, response }) =>
    [query, body, response].filter((schema) => schema !== undefined),
  ),
  ...Object.values(events).map(({ schema }) => schema),
  errorResponse,
  delivery,
].flatMap((schema) => placesIn(schema));

/** The names and words that the contract declares anywhere. */
const declared = {
  names: new Set(places.map(({ key }) => key)),
  words: new Set(places.flatMap(({ schema }) => wordsOf(schema) ?? [])),
};

const maskCharacter = (character: string): string => {
  if (/\p{Lu}/u.test(character)) return 'X';
  if (/\p{N}/u.test(character)) return '0';
  return /[a-z]|[^\x20-\x7e]/.test(character) ? 'x' : character;
};

/** Signs in an address, or around a variable of a template. */
const knownSigns = /:\/\/|\{\{|\}\}/;

/** Returns a text of the same form, with an x for each letter and a 0 for each digit. Shortens three signs in a row. */
export const maskText = (text: string): string =>
  text
    .replace(/./gsu, maskCharacter)
    .replace(/[^xX0]{3,}/g, (signs) => signs.match(knownSigns)?.[0] ?? signs.slice(0, 2));

/** Whether the contract leaves open what is there. */
const isOpen = (schema: Schema | undefined): boolean => schema === undefined || schema instanceof z.ZodMiniUnknown;

/** The schema of the values in a dictionary, whose names the contract doesn't know. */
const valuesOf = (schema: Schema | undefined): Schema | undefined =>
  schema instanceof z.ZodMiniObject && !isOpen(schema.def.catchall) ? schema.def.catchall : undefined;

const maskString = (schema: Schema | undefined, text: string): string => {
  const words = schema && !isOpen(schema) ? new Set(wordsOf(schema)) : declared.words;
  const isKept = words.has(text) || (schema !== undefined && isTime(schema) && isIsoTime(text));
  return isKept ? text : maskText(text);
};

/** Numbers repeated names, since different ones may look the same without their letters. */
const numberRepeated = (entries: [string, unknown][]): [string, unknown][] => {
  const times = new Map<string, number>();
  return entries.map(([name, value]) => {
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return [time === 1 ? name : `${name}_${time}`, value];
  });
};

const maskObject = (schema: Schema | undefined, value: object): object => {
  const fields = fieldsOf(schema);
  const others = valuesOf(schema);
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => {
    const isKept = fields.has(name) || (others === undefined && declared.names.has(name));
    return [isKept ? name : maskText(name), mask(fields.get(name) ?? others, item)];
  });
  return Object.fromEntries(numberRepeated(entries));
};

/** How many items a recording keeps of a list. */
const maxItems = 3;

/**
 * Returns the same JSON without anything that the service's customers entered. Keeps the structure, types, names and words
 * that the contract declares, and times in its fields for times. Every other text and name keeps only its form, every
 * number becomes 0, and a list keeps three items.
 */
export const mask = (outer: Schema | undefined, value: unknown): unknown => {
  const schema = outer && itemOf(outer);
  if (typeof value === 'string') return maskString(schema, value);
  if (typeof value === 'number') return 0;
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => mask(schema, item));
  return typeof value === 'object' && value !== null ? maskObject(schema, value) : value;
};
