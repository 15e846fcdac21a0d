/** The kinds of field that the contract has, and how their schemas are read. */
import * as z from 'zod/mini';

type Schema = z.core.$ZodType;

/**
 * What a schema is made of. Zod tells libraries to read it by `type`; `instanceof` asks
 * each schema for all that it inherits, which took half of the time to list the output fields.
 */
const definitionOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def;

/** What a schema makes optional or nullable; undefined for any other. */
export const innerOf = (schema: Schema): Schema | undefined => {
  const definition = definitionOf(schema);
  return definition.type === 'optional' || definition.type === 'nullable' ? definition.innerType : undefined;
};

/** The schema of each value of a list; undefined for any other. */
export const elementOf = (schema: Schema): Schema | undefined => {
  const definition = definitionOf(schema);
  return definition.type === 'array' ? definition.element : undefined;
};

/** The schema of a value itself: without the optional, nullable and list around it. */
export const itemOf = (schema: Schema): Schema => {
  const inner = innerOf(schema) ?? elementOf(schema);
  return inner ? itemOf(inner) : schema;
};

/** Whether a field holds several values. */
export const isList = (schema: Schema): boolean => {
  const inner = innerOf(schema);
  return inner ? isList(inner) : elementOf(schema) !== undefined;
};

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
const textOf = (kind: 'time' | 'phone') => describe(z.string(), { kind });

/** The same text, also read from a value of another type, as its JSON. Only null and a missing value are none. */
const readFromAny = (text: z.ZodMiniType<string, string>) => {
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
const sentEmpty = <S extends Schema>(schema: S): S => describe(schema, { isSentEmpty: true });

/** Whether a request has a field also when its value is empty. */
export const isSentEmpty = (schema: Schema): boolean => descriptions.get(itemOf(schema))?.isSentEmpty === true;

/** Returns the known words of a text, or of each text of a list; undefined when it may hold anything. */
export const wordsOf = (schema: Schema): Words | undefined => descriptions.get(itemOf(schema))?.words;

/** A whole number becomes a string. A longer one than JavaScript can hold would become the id of another record. */
const toText = (value: unknown): unknown => (Number.isSafeInteger(value) ? String(value) : value);

const textOrNumber = z.pipe(z.transform(toText), z.string());

const visible = /[^\s\p{Cc}\p{Cf}]/u;

/** A blank text is missing. A check of zod for that would make the app larger. */
const identifier = z.pipe(
  z.transform((value: unknown) => (typeof value === 'string' && !visible.test(value) ? undefined : toText(value))),
  z.string(),
);

/** A required field. */
export const field = {
  text: z.string(),
  number: z.number(),
  texts: z.array(z.string()),
  textByName: z.catchall(z.object({}), z.string()),
  /** The variables of a template, by name. A request says so when there are none. */
  variables: sentEmpty(z.catchall(z.object({}), z.string())),
  /** An opaque identifier with a prefix (`msg_…`). */
  id: identifier,
  /** The id of an event. A blank one tells nothing, but the event is still one. */
  eventId: textOrNumber,
  /** ISO 8601 with `Z`. Reading accepts any text, because a time in another form is still useful in a Zap. */
  time: textOf('time'),
  /** A phone number to write, in E.164. The service checks it. */
  phone: textOf('phone'),
};

/** A field that may be absent. */
export const optional = {
  text: z.optional(field.text),
  number: z.optional(field.number),
  texts: z.optional(field.texts),
  textByName: z.optional(field.textByName),
  variables: z.optional(field.variables),
  phone: z.optional(field.phone),
};

/** A field that may be absent or null. */
export const nullish = {
  text: z.nullish(field.text),
  number: z.nullish(field.number),
  texts: z.nullish(field.texts),
  textByName: z.nullish(field.textByName),
  variables: z.nullish(field.variables),
  id: z.nullish(field.id),
  /** The cursor of the next page, which may be a number. */
  cursor: z.nullish(textOrNumber),
  time: z.nullish(field.time),
  /** A time that a step must not miss: one of another type, such as a number, becomes text instead of null. */
  anyTime: z.nullish(readFromAny(field.time)),
  phone: z.nullish(field.phone),
};

/** Whether a field holds a point in time. */
export const isTime = (schema: z.core.$ZodType): boolean => kindOf(schema) === 'time';
