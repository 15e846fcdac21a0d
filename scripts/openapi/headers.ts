import { headers } from '../../src/api/endpoints';

const text = { type: 'string' };

/** Every header of an answer that the contract names. */
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

/** Where the document has the headers of an answer with this status. */
export const answerHeaders = (status: number): object => ({
  ...refTo('requestId'),
  ...(status === 429 && refTo('retryAfter')),
});

/** Where the document has the headers of an answer to a call that takes a key against doing it twice. */
export const repeatableHeaders = (status: number): object => ({
  ...answerHeaders(status),
  ...refTo('idempotentReplayed'),
});
