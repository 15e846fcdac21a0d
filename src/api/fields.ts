/** The kinds of field that the contract is made of. */
import * as z from 'zod/mini';
import { itemOf } from './schema';

const times = z.registry<{ isTime: true }>();

/** A field that is always there. */
export const field = {
  text: z.string(),
  number: z.number(),
  texts: z.array(z.string()),
  textByName: z.catchall(z.object({}), z.string()),
  /** The variables of a template, by name. */
  variables: z.catchall(z.object({}), z.string()),
  /** An opaque identifier with a prefix (`msg_…`). A number becomes a string. */
  id: z.pipe(
    z.transform((value: unknown) => (typeof value === 'number' ? String(value) : value)),
    z.string(),
  ),
  /** ISO 8601 with `Z`. Reading doesn't check it, since a time in another form is still worth passing on. */
  time: z.string().register(times, { isTime: true }),
};

/** A field that may be absent. */
export const optional = {
  text: z.optional(field.text),
  number: z.optional(field.number),
  texts: z.optional(field.texts),
  textByName: z.optional(field.textByName),
  variables: z.optional(field.variables),
};

/** A field that may be absent or null. */
export const nullish = {
  text: z.nullish(field.text),
  number: z.nullish(field.number),
  texts: z.nullish(field.texts),
  textByName: z.nullish(field.textByName),
  variables: z.nullish(field.variables),
  id: z.nullish(field.id),
  time: z.nullish(field.time),
};

/** Whether a field holds a point in time. */
export const isTime = (schema: z.core.$ZodType): boolean => times.get(itemOf(schema)) !== undefined;
