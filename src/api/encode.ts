import * as z from 'zod/mini';
import { type AnyInput, type Endpoint, headers } from './endpoints';
import { type Delivery, delivery, type EventName, events } from './events';
import { fieldsOf } from './object';
import { type Call, request } from './service';
import { toWire } from './translate';
import { isSentEmpty, nameOnWire } from './wire';

const namesSentEmpty = (schema: z.core.$ZodType | undefined): string[] =>
  schema instanceof z.ZodMiniObject
    ? Object.entries(schema.shape).flatMap(([key, each]) => (isSentEmpty(each) ? [nameOnWire(key, each)] : []))
    : [];

/**
 * Returns a call as the service takes it: `parameters` has the values for each `{…}` of the path, and `kept` names the
 * fields of the body that stay when they're empty. `call` is the same before `request`, and `sent` is its query and body.
 */
export const encode = (endpoint: Endpoint, input: AnyInput) => {
  const { id, query: ourQuery, body: ourBody, idempotencyKey, template } = input;
  const { method, path, query: querySchema, body: bodySchema } = endpoint;
  const query = fieldsOf(querySchema ? toWire(querySchema, ourQuery) : ourQuery);
  const body = bodySchema && toWire(bodySchema, ourBody, { query, body: {}, template });
  const sent = { query, body: fieldsOf(body), template };
  const call: Call = {
    method,
    path,
    parameters: id === undefined ? {} : { id },
    query,
    headers: { accept: 'application/json', ...(idempotencyKey && { [headers.idempotencyKey]: idempotencyKey }) },
    body,
  };
  const changed = request(call);
  return {
    ...changed,
    headers: { ...(changed.body !== undefined && { 'content-type': 'application/json' }), ...changed.headers },
    parameters: { ...sent.body, ...query, ...changed.parameters },
    kept: namesSentEmpty(bodySchema),
    call,
    sent,
  };
};

/** Returns an event, whose record is in our names, with the names, words and form of the service. */
export const encodeDelivery = (event: Delivery & { type: EventName }): unknown =>
  toWire(delivery, { ...event, data: toWire(events[event.type].schema, event.data) });
