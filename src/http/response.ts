import * as zod from 'zod/mini';
import { type Endpoint, headers } from '../api/endpoints';
import { parseRefusal } from '../api/errors';
import { fromWire } from '../api/wire';
import type { HttpResponse } from '../platform';
import { explainRefusal, fail } from '../platform/errors';

/** What to tell a person after a change whose outcome is not known. */
const afterwards = (endpoint: Endpoint): string =>
  endpoint.method === 'GET'
    ? 'Try again later. If it stays, check the API Base URL of the account.'
    : 'It may have been carried out all the same: check before you try again.';

/** The error for a request to which no whole answer came: a `FetchError`, or an `AbortError` when time ran out. */
export const explainSilence = (endpoint: Endpoint, error: Error): Error => {
  const what = error.name === 'AbortError' ? 'did not answer in time' : 'could not be reached, or broke off its answer';
  return fail(`The messaging service ${what}. ${afterwards(endpoint)}`, 'no_answer');
};

/** Reads `Retry-After`, seconds or an HTTP date, as seconds from now. */
export const readPause = (value: string | null | undefined): number | undefined => {
  if (!value) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(1, Math.ceil(seconds));
};

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** A service may echo the token. */
const withoutToken = (text: string, { request }: HttpResponse): string => {
  const token = request.headers?.Authorization?.replace('Bearer ', '');
  return token ? text.replaceAll(token, '…') : text;
};

const requestIdOf = (response: HttpResponse): string | undefined =>
  withoutToken(response.getHeader(headers.requestId) ?? '', response) || undefined;

const explain = (response: HttpResponse): Error => {
  const requestId = requestIdOf(response);
  if (response.status < 400) {
    return fail(
      'The API Base URL answers with a redirect to another address, where your token is not sent. Enter the address of the API itself.',
      'redirected',
      response.status,
      requestId,
    );
  }
  const body = readJson(withoutToken(response.content, response));
  const refusal = parseRefusal(response.status, body, requestId);
  return explainRefusal(refusal, readPause(response.getHeader(headers.retryAfter)));
};

/** Whether a success came without the JSON that was to come with it, as from a proxy or half a connection. */
export const isGarbled = ({ status, content, data }: HttpResponse): boolean =>
  status >= 200 && status < 300 && content.trim() !== '' && data === undefined;

/** Whether what should have been deleted is still there: the service says so in the body of a success. */
const hasError = (endpoint: Endpoint, { data }: HttpResponse): boolean =>
  endpoint.status === 204 && typeof data === 'object' && data !== null && 'error' in data && Boolean(data.error);

/**
 * Gives what an answer holds, by the contract. Throws an error of the class that Zapier needs, with a sentence for a
 * person: why the service refused, or which place of the answer is not as agreed.
 */
export const readAnswer = <S extends zod.ZodMiniType>(
  endpoint: Endpoint & { answer: S },
  response: HttpResponse,
): zod.output<S> => {
  if (response.status < 200 || response.status >= 300) throw explain(response);
  const answer = zod.safeParse<S>(endpoint.answer, fromWire(endpoint.answer, response.data));
  if (answer.success && !isGarbled(response) && !hasError(endpoint, response)) return answer.data;
  const place = answer.error?.issues[0]?.path.join('.');
  throw fail(
    `The messaging service answered in a way that is not agreed (${place ? `see "${place}"` : 'not the expected JSON'}). ${afterwards(endpoint)}`,
    'unexpected_answer',
    response.status,
    requestIdOf(response),
  );
};
