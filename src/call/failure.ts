/** The errors of requests that failed: the message says why, and what the user can do. */
import { canHave } from '../api/adapter';
import type { AnyInput, Endpoint } from '../api/endpoints';
import { isErrorCode, isTransientStatus, isVerdict, type Refusal } from '../api/errors';
import { asRecord, isEmpty } from '../api/json';
import { type FieldLabels, fieldLabel, recordLabel, requestLabels } from '../api/labels';
import { fail, halt, refusalError } from '../step/errors';
import { type ApiResponse, isTooLarge, isUnsafeToRepeat, isWrite, isWrongAddress } from './outcome';

export interface FailedCall {
  endpoint: Endpoint;
  input: AnyInput;
  /** Whether an attempt of it may have succeeded. */
  isUncertain: boolean;
}

const mustHalt = ({ endpoint, input, isUncertain }: FailedCall): boolean =>
  isUncertain && isUnsafeToRepeat(endpoint, input);

/** Returns what the user can do after a call that failed, perhaps because another server is at the address. */
const advise = (call: FailedCall, isWrongServer = false): string => {
  if (!isWrite(call.endpoint)) {
    const last = isWrongServer ? 'check the API Base URL of the account' : "contact the messaging service's support";
    return `Try again later. If it keeps happening, ${last}.`;
  }
  if (!call.isUncertain) return 'Nothing was sent or changed, so you can try again later.';
  return mustHalt(call)
    ? 'The request may have succeeded, so check before you try again.'
    : 'The request may have succeeded, but you can replay the run safely within 24 hours of the first try.';
};

/** Returns the error for a call that failed for a reason, a sentence. */
export const failedCall = (reason: string, call: FailedCall, code: string, response?: ApiResponse): Error => {
  const isWrongServer = response ? response.data === undefined : code === 'no_response';
  const message = `${reason} ${advise(call, isWrongServer)}`;
  return mustHalt(call)
    ? halt(message, response?.requestId)
    : fail(message, code, response?.status, response?.requestId);
};

/** Returns the error for a message that has failed already. A repeat with the same key would only repeat the response. */
export const failedMessage = ({ input }: FailedCall, reason = 'The messaging service gave no reason.'): Error => {
  const again = input.idempotencyKey ? 'again with another value in Send Once for Each' : 'again';
  return halt(
    `The message failed, so nothing was delivered: ${reason} Correct the cause, then run this step ${again}.`,
  );
};

/** Returns the error for a response that is late, missing, incomplete or too large. */
export const networkError = (call: FailedCall, error: Error): Error => {
  if (isTooLarge(error)) {
    return failedCall('The messaging service sent a response over 20 MB.', call, 'response_too_large');
  }
  const isLate = error.name === 'AbortError';
  const broken = 'The connection to the messaging service failed before a complete response arrived.';
  return failedCall(isLate ? "The messaging service didn't respond in time." : broken, call, 'no_response');
};

/** Whether a refusal leaves open what an earlier attempt did. One without a known code may even follow from its success. */
const leavesOpen = ({ endpoint, input, isUncertain }: FailedCall, response: ApiResponse, refusal: Refusal): boolean => {
  if (!isUncertain || !isWrite(endpoint) || isTransientStatus(response.status)) return false;
  // Zapier repeats the step soon, while the service still keeps the person's key.
  if (response.status === 429) return isUnsafeToRepeat(endpoint, input);
  return response.status < 400 || isWrongAddress(response) || !isVerdict(refusal);
};

/**
 * Returns the error for a refusal that leaves open what an earlier attempt did. Asking to reconnect would hold the run,
 * perhaps until the service has forgotten the person's key, so it halts.
 */
