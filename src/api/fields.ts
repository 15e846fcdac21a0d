import * as z from 'zod/mini';
import * as wire from './wire';

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
  variables: wire.sentEmpty(z.catchall(z.object({}), z.string())),
  /** An opaque identifier with a prefix (`msg_…`). */
  id: identifier,
  /** The id of an event. A blank one tells nothing, but the event is still one. */
  eventId: textOrNumber,
  /** ISO 8601 with `Z`. Reading accepts any text, because a time in another form is still useful in a Zap. */
  time: wire.textOf('time'),
  /** A phone number to write, in E.164. The service checks it. */
  phone: wire.textOf('phone'),
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
  anyTime: z.nullish(wire.readFromAny(field.time)),
  phone: z.nullish(field.phone),
};

/** Whether a field holds a point in time. */
export const isTime = (schema: z.core.$ZodType): boolean => wire.kindOf(schema) === 'time';
