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

/** Returns every method and path that calls of the endpoint go to, since `request` may choose them by the parameters. */
export const routesOf = (endpoint: Endpoint): { method: string; path: string }[] =>
  [{}, ...Object.keys(endpoint.query?.shape ?? {}).map((name) => ({ query: { [name]: name } }))].map((input) =>
    encode(endpoint, input),
  );

/** Returns an event, whose record is in our names, as the service delivers it. */
export const encodeDelivery = (event: Delivery & { type: EventName }): unknown =>
  toWire(delivery, { ...event, data: toWire(events[event.type].schema, event.data) });
