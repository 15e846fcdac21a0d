/**
 * Translates between our names, words and forms, which Zaps use, and the service's. The contract says at each place where
 * the service differs. docs/adapting.md has an example of each difference.
 */
import * as z from 'zod/mini';
import { elementOf, innerOf, itemOf } from './schema';

type Schema = z.core.$ZodType;
type Words = readonly string[];
type Way = 'toWire' | 'fromWire';

/** The query and body of the request that a response belongs to, as they were sent. */
export type Sent = { [K in 'query' | 'body']: Record<string, unknown> };
const nothingSent: Sent = { query: {}, body: {} };

interface Shape {
  theirs: Schema;
  fromWire(theirs: unknown, sent: Sent): unknown;
  toWire(ours: unknown, sent: Sent): unknown;
}

/** What the contract says about a schema. */
interface Facts {
  name?: string;
  words?: Words;
  kind?: 'time' | 'phone';
  shapes?: Shape[];
}

const facts = new WeakMap<Schema, Facts>();

const withFacts = <S extends Schema>(schema: S, known: Facts): S => {
  facts.set(schema, known);
  return schema;
};

/** Whether anything differs. While nothing does, nothing is translated. */
let hasDifferences = false;

const shapesOf = (schema: Schema) => facts.get(schema)?.shapes ?? [];

const withDifference = <S extends z.ZodMiniType>(schema: S, difference: Facts): S => {
  hasDifferences = true;
  // A copy, because fields share their schemas.
  return withFacts(schema.clone(), { ...facts.get(schema), ...difference });
};

/** A field or query parameter that the service calls `name`. */
export const renamed = <S extends z.ZodMiniType>(name: string, schema: S): S => withDifference(schema, { name });

interface Form<Ours, Theirs extends z.ZodMiniType> {
  /** The service's form, with its field names. Null, and a value in any other form, stays as it is. */
  theirs: Theirs;
  read: (theirs: z.output<Theirs>, sent: Sent) => unknown;
  write?: (ours: Ours, sent: Sent) => unknown;
}

/** A value that the service sends and accepts in another form. */
export const shaped = <S extends z.ZodMiniType, T extends z.ZodMiniType>(
  schema: S,
  { theirs, read, write = (ours) => ours }: Form<z.output<S>, T>,
): S => {
  const fromWire: Shape['fromWire'] = (value, sent) => {
    const parsed = theirs.safeParse(value);
    return parsed.success ? read(parsed.data, sent) : value;
  };
  return withDifference(schema, { shapes: [...shapesOf(schema), { theirs, fromWire, toWire: write }] });
};

/** Returns the service's form of a `shaped` value; undefined for any other. */
export const formOf = (schema: Schema): Schema | undefined => shapesOf(schema).at(-1)?.theirs;

let defaultName = (ours: string): string => ours;

/** Says how the service spells every name that isn't `renamed`, such as in camelCase. */
export const mapNames = (toTheirs: (ours: string) => string): void => {
  defaultName = toTheirs;
  hasDifferences = true;
};

const spellings = new Map<Words, { toWire: string; fromWire: string }[]>();

/** Says which of the words the service spells differently: ours on the left, the service's on the right. */
export const mapValues = <const W extends Words>(words: W, theirs: { [K in W[number]]?: string }): void => {
  const both = words.map((ours: W[number]) => ({ toWire: theirs[ours] ?? ours, fromWire: ours }));
  spellings.set(words, both);
  hasDifferences = true;
};

/** A text that holds a value of a kind. */
export const textOf = (kind: 'time' | 'phone') => withFacts(z.string(), { kind });

/** The kind of value that a text holds, or each text of a list. */
export const kindOf = (schema: Schema) => facts.get(itemOf(schema))?.kind;

/** A text that is one of these words, or one that the service adds later. */
export const openEnum = (words: Words) => withFacts(z.string(), { words });

/** A text that is one of these words. */
export const closedEnum = <const W extends Words>(words: W) => withFacts(z.enum(words), { words });

/** Returns the service's name for the field that we call `key`. */
export const nameOnWire = (key: string, field: Schema): string => {
  const inner = innerOf(field);
  return facts.get(field)?.name ?? (inner ? nameOnWire(key, inner) : defaultName(key));
};

const back = { toWire: 'fromWire', fromWire: 'toWire' } as const;

const translateWord = (way: Way, words: Words | undefined, text: string): string =>
  (words && spellings.get(words)?.find((each) => each[back[way]] === text)?.[way]) ?? text;

/** Returns the known words of a text as the service spells them; undefined when it may hold anything. */
export const wordsOnWire = (schema: Schema): string[] | undefined => {
  const words = facts.get(itemOf(schema))?.words;
  return words?.map((each) => translateWord('toWire', words, each));
};

const translateFields = (way: Way, { def: { shape } }: z.ZodMiniObject, value: object, sent: Sent): object => {
  const fields = Object.entries(shape).map(([key, type]) => ({ type, fromWire: key, toWire: nameOnWire(key, type) }));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const known = fields.find((each) => each[back[way]] === key);
      if (known) return [[known[way], translate(way, known.type, item, sent)]];
      // A field of the service may have our name for another field.
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
    if (typeof item === 'string') return translateWord(way, facts.get(schema)?.words, item);
    if (typeof item !== 'object' || item === null || !(schema instanceof z.ZodMiniObject)) return item;
    return translateFields(way, schema, item, sent);
  };
  return Array.isArray(value) ? value.map(each) : each(value);
};

/** Reads the form of a value itself. Names, words and forms inside it stay the service's. */
export const readShape = (schema: Schema, value: unknown, sent = nothingSent): unknown =>
  (value ?? null) === null ? value : shapesOf(schema).reduceRight((read, { fromWire }) => fromWire(read, sent), value);

const translate = (way: Way, schema: Schema, value: unknown, sent: Sent): unknown => {
  if (value === undefined || value === null) return value;
  if (way === 'fromWire') return translateInside(way, schema, readShape(schema, value, sent), sent);
  return shapesOf(schema).reduce((ours, { toWire }) => toWire(ours, sent), translateInside(way, schema, value, sent));
};

/** Returns what the service sent in our names, words and forms. Unknown fields stay as they are. */
export const fromWire = (schema: Schema, value: unknown, sent = nothingSent): unknown =>
  hasDifferences ? translate('fromWire', schema, value, sent) : value;

/** Returns a value in the names, words and forms of the service. */
export const toWire = (schema: Schema, value: unknown, sent = nothingSent): unknown =>
  hasDifferences ? translate('toWire', schema, value, sent) : value;
