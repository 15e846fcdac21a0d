import * as zod from 'zod/mini';
import { declares, decode } from '../api/decode';
import { type Endpoint, endpoints } from '../api/endpoints';
import { sentence } from '../api/errors';
import { fieldsOf } from '../api/object';
import { parseRefusal } from '../api/refusal';
import { failedCall, networkError, responseError } from './failure';
import { filterList } from './filter-list';
import { hadNoEffect } from './outcome';
import { type ApiResponse, hasUnparsableBody, isSuccess, isWrongAddress } from './response';
import type { Exchange } from './send';

/** API Request calls what the contract doesn't declare, and returns any body. */
const isDeclared = (endpoint: Endpoint): boolean => Object.values<Endpoint>(endpoints).includes(endpoint);

const isTextOrObject = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() !== '' : Object.keys(fieldsOf(value)).length > 0;

/** Whether a body that no schema describes reports a failure. */
const hasAnyFailure = (data: unknown): boolean => {
  const { error, errors, deleted, status, result } = fieldsOf(data);
  return [error, errors].flat().some(Boolean) || deleted === false || [status, result].includes('error');
};

/** Whether the body of a success reports a failure, such as `{"error": "…"}` or `{"ok": false}`. */
const reportsFailure = (endpoint: Endpoint, data: unknown): boolean => {
  if (!isDeclared(endpoint)) return false;
  const { error, success, ok } = fieldsOf(data);
  if ([success, ok].includes(false)) return true;
  if (endpoint.response instanceof zod.ZodMiniUnknown) return hasAnyFailure(data);
  return isTextOrObject(error) && !declares(endpoint.response, 'error');
};

/** Leaves room for the advice and the request ID after it. */
const maxReasonLength = 55;

/** Returns why the service says that it failed, as a sentence; undefined when it gives no reason. */
const readReason = ({ status, data, scrub }: ApiResponse): string | undefined => {
  const { message, code } = parseRefusal(status, data);
  const reason = scrub(message ?? code ?? '');
  if (!reason) return undefined;
  return sentence(reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength - 1)}…` : reason);
};

/** Whether a repeated deletion finds nothing left to delete. */
const isDeleted = (endpoint: Endpoint, isUncertain: boolean, response: ApiResponse): boolean =>
  endpoint.method === 'DELETE' && isUncertain && [404, 410].includes(response.status) && !isWrongAddress(response);

/**
 * Returns the decoded body of the last response. Throws an error of the class that Zapier needs, whose message says why
 * the service refused or which part of the response is unexpected.
 */
export const decodeExchange = <S extends zod.ZodMiniType>({
  endpoint,
  input,
  sent,
  outcome,
  earlier,
}: Exchange<Endpoint & { response: S }>): zod.output<S> => {
  const isUncertain = ![...earlier, outcome].every(hadNoEffect);
  const call = { endpoint, input, isUncertain };
  if (outcome instanceof Error) throw networkError(call, outcome);
  const isGone = isDeleted(endpoint, isUncertain, outcome);
  if (!isSuccess(outcome) && !isGone) throw responseError(call, outcome);
  const data = isGone ? undefined : outcome.data;
  const isFailure = reportsFailure(endpoint, data);
  const reason = isFailure && readReason(outcome);
  // Some of the call may have had an effect, because the status says that all of it did.
  if (reason) {
    throw failedCall(`The messaging service reported a failure: ${reason}`, call, 'reported_failure', outcome);
  }
  const decoded = decode<S>(endpoint.response, data, sent);
  const isReadable = outcome.isAdapted && !hasUnparsableBody(outcome);
  if (decoded.success && isReadable && !isFailure) return filterList(endpoint, input, decoded.data);
  const place = decoded.error?.issues[0]?.path.join('.').slice(0, 60);
  const problem = place ? `"${place}" is missing or invalid` : 'not the expected JSON';
  throw failedCall(
    `The messaging service returned an unexpected response (${problem}).`,
    call,
    'unexpected_response',
    outcome,
  );
};
