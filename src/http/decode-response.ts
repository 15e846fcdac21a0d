import type * as zod from 'zod/mini';
import { decode } from '../api/decode';
import { encode } from '../api/encode';
import type { AnyInput, Endpoint } from '../api/endpoints';
import { fieldsOf } from '../api/object';
import { fail, halt } from '../platform/errors';
import { isWrite, responseError, retryAdvice } from './failure';
import { filterList } from './filter-list';
import { type ApiResponse, hasUnparsableBody, isSuccess } from './response';
import { isEmpty } from './serialize';

/** Whether a body reports a failure, such as `{"error": "…"}` or `{"success": false}`. */
const hasFailure = (data: unknown): boolean => {
  const { error, errors, success, ok, deleted } = fieldsOf(data);
  return !isEmpty([error, errors].flat().filter(Boolean)) || [success, ok, deleted].includes(false);
};

/**
 * Returns the decoded body of a response. Throws an error of the class that Zapier needs, whose message says why the
 * service refused or which part of the response is unexpected.
 */
export const decodeResponse = <S extends zod.ZodMiniType>(
  endpoint: Endpoint & { response: S },
  input: AnyInput,
  response: ApiResponse,
): zod.output<S> => {
  if (!isSuccess(response)) throw responseError(endpoint, input, response);
  const decoded = decode<S>(endpoint.response, response.data, encode(endpoint, input).sent);
  const isReadable = !hasUnparsableBody(response);
  const reportsFailure = hasFailure(response.data);
  // The schema of an empty response would let a failure pass.
  const isPlausible = isReadable && !(endpoint.status === 204 && reportsFailure);
  if (decoded.success && isPlausible) return filterList(endpoint, input, decoded.data);
  const place = decoded.error?.issues[0]?.path.join('.').slice(0, 60);
  const message = `The messaging service returned an unexpected response (${place ? `see "${place}"` : 'not the expected JSON'}). ${retryAdvice(endpoint)}`;
  // Zapier's Autoreplay repeats steps that fail, and not those that halt. It would send a message again.
  throw isWrite(endpoint) && isReadable && !reportsFailure
    ? halt(message, response.requestId)
    : fail(message, 'unexpected_response', response.status, response.requestId);
};
