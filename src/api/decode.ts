import * as zod from 'zod/mini';
import { type Delivery, delivery } from './events';
import { fromWire, type Sent } from './wire';

const omit = (value: object, names: ReadonlySet<unknown>): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));

type Result<S extends zod.ZodMiniType> = ReturnType<typeof zod.safeParse<S>>;

/** Parses a value, and drops fields of the wrong type, so that only one that is required makes it fail. */
const parse = <S extends zod.ZodMiniType>(schema: S, ours: unknown): Result<S> => {
  const result = zod.safeParse<S>(schema, ours);
  if (result.success || typeof ours !== 'object' || ours === null || Array.isArray(ours)) return result;
  const invalid = new Set(result.error.issues.map(({ path }) => path[0]));
  const tolerant = zod.safeParse<S>(schema, omit(ours, invalid));
  return tolerant.success ? tolerant : result;
};

/**
 * Reads what the service sent by its schema; `sent` is the request that it belongs to. A field of the wrong type is
 * dropped. An error names the place of a required one.
 */
export const decode = <S extends zod.ZodMiniType>(schema: S, value: unknown, sent?: Sent): Result<S> =>
  parse(schema, fromWire(schema, value, sent));

/** Reads the events of a delivery. Undefined when it has anything else. */
export const decodeDelivery = (value: unknown): Delivery[] | undefined => {
  const results = [fromWire(delivery, value)].flat().map((event) => parse(delivery, event));
  const decoded = results.flatMap(({ data }) => data ?? []);
  return decoded.length < results.length ? undefined : decoded;
};