const unconfirmed = (call: FailedCall, response: ApiResponse): Error => {
  const { status, requestId } = response;
  const reason = `The messaging service didn't confirm this request (status ${status}).`;
  if (status !== 401) return failedCall(reason, call, 'unconfirmed', response);
  const next = mustHalt(call)
    ? 'check whether it did before you try again.'
    : 'replay the run within 24 hours of the first try, and nothing is sent twice.';
  return halt(`${reason} It may have succeeded. Reconnect this account, then ${next}`, requestId);
};

/** Returns the filter of a request for the records of another one, such as `contact_id`, if it has one. */
const recordFilterOf = ({ query }: AnyInput): string | undefined =>
  Object.entries(asRecord(query)).find(([key, value]) => key.endsWith('_id') && !isEmpty(value))?.[0];

/** Whether the service itself says that it doesn't have the record that the request filters by. */
const isUnknownFilter = (input: AnyInput, { refusal }: ApiResponse): boolean =>
  refusal?.code === 'not_found' && recordFilterOf(input) !== undefined;

/** Whether a service has no such list. A later page may be gone. */
const isWrongList = ({ endpoint: { method, path }, input }: FailedCall, response: ApiResponse): boolean =>
  response.status === 404 &&
  method === 'GET' &&
  !path.includes('{') &&
  asRecord(input.query).after === undefined &&
  !isUnknownFilter(input, response);

/** Returns what the form calls the record that a request is about: the one in the path, or the one that it filters by. */
const recordOf = ({ endpoint, input }: FailedCall, labels: FieldLabels): string | undefined => {
  const filter = recordFilterOf(input);
  return recordLabel(endpoint.path) ?? (filter && fieldLabel(filter, undefined, labels));
};

/** Whether a web page came in place of what the service itself says. */
const isPage = ({ data, text }: ApiResponse): boolean => data === undefined && /^\s*<(!doctype|html)\b/i.test(text);

/** Returns the error for a response that isn't a success, of the class that Zapier needs. */
export const responseError = (call: FailedCall, response: ApiResponse): Error => {
  const { endpoint, input } = call;
  const { status, requestId, retryAfter, scrub } = response;
  const { code } = response.refusal ?? {};
  const isForeign = isErrorCode(code) && !canHave(endpoint, code);
  const given = { problems: [], ...response.refusal, status, isForeign };
  // A key of a call or an agent's is new, and so is that of the person when an attempt of this step is unknown. Zapier
  // would repeat the step with another one.
  const isOwnTry = isWrite(endpoint) && (!input.idempotencyKey || call.isUncertain);
  if (code?.startsWith('idempotency_') && isOwnTry && !isForeign) {
    const done = endpoint.scope === 'contacts:write' ? 'succeeded' : 'been sent';
    return halt(
      `The messaging service has an earlier try of this step, so it may have ${done}. Check before you try again.`,
      requestId,
    );
  }
  if (leavesOpen(call, response, given)) return unconfirmed(call, response);
  if (status < 400) {
    return fail(
      "API Base URL: this address redirects elsewhere, so your token wasn't sent there. Enter the address of the API itself.",
      'redirected',
      status,
      requestId,
    );
  }
  if (isWrongAddress(response) || isWrongList(call, response)) {
    return fail(
      'API Base URL: no messaging service API was found at this address (status 404). Check the address in the account.',
      'base_url_refused',
      status,
      requestId,
    );
  }
  if (status === 403 && isPage(response)) {
    return fail(
      `A web page came in place of the messaging service's response (status 403), perhaps from its firewall. ${advise(call, true)}`,
      'blocked',
      status,
      requestId,
    );
  }
  const { problems, requiredScope, requiredPlan, ...refused } = given;
  const labels = requestLabels(endpoint, input.labels);
  const refusal = {
    ...refused,
    problems,
    requiredScope: requiredScope ?? endpoint.scope ?? undefined,
    requiredPlan: requiredPlan ?? endpoint.plan,
    record: recordOf(call, labels),
    labels,
    retryAdvice: advise(call),
    isUnsafeToRepeat: mustHalt(call),
  };
  return refusalError(refusal, retryAfter, scrub);
};
