import { type AnyInput, type Endpoint, pathPrefix, type RequestChange } from './endpoints';
import { type Delivery, delivery, type EventName, events } from './events';
import { fieldsOf } from './object';
import { toWire } from './translate';

/**
 * Returns a call as the service takes it: `parameters` has the values for each `{…}` of the path, by the names there.
 * `sent` is the whole query and body, wherever in the request they go.
 */
export const encode = (endpoint: Endpoint, { id, name, query: ourQuery, body: ourBody }: AnyInput) => {
  const { method, path, query: querySchema, body: bodySchema } = endpoint;
  const query = fieldsOf(querySchema ? toWire(querySchema, ourQuery) : ourQuery);
  const body = bodySchema && toWire(bodySchema, ourBody);
  const change: RequestChange = endpoint.request?.({ id, name, query, body }) ?? {};
  return {
    method,
    query,
    body,
    ...change,
    path: change.path === undefined ? path : pathPrefix + change.path,
    parameters: { ...query, id, name },
    sent: { query, body: fieldsOf(body) },
  };
};

/**
 * Returns a call without parameters and one with each parameter of the query, since `request` may choose the method and
 * path by them. Each parameter has its name as its value.
 */
export const routesOf = (endpoint: Endpoint) =>
  [undefined, ...Object.keys(endpoint.query?.shape ?? {})].map((parameter) => ({
    parameter,
    ...encode(endpoint, parameter ? { query: { [parameter]: parameter } } : {}),
  }));

/** Returns an event, whose record is in our names, as the service delivers it. */
export const encodeDelivery = (event: Delivery & { type: EventName }): unknown =>
  toWire(delivery, { ...event, data: toWire(events[event.type].schema, event.data) });
