import { headers } from '../../src/api/endpoints';

const text = { type: 'string' };

/** Describes every response header of the contract. */
export const writeHeaders = (): object => ({
  requestId: { description: 'By this support finds the request.', 'x-basis': 'assumed', schema: text },
  retryAfter: { description: 'When to try again: seconds, or an HTTP date.', 'x-basis': 'assumed', schema: text },
  idempotentReplayed: {
    description: '`true` when this is the answer to an earlier request with the same key.',
    'x-basis': 'assumed',
    schema: text,
  },
});

const refTo = (name: keyof typeof headers): object => ({ [headers[name]]: { $ref: `#/components/headers/${name}` } });

/** References the headers of a response with this status. */
export const responseHeaders = (status: number): object => ({
  ...refTo('requestId'),
  ...(status === 429 && refTo('retryAfter')),
});

/** References the headers of a response to a request that takes an idempotency key. */
export const idempotentResponseHeaders = (status: number): object => ({
  ...responseHeaders(status),
  ...refTo('idempotentReplayed'),
});
