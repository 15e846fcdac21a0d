import type * as zod from 'zod/mini';
import { decode } from '../api/decode';
import { encode } from '../api/encode';
import type { AnyInput, Endpoint } from '../api/endpoints';
import { fieldsOf } from '../api/object';
import { failedCall, networkError, responseError } from './failure';
import { filterList } from './filter-list';
import { hadNoEffect } from './outcome';
import { type ApiResponse, hasUnparsableBody, isSuccess, isWrongAddress } from './response';
import type { Exchange } from './send';
import { isEmpty } from './serialize';

/** Whether a body reports a failure, such as `{"error": "…"}` or `{"success": false}`. */
const hasFailure = (data: unknown): boolean => {
  const { error, errors, success, ok, deleted } = fieldsOf(data);
  return !isEmpty([error, errors].flat().filter(Boolean)) || [success, ok, deleted].includes(false);
};

/** Whether a repeated deletion finds nothing left to delete. */
const isDeleted = (endpoint: Endpoint, isUncertain: boolean, response: ApiResponse): boolean =>
  endpoint.method === 'DELETE' && isUncertain && [404, 410].includes(response.status) && !isWrongAddress(response);

/**
 * Returns the decoded body of the last response. Throws an error of the class that Zapier needs, whose message says why
 * the service refused or which part of the response is unexpected.
 */
export const decodeExchange = <S extends zod.ZodMiniType>(
  endpoint: Endpoint & { response: S },
  input: AnyInput,
  { outcome, earlier }: Exchange,
): zod.output<S> => {
  const isUncertain = ![...earlier, outcome].every(hadNoEffect);
  const call = { endpoint, input, isUncertain };
  if (outcome instanceof Error) throw networkError(call, outcome);
  const isGone = isDeleted(endpoint, isUncertain, outcome);
  if (!isSuccess(outcome) && !isGone) throw responseError(call, outcome);
  const data = isGone ? undefined : outcome.data;
  const decoded = decode<S>(endpoint.response, data, encode(endpoint, input).sent);
  const isReadable = !hasUnparsableBody(outcome);
  // The schema of an empty response would let a failure pass.
  const isPlausible = isReadable && !(endpoint.status === 204 && hasFailure(data));
  if (decoded.success && isPlausible) return filterList(endpoint, input, decoded.data);
  const place = decoded.error?.issues[0]?.path.join('.').slice(0, 60);
  const problem = place ? `"${place}" is missing or invalid` : 'not the expected JSON';
  throw failedCall(
    `The messaging service returned an unexpected response (${problem}).`,
    call,
    'unexpected_response',
    outcome,
  );
};
