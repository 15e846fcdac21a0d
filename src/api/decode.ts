import * as zod from 'zod/mini';
import type { Endpoint } from './endpoints';
import { type Delivery, delivery, type EventName, events, isEvent } from './events';
import { fieldsOf } from './object';
import { itemOf } from './schema';
import { tolerant } from './tolerant';
import { fromWire } from './translate';
import { nameOnWire, type Sent, translateWords } from './wire';

type Result<S extends zod.ZodMiniType> = ReturnType<typeof zod.safeParse<S>>;

/**
 * Reads what the service sent by its schema; `sent` is the request that it belongs to. A field of the wrong type becomes
 * null. An error names the place of a required one.
 */
export const decode = <S extends zod.ZodMiniType>(schema: S, value: unknown, sent?: Sent): Result<S> =>
  zod.safeParse(tolerant(schema), fromWire(schema, value, sent));

/** An event with a blank id gets one of its type, time and record, so that a repeat of it has the same. */
const withId = (event: Readonly<Record<string, unknown>>) =>
  typeof event.id === 'string' && event.id.trim() === ''
    ? { ...event, id: `${event.type} ${event.created_at} ${fieldsOf(event.data).id}` }
    : event;

const isEventName = (name: string): name is EventName => Object.hasOwn(events, name);

/** Returns an event whose word stands for several of ours as the one that its record tells, and any other as it is. */
const withType = (event: Readonly<Record<string, unknown>>) => {
  const names = translateWords('fromWire', delivery.shape.type, String(event.type)).filter(isEventName);
  if (names.length < 2) return event;
  const [type = event.type, ...others] = names.filter((name) =>
    isEvent(name, fieldsOf(fromWire(events[name].schema, event.data))),
  );
  return others.length > 0 ? event : { ...event, type };
};

/** More values than this can't all be events: a delivery of `jsonLimits` has room for fewer. */
const maxEvents = 50_000;

/**
 * Reads the events among values. An event without a record gets an empty one. Undefined when no value is an event, or
 * there are too many values.
 */
export const decodeDelivery = (value: unknown): Delivery[] | undefined => {
  const values = [value].flat();
  if (values.length > maxEvents) return undefined;
  const events = values
    .flatMap((each) => fromWire(delivery, each))
    .map(fieldsOf)
    .map(withId)
    .map(withType);
  // Without the errors of the others, which would take a lot of memory.
  const decoded = events.flatMap(
    (event) => zod.safeParse(tolerant(delivery), { ...event, data: fieldsOf(event.data) }).data ?? [],
  );
  return decoded.length === 0 && events.length > 0 ? undefined : decoded;
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

/** Whether a response may have a field of this name, as the service spells it. */
export const declares = (response: zod.ZodMiniType, name: string): boolean => ourPath(response, [name]) !== undefined;
