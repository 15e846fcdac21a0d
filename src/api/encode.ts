import * as z from 'zod/mini';
import type { ConnectionValues } from './connection';
import { type AnyInput, type Endpoint, headers, nameOf } from './endpoints';
import { isList, isSentEmpty } from './fields';
import { asRecord, removeEmpty } from './json';
import { withoutMissing } from './missing';
import type { Call } from './transport';

const namesSentEmpty = (schema: z.core.$ZodType | undefined): string[] =>
  schema instanceof z.ZodMiniObject
    ? Object.entries(schema.shape).flatMap(([key, each]) => (isSentEmpty(each) ? [key] : []))
    : [];

/** Returns a query whose filters with one value or several have lists. */
const withLists = ({ shape }: z.ZodMiniObject, query: object): object =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const parameter = shape[name];
      return [name, parameter && isList(parameter) && (value ?? null) !== null ? [value].flat() : value];
    }),
  );

/** Returns a body without the filters of a webhook that the service lacks. */
const withKnownFilters = (body: unknown): unknown => {
  const { filters } = asRecord(body);
  return filters ? { ...asRecord(body), filters: withoutMissing('webhook', asRecord(filters)) } : body;
};

/** Returns a call of an account as the contract has it, without empty values and filters that the service lacks. */
export const encode = (endpoint: Endpoint, input: AnyInput, connection: ConnectionValues): Call => {
  const { id, query: given = {}, body, idempotencyKey, versions } = input;
  const { method, path, query, body: bodySchema } = endpoint;
  const name = nameOf(endpoint);
  const known = name ? withoutMissing(name, given) : given;
  const written = name === 'createWebhook' ? withKnownFilters(body) : body;
  return {
    name,
    method,
    path,
    parameters: id === undefined ? {} : { id },
    connection,
    query: asRecord(removeEmpty(query ? withLists(query, known) : known)),
    headers: { accept: 'application/json', ...(idempotencyKey && { [headers.idempotencyKey]: idempotencyKey }) },
    body: removeEmpty(written, namesSentEmpty(bodySchema)),
    template: versions,
  };
};
