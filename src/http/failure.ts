/** The errors of requests that failed: the message says why, and what the user can do. */
import { decodeField } from '../api/decode';
import { type AnyInput, type Endpoint, keepsIdempotencyKeys } from '../api/endpoints';
import { isTransientStatus } from '../api/errors';
import { recordLabel, requestLabels } from '../api/labels';
import { fail, halt, refusalError } from '../platform/errors';
import { isInFlight, isTooLarge } from './outcome';
import { type ApiResponse, isWrongAddress } from './response';
import { isWrite } from './send';

/**
 * Whether repeating a step could do something twice. Zapier's Autoreplay repeats steps that fail, and not those that
 * halt, so a write with an unknown outcome halts, unless the service recognizes the person's own key.
 */
export const isUnsafeToRepeat = (endpoint: Endpoint, { idempotencyKey }: AnyInput): boolean =>
  isWrite(endpoint) && !(idempotencyKey && keepsIdempotencyKeys);

/** A call that failed. */
export interface FailedCall {
  endpoint: Endpoint;
  input: AnyInput;
  /** Whether an attempt of it may have succeeded. */
  isUncertain: boolean;
}

const mustHalt = ({ endpoint, input, isUncertain }: FailedCall): boolean =>
  isUncertain && isUnsafeToRepeat(endpoint, input);

/** Returns what the user can do after a call that failed. */
const advise = (call: FailedCall): string => {
  if (!isWrite(call.endpoint)) {
    return 'Try again later. If it keeps happening, check the API Base URL of the account.';
  }
  if (!call.isUncertain) return 'Nothing was sent or changed, so you can try again later.';
  return mustHalt(call)
    ? 'The request may have succeeded, so check before you try again.'
    : 'The request may have succeeded, but you can replay the run within 24 hours without sending anything twice.';
};

/** Returns the error for a call that failed for a reason, a sentence. */
export const failedCall = (reason: string, call: FailedCall, code: string, response?: ApiResponse): Error => {
  const message = `${reason} ${advise(call)}`;
  return mustHalt(call)
    ? halt(message, response?.requestId)
    : fail(message, code, response?.status, response?.requestId);
};

/** Returns the error for a response that is late, missing, incomplete or too large. */
export const networkError = (call: FailedCall, error: Error): Error => {
  if (isTooLarge(error)) {
    return failedCall('The messaging service sent a response over 20 MB.', call, 'response_too_large');
  }
  if (error.name === 'AbortError') {
    return failedCall("The messaging service didn't respond in time.", call, 'no_response');
  }
  return failedCall(
    'The connection to the messaging service failed before a complete response arrived.',
    call,
    'no_response',
  );
};

/** Whether a response tells the result of the call. The service sends other refusals before it looks at the key. */
const isVerdict = (response: ApiResponse): boolean =>
  [400, 404, 409, 422].includes(response.status) && !isInFlight(response) && !isWrongAddress(response);

/** Returns the error for a response that isn't a success, of the class that Zapier needs. */
export const responseError = (call: FailedCall, response: ApiResponse): Error => {
  const { endpoint, input } = call;
  const { status, requestId, retryAfter, scrub } = response;
  if (mustHalt(call) && !isTransientStatus(status) && !isVerdict(response)) {
    return failedCall(
      `The messaging service didn't confirm this request (status ${status}).`,
      call,
      'unconfirmed',
      response,
    );
  }
  if (status < 400) {
    return fail(
      'API Base URL: this address redirects to another one, which must not get your token. Enter the address of the API itself.',
      'redirected',
      status,
      requestId,
    );
  }
  if (isWrongAddress(response)) {
    return fail(
      'API Base URL: no messaging service API was found at this address (status 404). Check the address in the account.',
      'base_url_refused',
      status,
      requestId,
    );
  }
  const { problems, requiredScope, requiredPlan, ...refused } = response.refusal ?? { status, problems: [] };
  const refusal = {
    ...refused,
    problems: problems.map(({ field, message }) => ({ field: field && decodeField(endpoint, field), message })),
    requiredScope: requiredScope ?? endpoint.scope ?? undefined,
    requiredPlan: requiredPlan ?? endpoint.plan,
    record: recordLabel(endpoint.path),
    labels: requestLabels(endpoint, input.labels),
    retryAdvice: isWrite(endpoint) ? advise(call) : undefined,
    isUnsafeToRepeat: mustHalt(call),
  };
  return refusalError(refusal, retryAfter, scrub);
};
