import * as z from 'zod/mini';
import { itemOf } from './schema';

type Schema = z.core.$ZodType;
type Words = readonly string[];

/** What the contract says about a schema. */
interface Description {
  words?: Words;
  kind?: 'time' | 'phone';
  isSentEmpty?: boolean;
}

const descriptions = new WeakMap<Schema, Description>();

const describe = <S extends Schema>(schema: S, known: Description): S => {
  descriptions.set(schema, known);
  return schema;
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

/** Returns the known words of a text, or of each text of a list; undefined when it may hold anything. */
export const wordsOf = (schema: Schema): Words | undefined => descriptions.get(itemOf(schema))?.words;
