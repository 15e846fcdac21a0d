/**
 * How the service spells what the contract names. Our own names stay whatever the service calls things, since people's
 * Zaps are built on them: where a name differs, the contract says so at that name, and all is translated at the border.
 * The files of the contract import this one whole, as `wire`, so that to spell a name otherwise is one edit.
 */
import * as z from 'zod/mini';

type Schema = z.core.$ZodType;
type Words = readonly string[];

/** Whether anything is spelled otherwise at all. While nothing is, translating would only cost time. */
let isSpelledOtherwise = false;

const names = new WeakMap<Schema, string>();

/** A field or query parameter that the service calls `name`. */
export const renamed = <S extends z.ZodMiniType>(name: string, schema: S): S => {
  // A copy, because fields share their schemas.
  const field = schema.clone();
  names.set(field, name);
  isSpelledOtherwise = true;
  return field;
};

interface Spelling {
  toWire: ReadonlyMap<string, string>;
  fromWire: ReadonlyMap<string, string>;
}

const spellings = new WeakMap<Words, Spelling>();

/** Says which of the words the service writes otherwise: ours on the left, the service's on the right. */
export const mapValues = <const W extends Words>(words: W, spelling: { [K in W[number]]?: string }): void => {
  const pairs = words.map((ours: W[number]) => [ours, spelling[ours] ?? ours] as const);
  const inverse = pairs.map(([ours, theirs]) => [theirs, ours] as const);
  spellings.set(words, { toWire: new Map(pairs), fromWire: new Map(inverse) });
  isSpelledOtherwise = true;
};

const vocabularies = new WeakMap<Schema, Words>();

/** A text that is one of the words, or one that the service adds later. */
export const openEnum = (words: Words) => {
  const schema = z.string();
  vocabularies.set(schema, words);
  return schema;
};

/** A text that is one of the words and no other. */
export const closedEnum = <const W extends Words>(words: W) => {
  const schema = z.enum(words);
  vocabularies.set(schema, words);
  return schema;
};

const innerOf = (schema: Schema): Schema | undefined =>
  schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable ? schema.def.innerType : undefined;

/** What the service calls the field that we call `key`. */
export const nameOnWire = (key: string, field: Schema): string => {
  const inner = innerOf(field);
  return names.get(field) ?? (inner ? nameOnWire(key, inner) : key);
};

/** The schema of a value itself: without the optional, nullable and list around it. */
export const itemOf = (schema: Schema): Schema => {
  const inner = schema instanceof z.ZodMiniArray ? schema.def.element : innerOf(schema);
  return inner ? itemOf(inner) : schema;
};

/** Whether a field holds several values. */
export const isList = (schema: Schema): boolean => {
  const inner = innerOf(schema);
  return inner ? isList(inner) : schema instanceof z.ZodMiniArray;
};

type Way = keyof Spelling;

const spellWord = (way: Way, words: Words | undefined, text: string): string =>
  (words && spellings.get(words)?.[way].get(text)) ?? text;

/** The words that a text is known to hold, as the service writes them; undefined when it may hold anything. */
export const wordsOnWire = (schema: Schema): string[] | undefined => {
  const words = vocabularies.get(itemOf(schema));
  return words?.map((each) => spellWord('toWire', words, each));
};

const translateFields = (way: Way, schema: z.ZodMiniObject, value: object): object => {
  const fields = new Map(
    Object.entries(schema.def.shape).map(([ours, field]) => {
      const theirs = nameOnWire(ours, field);
      return way === 'toWire' ? [ours, { name: theirs, field }] : [theirs, { name: ours, field }];
    }),
  );
  const taken = new Set([...fields.values()].map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const known = fields.get(key);
      if (known) return [[known.name, translate(way, known.field, item)]];
      // What only happens to be called as we call another field is not that field.
      return taken.has(key) ? [] : [[key, item]];
    }),
  );
};

const translate = (way: Way, schema: Schema, value: unknown): unknown => {
  const item = itemOf(schema);
  if (Array.isArray(value)) return value.map((each) => translate(way, item, each));
  if (typeof value === 'string') return spellWord(way, vocabularies.get(item), value);
  if (typeof value !== 'object' || value === null || !(item instanceof z.ZodMiniObject)) return value;
  return translateFields(way, item, value);
};

/** What the service sent, in our names and words. What the schema does not know stays as it is. */
export const fromWire = (schema: Schema, value: unknown): unknown =>
  isSpelledOtherwise ? translate('fromWire', schema, value) : value;

/** What goes to the service, in its own names and words. */
export const toWire = (schema: Schema, value: unknown): unknown =>
  isSpelledOtherwise ? translate('toWire', schema, value) : value;
