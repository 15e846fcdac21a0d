import type { Endpoint } from '../../src/api/endpoints';
import { errorCodes, errorResponse } from '../../src/api/errors';
import { toWire } from '../../src/api/wire';
import { responseHeaders } from './headers';
import { refTo } from './schemas';

const codes = Object.entries(errorCodes);

const exampleOf = (code: string): object => ({
  value: toWire(errorResponse, {
    error: { code, message: `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}.` },
    request_id: 'req_6Tn1Bc',
  }),
});

const statuses = [...new Set(codes.map(([, { status }]) => status))].toSorted();

const writeErrorResponse = (status: number): object => {
  const possible = codes.filter(([, code]) => code.status === status).map(([code]) => code);
  return {
    description: `The service refuses: ${possible.join(', ')}.`,
    headers: responseHeaders(status),
    content: {
      'application/json': {
        schema: refTo(errorResponse),
        examples: Object.fromEntries(possible.map((code) => [code, exampleOf(code)])),
      },
    },
  };
};

/** Writes the error responses, one for each status. */
export const writeErrorResponses = (): object =>
  Object.fromEntries(statuses.map((status) => [`Refusal${status}`, writeErrorResponse(status)]));

const canReturn = ({ path, query, body }: Endpoint, status: number): boolean => {
  if (status === 400 || status === 409) return Boolean(body);
  if (status === 404) return path.includes('{');
  return status !== 422 || Boolean(body ?? query);
};

/** References the error responses that the endpoint can return. */
export const errorResponsesOf = (endpoint: Endpoint): object =>
  Object.fromEntries(
    statuses
      .filter((status) => canReturn(endpoint, status))
      .map((status) => [status, { $ref: `#/components/responses/Refusal${status}` }]),
  );
