import * as z from 'zod/mini';
import { toService } from './adapter';
import type { ConnectionValues } from './connection';
import { type AnyInput, type Endpoint, headers, nameOf } from './endpoints';
import { type Delivery, delivery, type EventName, events } from './events';
import { fieldsOf, removeEmpty } from './object';
import { isList } from './schema';
import { toWire } from './translate';
import type { Call } from './transport';
import { isSentEmpty, nameOnWire } from './wire';

const namesSentEmpty = (schema: z.core.$ZodType | undefined): string[] =>
  schema instanceof z.ZodMiniObject
    ? Object.entries(schema.shape).flatMap(([key, each]) => (isSentEmpty(each) ? [nameOnWire(key, each)] : []))
    : [];

/** Returns a query whose filters with one value or several have lists. */
const withLists = ({ shape }: z.ZodMiniObject, query: object = {}): object =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const parameter = shape[name];
      return [name, parameter && isList(parameter) && (value ?? null) !== null ? [value].flat() : value];
    }),
  );

/**
 * Returns a call of an account as the service takes it: `parameters` has the values for each `{…}` of the path. `call` is
 * the same before `request`, and `sent` is its query and body, without empty values.
 */
export const encode = (endpoint: Endpoint, input: AnyInput, connection: ConnectionValues) => {
  const { id, query: ourQuery, body: ourBody, idempotencyKey, template, versions } = input;
  const { method, path, query: querySchema, body: bodySchema } = endpoint;
  const query = fieldsOf(removeEmpty(querySchema ? toWire(querySchema, withLists(querySchema, ourQuery)) : ourQuery));
  const written = bodySchema && toWire(bodySchema, ourBody, { query, body: {}, template });
  const body = removeEmpty(written, namesSentEmpty(bodySchema));
  const sent = { query, body: fieldsOf(body), template };
  const call: Call = {
    name: nameOf(endpoint),
    method,
    path,
    parameters: id === undefined ? {} : { id },
    connection,
    query,
    headers: { accept: 'application/json', ...(idempotencyKey && { [headers.idempotencyKey]: idempotencyKey }) },
    body,
    template: versions,
  };
  const changed = toService(call);
  return {
    ...changed,
    headers: { ...(changed.body !== undefined && { 'content-type': 'application/json' }), ...changed.headers },
    parameters: { ...sent.body, ...query, ...connection, ...changed.parameters },
    call,
    sent,
  };
};

/** Returns an event, whose record is in our names, with the names, words and form of the service. */
export const encodeDelivery = (event: Delivery & { type: EventName }): unknown =>
  toWire(delivery, { ...event, data: toWire(events[event.type].schema, event.data) });
