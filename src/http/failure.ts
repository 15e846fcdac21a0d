/** The errors of requests that failed: the message says why, and what the user can do. */
import { decodeField } from '../api/decode';
import type { AnyInput, Endpoint } from '../api/endpoints';
import { recordLabel } from '../api/labels';
import { parseRefusal } from '../api/refusal';
import { fail, refusalError } from '../platform/errors';
import { type ApiResponse, isWrongAddress } from './response';

/** Whether a request sends a message or changes a record. Creating a webhook twice harms nobody. */
export const isWrite = ({ method, scope }: Endpoint): boolean => method !== 'GET' && scope !== 'webhooks:write';

/** Returns what the user can do after a request with an unknown outcome. */
export const retryAdvice = (endpoint: Endpoint): string => {
  if (isWrite(endpoint)) return 'The request may have succeeded. Check before you try again.';
  return endpoint.method === 'GET'
    ? 'Try again later. If the problem continues, check the API Base URL of the account.'
    : 'No message was sent. Try again later.';
};

const isTooLarge = (error: Error): boolean => 'type' in error && error.type === 'max-size';

/** Whether no complete response arrived, so that a retry can help. */
export const isNetworkError = (error: Error): boolean => /^(Fetch|Abort)Error$/.test(error.name) && !isTooLarge(error);

/** Returns the error for a response that is late, missing, incomplete or too large. */
export const networkError = (endpoint: Endpoint, error: Error): Error => {
  if (isTooLarge(error)) {
    return fail(`The messaging service sent a response over 20 MB. ${retryAdvice(endpoint)}`, 'response_too_large');
  }
  const what =
    error.name === 'AbortError' ? "didn't respond in time" : "couldn't be reached, or its response broke off";
  return fail(`The messaging service ${what}. ${retryAdvice(endpoint)}`, 'no_response');
};

/** Returns the error for a response that isn't a success, of the class that Zapier needs. */
export const responseError = (endpoint: Endpoint, { labels }: AnyInput, response: ApiResponse): Error => {
  const { status, text, data, requestId, retryAfter, scrub } = response;
  if (status < 400) {
    return fail(
      "The API Base URL redirects to another address, where your token isn't sent. Enter the address of the API itself.",
      'redirected',
      status,
      requestId,
    );
  }
  if (isWrongAddress(response)) {
    return fail(
      "API Base URL: the messaging service isn't at this address, or has nothing there (status 404). Check the address in the account.",
      'base_url_refused',
      status,
      requestId,
    );
  }
  const { problems, requiredScope, requiredPlan, ...refused } = parseRefusal(status, data ?? text, requestId);
  const refusal = {
    ...refused,
    problems: problems.map(({ field, message }) => ({ field: field && decodeField(endpoint, field), message })),
    requiredScope: requiredScope ?? endpoint.scope ?? undefined,
    requiredPlan: requiredPlan ?? endpoint.plan,
    record: recordLabel(endpoint.path),
    labels,
    retryAdvice: retryAdvice(endpoint),
  };
  return refusalError(refusal, retryAfter, scrub);
};
