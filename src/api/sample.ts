import * as z from 'zod/mini';
import { fieldsOf } from './object';
import { elementOf, innerOf } from './schema';
import { fromWire, toWire } from './translate';
import { hasDifferences, type Sent } from './wire';

/** Removes what a schema doesn't declare, since the line of a field may be deleted. */
const keepDeclared = (schema: z.core.$ZodType, value: unknown): unknown => {
  const inner = innerOf(schema);
  if (inner) return keepDeclared(inner, value);
  const element = elementOf(schema);
  if (element && Array.isArray(value)) return value.map((item) => keepDeclared(element, item));
  const fields = schema instanceof z.ZodMiniObject ? Object.entries(schema.shape) : [];
  if (fields.length === 0 || value === null) return value;
  const given = fieldsOf(value);
  const known = fields.filter(([key]) => key in given);
  return Object.fromEntries(known.map(([key, field]) => [key, keepDeclared(field, given[key])]));
};

/**
 * Returns an example as steps give it: without the fields that the service lacks, and with the texts of numbers where the
 * service has numbers for ids. `sent` is the request, if a response to it may have less than the whole record. Throws when
 * the form of the service doesn't lead back to a valid record.
 */
export const toSample = <S extends z.ZodMiniObject>(schema: S, ours: z.output<S>, sent?: Sent): z.output<S> => {
  const declared = keepDeclared(schema, ours);
  // Zod compiles a schema when it first parses, and most runs need few of them. A test parses every example.
  if (!hasDifferences()) return declared as z.output<S>;
  const theirs = toWire(schema, declared, sent);
  const read = z.safeParse(schema, fromWire(schema, theirs, sent));
  if (read.success) return read.data;
  const { id, name } = fieldsOf(ours);
  const [issue] = read.error.issues;
  throw new Error(
    `src/api: the example ${id ?? name} has no valid \`${issue?.path.join('.')}\` after \`toWire\` and \`fromWire\`.`,
  );
};
