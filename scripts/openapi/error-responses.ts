import { STATUS_CODES } from 'node:http';
import { specifiesKey } from '../../src/api/adapter';
import { apiPlan, type Endpoint, maxBodyBytes } from '../../src/api/endpoints';
import { type ErrorCode, errorCodes, errorResponse } from '../../src/api/errors';
import { capitalize } from '../../src/api/labels';
import { contact } from '../../src/api/resources';
import { refToHeaders } from './headers';
import { refTo } from './schemas';

const listErrors = (endpoint: Endpoint): ErrorCode[] => [
  'invalid_token',
  'plan_required',
  ...(endpoint.scope ? (['insufficient_scope'] as const) : []),
  'rate_limited',
  // Any call refuses query parameters that it doesn't have.
  'validation_failed',
  ...(endpoint.body ? (['malformed_request'] as const) : []),
  ...(endpoint.path.includes('{') ? (['not_found'] as const) : []),
  ...(endpoint.errors ?? []),
  ...(specifiesKey(endpoint) ? (['idempotency_in_flight', 'idempotency_mismatch'] as const) : []),
];

const withDetail = (field: string, message: string): object => ({ field, details: [{ field, message }] });

const detailsOf = (code: ErrorCode, { scope, plan = apiPlan }: Endpoint): object | undefined => {
  const details: Partial<Record<ErrorCode, object>> = {
    validation_failed: withDetail('expand', 'is not a query parameter of this call'),
    insufficient_scope: { required_scope: scope },
    plan_required: { required_plan: plan },
    contact_exists: { field: 'phone', existing_id: contact.sample.id },
    template_not_found: { field: 'template' },
    template_not_approved: { field: 'template' },
    template_variables_missing: withDetail('variables.arrival_time', 'is required by the template'),
    recipient_opted_out: { field: 'to' },
    recipient_unreachable: { field: 'to' },
  };
  return details[code];
};

const errorExample = (code: ErrorCode, endpoint: Endpoint): object => ({
  value: {
    error: {
      code,
      message: `${capitalize(code).replaceAll('_', ' ')}.`,
      ...detailsOf(code, endpoint),
    },
    request_id: 'req_6Tn1Bc',
  },
});

const writeErrorResponse = (status: number, codes: readonly ErrorCode[], endpoint: Endpoint): object => ({
  description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
  'x-basis': 'assumed',
  headers: refToHeaders('requestId', ...(status === 429 ? (['retryAfter'] as const) : [])),
  content: {
    'application/json': {
      schema: refTo(errorResponse),
      examples: Object.fromEntries(codes.map((code) => [code, errorExample(code, endpoint)])),
    },
  },
});

const tooLarge = (endpoint: Endpoint): object => ({
  ...writeErrorResponse(413, ['malformed_request'], endpoint),
  description: `The body is larger than ${maxBodyBytes} bytes.`,
});

const failure = {
  description: 'The service failed. The body may have any format.',
  'x-basis': 'assumed',
  headers: refToHeaders('requestId'),
};

/** Writes the errors that a call gives, by status. */
export const writeErrorResponses = (endpoint: Endpoint): object => {
  const byStatus = Map.groupBy(listErrors(endpoint), (code) => errorCodes[code].status);
  const responses = [...byStatus].map(([status, codes]) => [status, writeErrorResponse(status, codes, endpoint)]);
  return { ...Object.fromEntries(responses), ...(endpoint.body && { 413: tooLarge(endpoint) }), default: failure };
};
