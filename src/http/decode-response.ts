import * as zod from 'zod/mini';
import { declares } from '../api/decode';
import { type Endpoint, endpoints } from '../api/endpoints';
import { sentence } from '../api/errors';
import { fieldsOf } from '../api/object';
import { parseRefusal, sanitize } from '../api/refusal';
import { decodeTolerantly, filterList } from './decode-list';
import { type FailedCall, failedCall, failedMessage, networkError, responseError } from './failure';
import { isWrite, mayHaveActed } from './outcome';
import { type ApiResponse, hasUnparsableBody, isSuccess, isWrongAddress } from './response';
import type { Exchange } from './send';

/** The action "Call the API" calls what the contract doesn't declare, and returns any body. */
const isDeclared = (endpoint: Endpoint): boolean => Object.values<Endpoint>(endpoints).includes(endpoint);

/** Whether a value says something of an error. Services also send `null`, `[]`, `{}`, `false` or 0 for none. */
const isReported = (value: unknown): boolean => {
  if (typeof value === 'object') return Object.values(value ?? {}).some(isReported);
  return typeof value === 'string' ? value.trim() !== '' : Boolean(value);
};

/** How services write that what a request started has failed. */
const failedStatuses = ['failed', 'failure', 'error', 'rejected', 'undelivered', 'undeliverable'];

const isFailedStatus = (status: unknown): boolean =>
  typeof status === 'string' && failedStatuses.includes(status.trim().toLowerCase());

const isFalse = (value: unknown): boolean => value === false;

const hasNoSchema = ({ response }: Endpoint): boolean => response instanceof zod.ZodMiniUnknown;

const isFree = (endpoint: Endpoint): boolean => endpoint.method !== 'GET' || hasNoSchema(endpoint);

/** What reports a failure in the body of a success, and after which calls. */
const failureSigns: {
  fields: readonly string[];
  isFailure: (value: unknown) => boolean;
  counts: (endpoint: Endpoint) => boolean;
}[] = [
  { fields: ['success', 'ok'], isFailure: isFalse, counts: () => true },
  { fields: ['deleted'], isFailure: isFalse, counts: hasNoSchema },
  { fields: ['error', 'errors', 'error_message'], isFailure: isReported, counts: isFree },
  { fields: ['status', 'result'], isFailure: isFailedStatus, counts: isFree },
  // A record that was read may itself have an error, such as a message that failed.
  { fields: ['error'], isFailure: isReported, counts: ({ response }) => !declares(response, 'error') },
];

/** Whether the body of a success reports a failure, such as `{"error": "…"}` or `{"ok": false}`. */
const reportsFailure = (endpoint: Endpoint, data: unknown): boolean => {
  const body = fieldsOf(data);
  const signs = isDeclared(endpoint) ? failureSigns.filter(({ counts }) => counts(endpoint)) : [];
  return signs.some(({ fields, isFailure }) => fields.some((field) => isFailure(body[field])));
};

/** Whether what a write has started has failed already. */
const hasEnded = (endpoint: Endpoint, record: unknown): boolean => {
  const { status, failed_at } = fieldsOf(record);
  return isDeclared(endpoint) && isWrite(endpoint) && (isFailedStatus(status) || isReported(failed_at));
};

const isSend = (endpoint: Endpoint): boolean => endpoint === endpoints.sendMessage;

/** Leaves room for the advice and the request ID after it. */
const maxReasonLength = 55;

/** Returns why the service says that it failed, as a sentence; undefined when it gives no reason. */
const readReason = ({ status, data, scrub }: ApiResponse, record: unknown): string | undefined => {
  const { error, errors, error_message } = fieldsOf(data);
  const { message, code } = parseRefusal(status, data);
  const listed = [errors].flat().flatMap((each) => [fieldsOf(each).message, each]);
  const reasons = [
    fieldsOf(fieldsOf(record).error).message,
    error_message,
    ...listed,
    message,
    ...[error].flat(),
    code,
  ];
  const reason = scrub(reasons.map(sanitize).find(Boolean) ?? '');
  if (!reason) return undefined;
  return sentence(reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength - 1)}…` : reason);
};

/** Whether a repeated deletion finds nothing left to delete. */
const isAlreadyDeleted = (endpoint: Endpoint, isUncertain: boolean, response: ApiResponse): boolean =>
  endpoint.method === 'DELETE' && isUncertain && [404, 410].includes(response.status) && !isWrongAddress(response);

/** Returns the error for a success whose body says why it isn't one; undefined for any other. */
const readFailure = (call: FailedCall, response: ApiResponse, record: unknown): Error | undefined => {
  const isFailed = hasEnded(call.endpoint, record);
  if (!isFailed && !reportsFailure(call.endpoint, response.data)) return undefined;
  const reason = readReason(response, record);
  if (isFailed && isSend(call.endpoint)) return failedMessage(call, reason);
  // Some of the call may have had an effect, because the status says that all of it did.
  const sentences = `The messaging service reported a failure${reason ? `: ${reason}` : ' without a reason.'}`;
  return failedCall(sentences, call, 'reported_failure', response);
};

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
  const isUncertain = mayHaveActed(endpoint, [...earlier, outcome]);
  const call = { endpoint, input, isUncertain };
  if (outcome instanceof Error) throw networkError(call, outcome);
  const isDeleted = isAlreadyDeleted(endpoint, isUncertain, outcome);
  if (!isSuccess(outcome) && !isDeleted) throw responseError(call, outcome);
  const data = isDeleted ? undefined : outcome.data;
  const decoded = decodeTolerantly<S>(endpoint.response, data, sent);
  const isReadable = outcome.isAdapted && !hasUnparsableBody(outcome);
  const failure = isDeleted ? undefined : readFailure(call, outcome, decoded.data);
  if (failure) throw failure;
  if (decoded.success && isReadable) return filterList(endpoint, input, decoded.data);
  const place = decoded.error?.issues[0]?.path.join('.').slice(0, 60);
  const problem = place ? `"${place}" is missing or invalid` : 'not the expected data';
  throw failedCall(
    `The messaging service returned an unexpected response (${problem}).`,
    call,
    'unexpected_response',
    outcome,
  );
};
