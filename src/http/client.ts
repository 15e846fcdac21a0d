import { setTimeout as sleep } from 'node:timers/promises';
import type * as zod from 'zod/mini';
import { type AnyInput, type Endpoint, headers, type Input } from '../api/endpoints';
import { toWire } from '../api/wire';
import { noticeBrokenAnswers } from '../broken-answers';
import type { BeforeRequestMiddleware, HttpRequestOptions, HttpResponse, ZObject } from '../platform';
import { fail } from '../platform/errors';
import { parseConnection } from './connection';
import { encodeBody, encodePath, encodeQuery } from './encode';
import { keepRequested } from './requested';
import { explainSilence, isGarbled, readAnswer } from './response';

noticeBrokenAnswers();

/** The longest that a step may take, in milliseconds: Zapier ends it after 30 s, and then nobody reads why. */
const patience = 25_000;

/** The least time that must be left when a POST begins, in milliseconds. What it did is unknown if its response is cut off. */
const minTimeToPost = 5_000;

/** Pauses before a request is sent again, in milliseconds, each shortened or lengthened by up to a half. */
const pauses = [200, 500];

/** When each step has to end. A step has one `z`, however many requests it makes. */
const deadlines = new WeakMap<ZObject, number>();

const timeLeft = (z: ZObject): number => {
  const deadline = deadlines.get(z) ?? Date.now() + patience;
  deadlines.set(z, deadline);
  return deadline - Date.now();
};

/** Gives a step that has used up its time three of the five seconds that Zapier leaves, to put back what it has begun. */
export const allowTidying = (z: ZObject): void => {
  deadlines.set(z, Math.max(deadlines.get(z) ?? 0, Date.now() + 3_000));
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

const isSilence = (error: unknown): error is Error => error instanceof Error && /^(Fetch|Abort)Error$/.test(error.name);

const toRequest = (endpoint: Endpoint, input: AnyInput): HttpRequestOptions & { url: string } => ({
  method: endpoint.method,
  url:
    encodePath(endpoint.path, input) + encodeQuery(endpoint.query ? toWire(endpoint.query, input.query) : input.query),
  headers: {
    Accept: 'application/json',
    ...(endpoint.body && { 'Content-Type': 'application/json' }),
    ...(input.idempotencyKey && { [headers.idempotencyKey]: input.idempotencyKey }),
  },
  ...(endpoint.body && { body: encodeBody(toWire(endpoint.body, input.body)) }),
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

/** Whether another try can help: the service was not there, failed, or did not send what it wanted to. */
const isPassing = (outcome: HttpResponse | Error): boolean =>
  outcome instanceof Error ? outcome.name === 'FetchError' : outcome.status >= 500 || isGarbled(outcome);

/** A read can be sent again; anything else only with a key by which the service knows it again. */
const isRepeatable = (endpoint: Endpoint, { idempotencyKey }: AnyInput): boolean =>
  endpoint.method === 'GET' || idempotencyKey !== undefined;

const send = async (z: ZObject, endpoint: Endpoint, input: AnyInput): Promise<HttpResponse> => {
  if (endpoint.method === 'POST' && timeLeft(z) < minTimeToPost) {
    throw fail(
      'This step ran out of time before its last request, so nothing was sent. Try again later.',
      'out_of_time',
    );
  }
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
  return keepRequested(endpoint, input, readAnswer<S>(endpoint, await send(z, endpoint, input)));
};

/** Like `call`, for what may be gone or never have been: undefined when the service answers 404, or 410. */
export const find = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { answer: S },
  input: Input<E>,
): Promise<zod.output<S> | undefined> => {
  const response = await send(z, endpoint, input);
  if ([404, 410].includes(response.status)) return undefined;
  return keepRequested(endpoint, input, readAnswer<S>(endpoint, response));
};
