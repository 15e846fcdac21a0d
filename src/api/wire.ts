/**
 * How the service spells and shapes what the contract names. Our own names stay whatever the service calls things, since
 * people's Zaps are built on them: where the service differs, the contract says so at that place, and all is translated
 * at the border. The files of the contract import this one whole, as `wire`, so that a difference is one edit.
 */
import * as z from 'zod/mini';
import { elementOf, innerOf, itemOf } from './schema';

type Schema = z.core.$ZodType;
type Words = readonly string[];
type Way = 'toWire' | 'fromWire';
type Kind = 'time' | 'phone';

/** The query and body of the request that a response belongs to, as they were sent. */
export type Sent = { [K in 'query' | 'body']: Record<string, unknown> };
const nothingSent: Sent = { query: {}, body: {} };

interface Shape {
  fromWire(theirs: unknown, sent: Sent): unknown;
  toWire(ours: unknown, sent: Sent): unknown;
}

/** What the contract says about a schema. A copy of the schema inherits it. */
const facts = z.registry<{ name?: string; words?: Words; kind?: Kind; shapes?: Shape[] }>();

/** Whether anything differs at all. While nothing does, translating would only cost time. */
let isBent = false;

const shapesOf = (schema: Schema) => facts.get(schema)?.shapes ?? [];

const bend = <S extends z.ZodMiniType>(schema: S, fact: { name: string } | { shapes: Shape[] }): S => {
  isBent = true;
  // A copy, because fields share their schemas.
  const copy = schema.clone();
  facts.add<z.ZodMiniType>(copy, fact);
  return copy;
};

/** A field or query parameter that the service calls `name`. */
export const renamed = <S extends z.ZodMiniType>(name: string, schema: S): S => bend(schema, { name });

interface Form<Ours, Theirs extends z.ZodMiniType> {
  /** The service's form, with its field names. Null, and a value in any other form, stays as it is. */
  theirs: Theirs;
  read: (theirs: z.output<Theirs>, sent: Sent) => unknown;
  write?: (ours: Ours, sent: Sent) => unknown;
}

/** A value that the service sends and takes in another form. */
export const shaped = <S extends z.ZodMiniType, T extends z.ZodMiniType>(
  schema: S,
  { theirs, read, write = (ours) => ours }: Form<z.output<S>, T>,
): S => {
  const fromWire: Shape['fromWire'] = (value, sent) => {
    const parsed = theirs.safeParse(value);
    return parsed.success ? read(parsed.data, sent) : value;
  };
  return bend(schema, { shapes: [...shapesOf(schema), { fromWire, toWire: write }] });
};

let defaultName = (ours: string): string => ours;

/** Says how the service writes every name that isn't `renamed`, such as in camelCase. */
export const mapNames = (toTheirs: (ours: string) => string): void => {
  defaultName = toTheirs;
  isBent = true;
};

const spellings: Record<Way, Map<Words, Map<string, string>>> = { toWire: new Map(), fromWire: new Map() };

/** Says which of the words the service writes otherwise: ours on the left, the service's on the right. */
export const mapValues = <const W extends Words>(words: W, theirs: { [K in W[number]]?: string }): void => {
  const pairs = words.map((word: W[number]) => [word, theirs[word] ?? word] as const);
  spellings.toWire.set(words, new Map(pairs));
  spellings.fromWire.set(words, new Map(pairs.map(([ours, other]) => [other, ours])));
  isBent = true;
};

/** A text that holds a value of a kind. */
export const textOf = (kind: Kind) => z.string().register(facts, { kind });

/** The kind of value that a text holds, or each text of a list. */
export const kindOf = (schema: Schema): Kind | undefined => facts.get(itemOf(schema))?.kind;

/** A text that is one of the words, or one that the service adds later. */
export const openEnum = (words: Words) => z.string().register(facts, { words });

/** A text that is one of the words and no other. */
export const closedEnum = <const W extends Words>(words: W) => z.enum(words).register(facts, { words });

/** What the service calls the field that we call `key`. */
export const nameOnWire = (key: string, field: Schema): string => {
  const inner = innerOf(field);
  return facts.get(field)?.name ?? (inner ? nameOnWire(key, inner) : defaultName(key));
};

const wordOnWire = (way: Way, words: Words | undefined, text: string): string =>
  (words && spellings[way].get(words)?.get(text)) ?? text;

/** The words that a text is known to hold, as the service writes them; undefined when it may hold anything. */
export const wordsOnWire = (schema: Schema): string[] | undefined => {
  const words = facts.get(itemOf(schema))?.words;
  return words?.map((each) => wordOnWire('toWire', words, each));
};

const translateFields = (way: Way, { def: { shape } }: z.ZodMiniObject, value: object, sent: Sent): object => {
  const fields = Object.entries(shape).map(([ours, field]) => {
    return { field, fromWire: ours, toWire: nameOnWire(ours, field) };
  });
  const back = way === 'toWire' ? 'fromWire' : 'toWire';
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const known = fields.find((each) => each[back] === key);
      if (known) return [[known[way], translate(way, known.field, item, sent)]];
      // What only happens to be called as we call another field is not that field.
      return fields.some((each) => each[way] === key) ? [] : [[key, item]];
    }),
  );
};

const translateInside = (way: Way, schema: Schema, value: unknown, sent: Sent): unknown => {
  const inner = innerOf(schema);
  if (inner) return translate(way, inner, value, sent);
  const element = elementOf(schema);
  const each = (item: unknown): unknown => {
    if (element) return translate(way, element, item, sent);
    if (typeof item === 'string') return wordOnWire(way, facts.get(schema)?.words, item);
    if (typeof item !== 'object' || item === null || !(schema instanceof z.ZodMiniObject)) return item;
    return translateFields(way, schema, item, sent);
  };
  return Array.isArray(value) ? value.map(each) : each(value);
};

/** Reads the form of a value alone: names, words and the forms inside it stay the service's. */
export const readShape = (schema: Schema, value: unknown, sent = nothingSent): unknown =>
  (value ?? null) === null ? value : shapesOf(schema).reduceRight((read, { fromWire }) => fromWire(read, sent), value);

const translate = (way: Way, schema: Schema, value: unknown, sent: Sent): unknown => {
  if (value === undefined || value === null) return value;
  if (way === 'fromWire') return translateInside(way, schema, readShape(schema, value, sent), sent);
  return shapesOf(schema).reduce((ours, { toWire }) => toWire(ours, sent), translateInside(way, schema, value, sent));
};

/** What the service sent, in our names, words and forms. What the schema does not know stays as it is. */
export const fromWire = (schema: Schema, value: unknown, sent = nothingSent): unknown =>
  isBent ? translate('fromWire', schema, value, sent) : value;

/** What goes to the service, in its own names, words and forms. */
export const toWire = (schema: Schema, value: unknown, sent = nothingSent): unknown =>
  isBent ? translate('toWire', schema, value, sent) : value;
