import * as zod from 'zod/mini';
import type { Endpoint } from './endpoints';
import { type Delivery, delivery } from './events';
import { fieldsOf } from './object';
import { itemOf } from './schema';
import { fromWire } from './translate';
import { nameOnWire, type Sent } from './wire';

type Result<S extends zod.ZodMiniType> = ReturnType<typeof zod.safeParse<S>>;
type Path = readonly PropertyKey[];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns how much of a path leads to a field that is there. An item of a list isn't a field. */
const fieldAlong = (value: unknown, path: Path): Path => {
  let [at, length] = [value, 0];
  for (const [index, key] of path.entries()) {
    if (!isObject(at) || !Object.hasOwn(at, key)) break;
    at = Reflect.get(at, key);
    if (typeof key === 'string') length = index + 1;
  }
  return path.slice(0, length);
};

/** Returns a copy with null in a field, or without the field when it is null. */
const clear = (value: unknown, [key, ...rest]: Path): unknown => {
  if (!isObject(value) || key === undefined) return value;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? clear(item, rest) : item));
  const { [key]: old, ...others }: Record<PropertyKey, unknown> = { ...value };
  if (rest.length > 0) return { ...value, [key]: clear(old, rest) };
  return old === null ? others : { ...value, [key]: null };
};

/** Returns the fields that have an issue, each once: clearing a field again would clear what holds it. */
const fieldsWithIssues = (value: unknown, issues: readonly { path: Path }[]): Path[] => {
  const fields = issues.map(({ path }) => fieldAlong(value, path));
  return [...new Map(fields.map((field) => [field.join('.'), field])).values()];
};

/** A field is cleared once to null and once for good, and what holds it can be three levels up. */
const maxRounds = 8;

/**
 * Parses a value. A field of the wrong type becomes null, or absent where null isn't allowed, unless it's required. A
 * filter doesn't let null pass, so no step acts on such a record by mistake.
 */
const parse = <S extends zod.ZodMiniType>(schema: S, ours: unknown): Result<S> => {
  const first = zod.safeParse<S>(schema, ours);
  let [result, value] = [first, ours];
  for (let round = 0; !result.success && round < maxRounds; round += 1) {
    for (const field of fieldsWithIssues(value, result.error.issues)) value = clear(value, field);
    result = zod.safeParse<S>(schema, value);
  }
  return result.success ? result : first;
};

/**
 * Reads what the service sent by its schema; `sent` is the request that it belongs to. A field of the wrong type becomes
 * null. An error names the place of a required one.
 */
export const decode = <S extends zod.ZodMiniType>(schema: S, value: unknown, sent?: Sent): Result<S> =>
  parse(schema, fromWire(schema, value, sent));

/** Reads the events of a delivery. One without a record has an empty one. Undefined when anything isn't an event. */
export const decodeDelivery = (value: unknown): Delivery[] | undefined => {
  const events = [fromWire(delivery, value)].flat().map(fieldsOf);
  const results = events.map((event) => parse(delivery, { ...event, data: fieldsOf(event.data) }));
  const decoded = results.flatMap(({ data }) => data ?? []);
  return decoded.length < results.length ? undefined : decoded;
};

/** Returns our names for the fields along a path; undefined when the schema has no such field. */
const ourPath = (schema: zod.core.$ZodType, [first, ...rest]: string[]): string[] | undefined => {
  const object = itemOf(schema);
  const fields = object instanceof zod.ZodMiniObject ? Object.entries(object.shape) : [];
  const [name, field] = fields.find((each) => nameOnWire(...each) === first) ?? [];
  return name === undefined || field === undefined ? undefined : [name, ...(ourPath(field, rest) ?? rest)];
};

/** Returns our name for a field of the request that the service names in a refusal, such as `variables.parcel_id`. */
export const decodeField = ({ query, body }: Endpoint, field: string): string => {
  const schema = body ?? query;
  return (schema && ourPath(schema, field.split('.')))?.join('.') ?? field;
};
