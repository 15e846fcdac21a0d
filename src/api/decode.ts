import * as z from 'zod/mini';
import { type Delivery, delivery } from './events';
import { innerOf, itemOf, kindOf, wordsOf } from './fields';
import { asRecord } from './json';

type Schema = z.core.$ZodType;

const isText = (schema: Schema | undefined): boolean => schema instanceof z.ZodMiniString;

/** Returns the text of a value in a list, which is empty for null, a list and an object. */
const textOf = (value: unknown): string[] =>
  ['string', 'number', 'boolean'].includes(typeof value) ? [String(value)] : [];

const toTexts = z.transform((value: unknown) => (Array.isArray(value) ? value.flatMap(textOf) : value));

const toTextByName = z.transform((value: unknown) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, item]) => textOf(item).map((text) => [name, text])));
});

const tolerantList = (list: z.ZodMiniArray): Schema => {
  const { element } = list.def;
  return isText(element) ? z.pipe(toTexts, list) : list.clone({ ...list.def, element: tolerantInside(element) });
};

const tolerantObject = (object: z.ZodMiniObject): Schema => {
  const fields = Object.entries(object.def.shape).map(([name, field]) => [name, tolerantField(field)]);
  if (fields.length === 0 && isText(object.def.catchall)) return z.pipe(toTextByName, object);
  return object.clone({ ...object.def, shape: Object.fromEntries(fields) });
};

const toText = z.transform((value: unknown) => textOf(value)[0] ?? value);

const toNumber = z.transform((value: unknown) =>
  typeof value === 'string' && /^-?\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : value,
);

/** Reads a value that may be missing. A number as text, and a text as a number, keeps its value. */
const tolerantOptional = (schema: Schema): Schema => {
  if (schema instanceof z.ZodMiniNumber) return z.pipe(toNumber, schema);
  const isFree = isText(schema) && !kindOf(schema) && !wordsOf(schema);
  return isFree ? z.pipe(toText, schema) : tolerantInside(schema);
};

const tolerantInside = (schema: Schema): Schema => {
  if (schema instanceof z.ZodMiniOptional) return z.optional(tolerantOptional(schema.def.innerType));
  if (schema instanceof z.ZodMiniNullable) return z.nullable(tolerantOptional(schema.def.innerType));
  if (schema instanceof z.ZodMiniArray) return tolerantList(schema);
  return schema instanceof z.ZodMiniObject ? tolerantObject(schema) : schema;
};

const tolerantField = (schema: Schema): Schema => {
  const innerType = tolerantInside(schema);
  if (!innerOf(schema)) return innerType;
  const fallback = z.safeParse(schema, null).success ? null : undefined;
  // `z.catch` would add 10 KB of zod's utilities to the app.
  return new z.ZodMiniCatch({ type: 'catch', innerType, catchValue: () => fallback });
};

const readers = new WeakMap<Schema, Schema>();

/**
 * Returns a schema that reads what the service sends by `schema`, in linear time. A field of the wrong type becomes null,
 * or undefined where null isn't allowed, unless it's required, or a number or a text that says the same. In a list of
 * texts, and in texts by name, numbers and booleans become text, and what has no text is left out. A filter doesn't let
 * null pass, so no step acts on such a record by mistake.
 */
export const tolerant = <S extends Schema>(schema: S): S => {
  const reader = readers.get(schema) ?? tolerantInside(schema);
  readers.set(schema, reader);
  // It takes more values than `schema`, and returns the same type.
  return reader as S;
};

type Decoded<S extends z.ZodMiniType> = ReturnType<typeof z.safeParse<S>>;

/**
 * Reads what the service sent by its schema. A field of the wrong type becomes null. An error names the place of a required
 * one.
 */
export const decode = <S extends z.ZodMiniType>(schema: S, value: unknown): Decoded<S> =>
  z.safeParse(tolerant(schema), value);

/**
 * Reads an event. One without a record gets an empty one, and one with a blank id gets one of its type, time and record, so
 * that a repeat of it has the same.
 */
export const decodeDelivery = (value: unknown): Delivery | undefined => {
  const event = asRecord(value);
  const { data, success } = z.safeParse(tolerant(delivery), { ...event, data: asRecord(event.data) });
  if (!success || data.id.trim() !== '') return data;
  return { ...data, id: `${data.type} ${data.created_at} ${data.data.id}` };
};

/** Whether a response may have a field of this name. */
export const declares = (response: z.ZodMiniType, name: string): boolean => {
  const object = itemOf(response);
  return object instanceof z.ZodMiniObject && Object.hasOwn(object.shape, name);
};
