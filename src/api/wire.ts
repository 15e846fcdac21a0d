/**
 * What the contract says about its schemas, and where the service's names, words and forms differ from ours, which Zaps
 * use. docs/adapting.md has an example of each difference.
 */
import * as z from 'zod/mini';
import { innerOf, itemOf } from './schema';

type Schema = z.core.$ZodType;
type Words = readonly string[];
/** A direction: `toWire` from us to the service. */
export type Way = 'toWire' | 'fromWire';

/** The query and body of the request that a response belongs to, as they were sent. */
export type Sent = { [K in 'query' | 'body']: Record<string, unknown> };

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

let differs = false;

/** Whether anything differs. */
export const hasDifferences = (): boolean => differs;

/** Returns the forms of the service that a `shaped` value has, from ours to the service's. */
export const shapesOf = (schema: Schema): readonly Shape[] => facts.get(schema)?.shapes ?? [];

const withDifference = <S extends z.ZodMiniType>(schema: S, difference: Facts): S => {
  differs = true;
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
  differs = true;
};

const spellings = new Map<Words, { toWire: string; fromWire: string }[]>();

/** Says which of the words the service spells differently: ours on the left, the service's on the right. */
export const mapValues = <const W extends Words>(words: W, theirs: { [K in W[number]]?: string }): void => {
  const both = words.map((ours: W[number]) => ({ toWire: theirs[ours] ?? ours, fromWire: ours }));
  spellings.set(words, both);
  differs = true;
};

/** A text that holds a value of a kind. */
export const textOf = (kind: 'time' | 'phone') => withFacts(z.string(), { kind });

/** The same text, also read from a value of another type, as its JSON. Only null and a missing value are none. */
export const readFromAny = (text: z.ZodMiniType<string, string>) => {
  const toText = z.transform((value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return withFacts(z.pipe(toText, text), facts.get(text) ?? {});
};

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

/** The other direction. */
export const opposite = { toWire: 'fromWire', fromWire: 'toWire' } as const;

/** Returns a word as the service spells it, or the other way round. Other texts stay as they are. */
export const translateWord = (way: Way, schema: Schema, text: string): string => {
  const words = facts.get(schema)?.words;
  return (words && spellings.get(words)?.find((each) => each[opposite[way]] === text)?.[way]) ?? text;
};

/** Returns the known words of a text as the service spells them; undefined when it may hold anything. */
export const wordsOnWire = (schema: Schema): string[] | undefined => {
  const item = itemOf(schema);
  return facts.get(item)?.words?.map((each) => translateWord('toWire', item, each));
};
