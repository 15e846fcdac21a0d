import type { RawHttpResponse } from 'zapier-platform-core';
import type * as zod from 'zod/mini';
import { decode, decodeField } from '../api/decode';
import { encode } from '../api/encode';
import { type AnyInput, type Endpoint, headers } from '../api/endpoints';
import { recordLabel } from '../api/labels';
import { fieldsOf } from '../api/object';
import { parseRefusal } from '../api/refusal';
import { fail, halt, refusalError } from '../platform/errors';
import { filterList } from './filter-list';
import { parseJson } from './json';
import { mapStrings, tokenScrubber } from './scrub';
import { isEmpty } from './serialize';

/** A response of the service. All its texts are without the token. */
export interface ApiResponse {
  status: number;
  text: string;
  /** The parsed body; undefined when it isn't JSON. */
  data: unknown;
  requestId: string | undefined;
  /** In seconds. */
  retryAfter: number | undefined;
  /** Removes the token from a text. */
  scrub: (text: string) => string;
}

/** Whether a request sends a message or changes a record. Creating a webhook twice harms nobody. */
const isWrite = ({ method, scope }: Endpoint): boolean => method !== 'GET' && scope !== 'webhooks:write';

/** Returns what the user can do after a request with an unknown outcome. */
const retryAdvice = (endpoint: Endpoint): string => {
  if (isWrite(endpoint)) return 'The request may have succeeded. Check before you try again.';
  return endpoint.method === 'GET'
    ? 'Try again later. If the problem continues, check the API Base URL of the account.'
    : 'No message was sent. Try again later.';
};

const hasType = (error: Error, type: string): boolean => 'type' in error && error.type === type;

/** Whether no complete response arrived, so that a retry can help. */
export const isNetworkError = (error: Error): boolean =>
  /^(Fetch|Abort)Error$/.test(error.name) && !hasType(error, 'max-size');

/** Returns the error for a response that is late, missing, incomplete or too large. */
export const networkError = (endpoint: Endpoint, error: Error): Error => {
  if (hasType(error, 'max-size')) {
    return fail(`The messaging service sent a response over 20 MB. ${retryAdvice(endpoint)}`, 'response_too_large');
  }
  const what =
    error.name === 'AbortError' ? "didn't respond in time" : "couldn't be reached, or its response broke off";
  return fail(`The messaging service ${what}. ${retryAdvice(endpoint)}`, 'no_response');
};

/** The maximum delay that the app passes on to Zapier, in seconds. */
const maxRetryAfter = 60 * 60;

const httpDate = /^[a-z]{3,9}, [\w :-]{1,30} GMT$/i;

const secondsUntil = (value: string): number | undefined => {
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  const time = httpDate.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : (time - Date.now()) / 1000;
};

/** Reads `Retry-After`, seconds or an HTTP date, as whole seconds from now, between one second and one hour. */
export const readRetryAfter = (value: string | null | undefined): number | undefined => {
  const seconds = secondsUntil(value ?? '');
  return seconds === undefined ? undefined : Math.min(maxRetryAfter, Math.max(1, Math.ceil(seconds)));
};

/** Reads a response to its end. Rejects when it breaks off or is too large. */
export const readResponse = async (response: RawHttpResponse): Promise<ApiResponse> => {
  const scrub = tokenScrubber(response);
  const text = await response.text();
  return {
    status: response.status,
    text: scrub(text),
    // Parsed first: JSON can spell the token with escapes.
    data: mapStrings(parseJson(text), scrub),
    requestId: scrub(response.getHeader(headers.requestId) ?? '') || undefined,
    retryAfter: readRetryAfter(response.getHeader(headers.retryAfter)),
    scrub,
  };
};

const isSuccess = ({ status }: ApiResponse): boolean => status >= 200 && status < 300;

/** Whether a success has a body that isn't JSON, such as a proxy's page or half a response. */
export const hasUnparsableBody = (response: ApiResponse): boolean =>
  isSuccess(response) && response.text !== '' && response.data === undefined;

/** Whether a body reports a failure, such as `{"error": "…"}` or `{"success": false}`. */
const hasFailure = (data: unknown): boolean => {
  const { error, errors, success, ok, deleted } = fieldsOf(data);
  return !isEmpty([error, errors].flat().filter(Boolean)) || [success, ok, deleted].includes(false);
};

/** Whether the body of a success reports no failure. A response without a schema has no other check. */
const isPlausible = (endpoint: Endpoint, response: ApiResponse): boolean =>
  !hasUnparsableBody(response) && !(endpoint.status === 204 && hasFailure(response.data));

/** Whether the service certainly accepted the request: the body of the success is no page and reports no failure. */
const isAccepted = (response: ApiResponse): boolean => !hasUnparsableBody(response) && !hasFailure(response.data);

/** Whether a 404 comes from another server. The service itself responds with JSON. */
export const isWrongAddress = ({ status, text, data }: ApiResponse): boolean =>
  status === 404 && data === undefined && text.trim() !== '';

/** Returns the id of the contact that a new one would repeat, when the service refuses for that reason. */
export const existingIdOf = ({ status, data }: ApiResponse): string | undefined => {
  const { code, existingId } = parseRefusal(status, data);
  return status === 409 && code === 'contact_exists' ? existingId : undefined;
};

const responseError = (endpoint: Endpoint, { labels }: AnyInput, response: ApiResponse): Error => {
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
  if (decoded.success && isPlausible(endpoint, response)) return filterList(endpoint, input, decoded.data);
  const place = decoded.error?.issues[0]?.path.join('.').slice(0, 60);
  const message = `The messaging service returned an unexpected response (${place ? `see "${place}"` : 'not the expected JSON'}). ${retryAdvice(endpoint)}`;
  // Zapier's Autoreplay repeats steps that fail, and not those that halt. It would send a message again.
  throw isWrite(endpoint) && isAccepted(response)
    ? halt(message, response.requestId)
    : fail(message, 'unexpected_response', response.status, response.requestId);
};
