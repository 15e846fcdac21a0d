import * as z from 'zod/mini';
import { fieldsOf } from './object';
import { elementOf, innerOf } from './schema';
import { isMissing } from './wire';

/** Removes what a schema doesn't declare, and what the service lacks. */
const keepDeclared = (schema: z.core.$ZodType, value: unknown): unknown => {
  const inner = innerOf(schema);
  if (inner) return keepDeclared(inner, value);
  const element = elementOf(schema);
  if (element && Array.isArray(value)) return value.map((item) => keepDeclared(element, item));
  const fields = schema instanceof z.ZodMiniObject ? Object.entries(schema.shape) : [];
  if (fields.length === 0 || value === null) return value;
  const given = fieldsOf(value);
  const known = fields.filter(([key, field]) => key in given && !isMissing(field));
  return Object.fromEntries(known.map(([key, field]) => [key, keepDeclared(field, given[key])]));
};

/** Returns an example as steps give it: without the fields that the service lacks. */
export const toSample = <S extends z.ZodMiniObject>(schema: S, ours: z.output<S>): z.output<S> =>
  // Only fields that may be absent can be missing.
  keepDeclared(schema, ours) as z.output<S>;
