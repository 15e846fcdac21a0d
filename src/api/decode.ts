import * as zod from 'zod/mini';
import { fromWire, type Sent } from './wire';

const omit = (value: object, names: ReadonlySet<unknown>): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));

/**
 * Reads what the service sent by its schema. A field of the wrong type is dropped, so that only one that is required
 * makes it fail; the error then names that place.
 */
export const decode = <S extends zod.ZodMiniType>(
  schema: S,
  value: unknown,
  sent?: Sent,
): ReturnType<typeof zod.safeParse<S>> => {
  const ours = fromWire(schema, value, sent);
  const result = zod.safeParse<S>(schema, ours);
  if (result.success || typeof ours !== 'object' || ours === null || Array.isArray(ours)) return result;
  const invalid = new Set(result.error.issues.map(({ path }) => path[0]));
  const tolerant = zod.safeParse<S>(schema, omit(ours, invalid));
  return tolerant.success ? tolerant : result;
};
