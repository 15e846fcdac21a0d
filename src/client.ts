import { setTimeout as sleep } from 'node:timers/promises';
import type { BeforeRequestMiddleware, HttpRequestOptions, HttpResponse, ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { type AnyInput, type Endpoint, headers, type Input } from './api/endpoints';
import { parseRefusal } from './api/errors';
import { parseConnection } from './connection';
import { encodeBody, encodePath, encodeQuery } from './encode';
import { explainRefusal, fail } from './errors';

/** The longest that a step may take, in milliseconds: Zapier ends it after 30 s, and then nobody reads why. */
const patience = 25_000;

/** Pauses before a request is sent again, in milliseconds, each shortened or lengthened by up to a half. */
const pauses = [250, 750];

/** When each step has to end. A step has one `z`, however many requests it makes. */
const deadlines = new WeakMap<ZObject, number>();

const timeLeft = (z: ZObject): number => {
  const deadline = deadlines.get(z) ?? Date.now() + patience;
  deadlines.set(z, deadline);
  return deadline - Date.now();
};

/**
 * Sends the path of a call to the connection's own host, with its token. Core has taken the query apart by now; it is
 * put together again here because core would take `{{…}}` out of it.
 */
export const addConnection: BeforeRequestMiddleware = (request, _z, bundle) => {
  const { baseUrl, token } = parseConnection(bundle.authData);
  return {
    ...request,
    url: baseUrl + request.url + encodeQuery(request.params),
    params: {},
    headers: { ...request.headers, Authorization: `Bearer ${token}` },
  };
};

/** What to tell a person after a change whose outcome is not known. */
const afterwards = (endpoint: Endpoint): string =>
  endpoint.method === 'GET'
    ? 'Try again later.'
    : 'It may have been carried out all the same: check before you try again.';

const isSilence = (error: unknown): error is Error => error instanceof Error && /^(Fetch|Abort)Error$/.test(error.name);

const explainSilence = (endpoint: Endpoint, error: Error): Error => {
  const what = error.name === 'AbortError' ? 'did not answer in time' : 'could not be reached, or broke off its answer';
  return fail(`The messaging service ${what}. ${afterwards(endpoint)}`, 'no_answer');
};

const toRequest = (endpoint: Endpoint, input: AnyInput): HttpRequestOptions & { url: string } => ({
  method: endpoint.method,
  url: encodePath(endpoint.path, input) + encodeQuery(input.query),
  headers: {
    Accept: 'application/json',
    ...(endpoint.body && { 'Content-Type': 'application/json' }),
    ...(input.idempotencyKey && { [headers.idempotencyKey]: input.idempotencyKey }),
  },
  ...(endpoint.body && { body: encodeBody(input.body) }),
  // A redirect that is followed takes the token with it, to whichever host.
  redirect: 'manual',
});

/** Sends once. A network error comes back as a value: whether it ends the step is for the caller to say. */
const attempt = async (z: ZObject, request: ReturnType<typeof toRequest>): Promise<HttpResponse | Error> => {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), timeLeft(z));
  const timed: typeof request & { signal: AbortSignal } = { ...request, signal: end.signal };
  try {
    return await z.request(timed);
  } catch (error) {
    // A connection that cannot be used has its sentence already.
    if (isSilence(error)) return error;
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

/** Whether another try can help: the service was not there, or said that it is not ready. */
const isPassing = (outcome: HttpResponse | Error): boolean =>
  outcome instanceof Error ? outcome.name === 'FetchError' : [502, 503, 504].includes(outcome.status);

/** A read can be sent again; anything else only with a key by which the service knows it again. */
const isRepeatable = (endpoint: Endpoint, { idempotencyKey }: AnyInput): boolean =>
  endpoint.method === 'GET' || idempotencyKey !== undefined;

const send = async (z: ZObject, endpoint: Endpoint, input: AnyInput): Promise<HttpResponse> => {
  const request = toRequest(endpoint, input);
  let outcome = await attempt(z, request);
  for (const pause of isRepeatable(endpoint, input) ? pauses : []) {
    const jittered = pause * (0.5 + Math.random());
    if (!isPassing(outcome) || jittered > timeLeft(z)) break;
    await sleep(jittered);
    outcome = await attempt(z, request);
  }
  if (outcome instanceof Error) throw explainSilence(endpoint, outcome);
  return outcome;
};

/** Reads `Retry-After`, seconds or an HTTP date, as seconds from now. */
const readPause = (value: string | null | undefined): number | undefined => {
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

const explainAnswer = (response: HttpResponse): Error => {
  const requestId = response.getHeader(headers.requestId);
  if (response.status < 400) {
    return fail(
      'The API Base URL answers with a redirect to another address, where your token is not sent. Enter the address of the API itself.',
      'redirected',
      response.status,
      requestId,
    );
  }
  const token = response.request.headers?.Authorization?.replace('Bearer ', '') ?? '';
  const body = readJson(token ? response.content.replaceAll(token, '…') : response.content);
  return explainRefusal(
    parseRefusal(response.status, body, requestId),
    readPause(response.getHeader(headers.retryAfter)),
  );
};

const parse = <S extends zod.ZodMiniType>(schema: S, endpoint: Endpoint, response: HttpResponse): zod.output<S> => {
  const answer = zod.safeParse(schema, response.data);
  if (answer.success) return answer.data;
  const place = answer.error.issues[0]?.path.join('.');
  throw fail(
    `The messaging service answered in a way that is not agreed (${place ? `see "${place}"` : 'not the expected JSON'}). ${afterwards(endpoint)}`,
    'unexpected_answer',
    response.status,
    response.getHeader(headers.requestId),
  );
};

const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;

/**
 * Calls an endpoint of the API: `input` holds path parameters by name, `query`, `body`, `idempotencyKey`. Empty values
 * are left out. Gives the parsed answer; throws an error of the class that Zapier needs, with a sentence for a person
 * (contract §5).
 */
export const call = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { answer: S },
  input: Input<E>,
): Promise<zod.output<S>> => {
  const response = await send(z, endpoint, input);
  if (!isSuccess(response)) throw explainAnswer(response);
  return parse<S>(endpoint.answer, endpoint, response);
};

/** Like `call`, for what may be gone or never have been: undefined when the service answers 404. */
export const find = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { answer: S },
  input: Input<E>,
): Promise<zod.output<S> | undefined> => {
  const response = await send(z, endpoint, input);
  if (response.status === 404) return undefined;
  if (!isSuccess(response)) throw explainAnswer(response);
  return parse<S>(endpoint.answer, endpoint, response);
};
