import * as z from 'zod/mini';
import { elementOf, innerOf } from '../../src/api/fields';

type Schema = z.core.$ZodType;

/** Returns the number of values in JSON as the app counts them, if no text has commas or brackets. */
export const countValues = (json: string): number => json.split(/[,[{]/).length;

const unwrap = (schema: Schema): Schema => {
  const inner = innerOf(schema);
  return inner ? unwrap(inner) : schema;
};

const holdsMore = (schema: Schema): boolean =>
  unwrap(schema) instanceof z.ZodMiniObject || elementOf(unwrap(schema)) !== undefined;

const wrongObject = ({ def: { shape } }: z.ZodMiniObject, room: number): object => {
  const fields = Object.entries(shape);
  if (fields.length === 0)
    return Object.fromEntries(Array.from({ length: room / 2 }, (_, index) => [`name${index}`, {}]));
  const share = room / Math.max(1, fields.filter(([, field]) => holdsMore(field)).length);
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const isRequired = !innerOf(field) && !holdsMore(field);
      return [name, isRequired ? 'x1' : wrongValue(field, share)];
    }),
  );
};

/**
 * Returns a value with about `room` values in it, all of which have another type than the schema says. Only what is
 * required is right, and lists and objects are there to hold the others.
 */
export const wrongValue = (schema: Schema, room = 190_000): unknown => {
  const plain = unwrap(schema);
  const element = elementOf(plain);
  if (plain instanceof z.ZodMiniObject) return wrongObject(plain, room);
  if (!element) return [];
  const item = wrongValue(element, 20);
  return Array(Math.floor(room / (countValues(JSON.stringify(item)) + 1))).fill(item);
};
