import * as z from 'zod/mini';
import { innerOf, itemOf } from './schema';

/**
 * Whether this process talks to the sandbox, which speaks the contract itself, so that nothing in `service.ts` applies. The
 * commands that start the sandbox say so in `CONTRACT`, and so do the tests. Zapier doesn't.
 */
export const isSandboxed = (): boolean => Boolean(process.env.CONTRACT);

/** Whether every part of the contract counts, because the tests also run the steps that a service lacks. */
export const isWhole = (): boolean => process.env.CONTRACT === 'whole';

type Schema = z.core.$ZodType;
type Words = readonly string[];
/** A direction: `toWire` from us to the service. */
export type Way = 'toWire' | 'fromWire';

/** The query and body of a request or of the one that a response belongs to, as they are sent. */
export type Sent = { [K in 'query' | 'body']: Record<string, unknown> } & {
  /** The names of the template's variables in its own order, when the caller knows them. */
  template?: readonly string[] | undefined;
};

/** What the contract says about a schema. */
interface Description {
  name?: string;
  words?: Words;
  kind?: 'time' | 'phone';
  isMissing?: boolean;
  isSentEmpty?: boolean;
  isByPosition?: boolean;
}

const descriptions = new WeakMap<Schema, Description>();

const describe = <S extends Schema>(schema: S, known: Description): S => {
  descriptions.set(schema, known);
  return schema;
};

let differs = false;

/** What was declared about a schema. Only a field or parameter has a name of its own, or can be missing. */
interface Difference {
  declared: string;
  needsField: boolean;
}

export const differences = new Map<Schema, Difference>();

/** Whether anything differs between this process and what it talks to. */
export const hasDifferences = (): boolean => differs && !isSandboxed();

const withDifference = <S extends z.ZodMiniType>(schema: S, difference: Description, declared: string): S => {
  differs = true;
  // A copy, because fields share their schemas.
  const known = { ...descriptions.get(schema), ...difference };
  const copy = describe(schema.clone(), known);
  differences.delete(schema);
  differences.set(copy, { declared, needsField: known.name !== undefined || known.isMissing === true });
  return copy;
};

/** A field or filter that the service lacks. The app sends none, and takes none from the service. */
export const missing = <S extends z.ZodMiniType>(schema: S): S =>
  withDifference(schema, { isMissing: true }, 'wire.missing(…)');

/** The same fields, of which the service lacks those of these names. */
export const lacking = <F extends Record<string, z.ZodMiniType>>(names: readonly string[], fields: F): F =>
  // The fields of the same names have the same types.
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, names.includes(name) ? missing(field) : field]),
  ) as F;

/** Whether the service lacks a field or filter. One that isn't declared at all is missing too. */
export const isMissing = (schema: Schema | undefined): boolean => {
  if (!schema) return true;
  if (!differs || isWhole()) return false;
  const inner = innerOf(schema);
  return descriptions.get(schema)?.isMissing === true || (inner !== undefined && isMissing(inner));
};

/** A field or query parameter that the service calls `name`. */
export const renamed = <S extends z.ZodMiniType>(name: string, schema: S): S =>
  withDifference(schema, { name }, `wire.renamed('${name}', …)`);

let defaultName = (ours: string): string => ours;

/**
 * The variables of a template whose values the service takes as a list, in the order of the template. The steps then read
 * the template before they send, because the order of the fields in a Zap may be another.
 */
export const byPosition = <S extends z.ZodMiniType<Record<string, string>>>(variables: S): S =>
  withDifference(variables, { isByPosition: true }, 'wire.byPosition(…)');

/** Whether the service takes the values of variables by position. */
export const isByPosition = (schema: Schema): boolean =>
  hasDifferences() && descriptions.get(itemOf(schema))?.isByPosition === true;

/** Says how the service spells every name that isn't `renamed`, such as in camelCase. */
export const mapNames = (toTheirs: (ours: string) => string): void => {
  defaultName = toTheirs;
  differs = true;
};

const spellings = new Map<Words, { toWire: string; fromWire: string }[]>();

/**
 * Says which of the words the service spells differently: ours on the left, the service's on the right. It may have
 * several words for one of ours. A filter asks for all of them, and the first one stands for ours anywhere else.
 */
export const mapValues = <const W extends Words>(
  words: W,
  theirs: { [K in W[number]]?: string | readonly string[] },
): void => {
  const both = words.flatMap((ours: W[number]) => {
    return [theirs[ours] ?? ours].flat().map((each) => ({ toWire: each, fromWire: ours }));
  });
  spellings.set(words, both);
  differs = true;
};

/** Returns a word of the service that stands for several of ours; undefined without any. */
export const sharedWord = (): string | undefined => {
  const lists = [...spellings.values()].map((both) => both.map(({ toWire }) => toWire));
  return lists.flatMap((all) => all.filter((each, index) => all.indexOf(each) !== index))[0];
};

/** A text that holds a value of a kind. */
export const textOf = (kind: 'time' | 'phone') => describe(z.string(), { kind });

/** The same text, also read from a value of another type, as its JSON. Only null and a missing value are none. */
export const readFromAny = (text: z.ZodMiniType<string, string>) => {
  const toText = z.transform((value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return describe(z.pipe(toText, text), descriptions.get(text) ?? {});
};

/** The kind of value that a text holds, or each text of a list. */
export const kindOf = (schema: Schema) => descriptions.get(itemOf(schema))?.kind;

/** A text that is one of these words, or one that the service adds later. */
export const openEnum = <const W extends Words>(words: W): z.ZodMiniType<W[number] | (string & {}), string> =>
  describe(z.string(), { words });

/** A text that is one of these words. */
export const closedEnum = <const W extends Words>(words: W) => describe(z.enum(words), { words });

/** A field that a request also has when its value is empty. */
export const sentEmpty = <S extends Schema>(schema: S): S => describe(schema, { isSentEmpty: true });

/** Whether a request has a field also when its value is empty. */
export const isSentEmpty = (schema: Schema): boolean => descriptions.get(itemOf(schema))?.isSentEmpty === true;

/** Returns the service's name for the field that we call `key`. */
export const nameOnWire = (key: string, field: Schema): string => {
  if (!hasDifferences()) return key;
  const inner = innerOf(field);
  return descriptions.get(field)?.name ?? (inner ? nameOnWire(key, inner) : defaultName(key));
};

export const opposite = { toWire: 'fromWire', fromWire: 'toWire' } as const;

/** Returns all words of the service for one of ours, or ours for one of the service. Other texts stay as they are. */
export const translateWords = (way: Way, schema: Schema, text: string): string[] => {
  const words = hasDifferences() ? descriptions.get(schema)?.words : undefined;
  const known = (words && spellings.get(words))?.filter((each) => each[opposite[way]] === text) ?? [];
  return known.length > 0 ? known.map((each) => each[way]) : [text];
};

/** Returns the known words of a text, or of each text of a list; undefined when it may hold anything. */
export const wordsOf = (schema: Schema): Words | undefined => descriptions.get(itemOf(schema))?.words;

/** Returns the known words of a text as the service spells them; undefined when it may hold anything. */
export const wordsOnWire = (schema: Schema): string[] | undefined => {
  const item = itemOf(schema);
  return wordsOf(item)?.flatMap((each) => translateWords('toWire', item, each));
};
