import * as zod from 'zod/mini';
import type { Endpoint } from './endpoints';
import { type Delivery, delivery } from './events';
import { fieldsOf } from './object';
import { itemOf } from './schema';
import { tolerant } from './tolerant';
import { fromWire } from './translate';
import { nameOnWire, type Sent } from './wire';

type Result<S extends zod.ZodMiniType> = ReturnType<typeof zod.safeParse<S>>;

/**
 * Reads what the service sent by its schema; `sent` is the request that it belongs to. A field of the wrong type becomes
 * null. An error names the place of a required one.
 */
export const decode = <S extends zod.ZodMiniType>(schema: S, value: unknown, sent?: Sent): Result<S> =>
  zod.safeParse(tolerant(schema), fromWire(schema, value, sent));

/** Reads the events of a delivery. One without a record has an empty one. Undefined when anything isn't an event. */
export const decodeDelivery = (value: unknown): Delivery[] | undefined => {
  const events = [fromWire(delivery, value)].flat().map(fieldsOf);
  const results = events.map((event) => zod.safeParse(tolerant(delivery), { ...event, data: fieldsOf(event.data) }));
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
