import { headers } from '../../src/api/endpoints';

const header = (description: string): object => ({ description, 'x-basis': 'assumed', schema: { type: 'string' } });

/** Describes every response header of the contract. */
export const writeHeaders = (): object => ({
  requestId: header('The ID of the request. Quote it to support.'),
  retryAfter: header('When to retry: a number of seconds, or an HTTP date.'),
  idempotentReplayed: header('`true` if this is the response to an earlier request with the same key.'),
});

/** References response headers. */
export const refToHeaders = (...names: Exclude<keyof typeof headers, 'idempotencyKey'>[]): object =>
  Object.fromEntries(names.map((name) => [headers[name], { $ref: `#/components/headers/${name}` }]));
