import { setTimeout as sleep } from 'node:timers/promises';
import type { ZObject } from 'zapier-platform-core';
import type * as zod from 'zod/mini';
import type { AnyInput, Endpoint, Input } from '../api/endpoints';
import { isTransientStatus } from '../api/errors';
import { fail, isOwnError } from '../platform/errors';
import { buildRequest } from './request';
import { keepRequested } from './requested';
import {
  type ApiResponse,
  decodeResponse,
  type ExistingContact,
  existingContactOf,
  hasUnparsableBody,
  isNetworkError,
  isWrongAddress,
  networkError,
  readResponse,
} from './response';

/** How long all requests of a step may take together. Zapier ends a step after 30 s, without our message. */
const stepTimeoutMs = 25_000;

/** How long one attempt may take when another one can follow. A response that was cut off just stays silent. */
const attemptTimeoutMs = 10_000;

/** Delays before each retry, shortened or lengthened by up to a half. */
const retryDelaysMs = [200, 500];

/** The least time for a send. One that is cut off may have reached somebody. */
const minSendTimeMs = 5_000;

/** When each step has to end. A step has one `z`, however many requests it makes. */
const deadlines = new WeakMap<ZObject, number>();

const timeLeft = (z: ZObject): number => {
  const deadline = deadlines.get(z) ?? Date.now() + stepTimeoutMs;
  deadlines.set(z, deadline);
  return deadline - Date.now();
};

/** Gives a step that has used up its time three of the five seconds that Zapier leaves, to undo what it has begun. */
export const extendDeadlineForCleanup = (z: ZObject): void => {
  deadlines.set(z, Math.max(deadlines.get(z) ?? 0, Date.now() + 3_000));
};

type Request = ReturnType<typeof buildRequest> & { signal?: AbortSignal };

/** Sends once. An error of the network is returned, for the caller to retry or to throw. */
const attempt = async (z: ZObject, request: Request, timeoutMs: number): Promise<ApiResponse | Error> => {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), timeoutMs);
  try {
    const timed: Request = { ...request, signal: end.signal };
    return await readResponse(await z.request(timed));
  } catch (error) {
    if (isOwnError(error)) throw error;
    return error instanceof Error ? error : new Error('Unknown');
  } finally {
    clearTimeout(timer);
    // Closes the connection to a service that sends more than is read.
    end.abort();
  }
};

/** Whether a retry can help: the service was unreachable, failed, or did not send all of its response. */
const isTransient = (outcome: ApiResponse | Error): boolean =>
  outcome instanceof Error ? isNetworkError(outcome) : isTransientStatus(outcome.status) || hasUnparsableBody(outcome);

/** Reads can be repeated; anything else only with a key by which the service recognizes it. */
const isRetryable = (endpoint: Endpoint, { idempotencyKey }: AnyInput): boolean =>
  endpoint.method === 'GET' || idempotencyKey !== undefined;

const send = async (z: ZObject, endpoint: Endpoint, input: AnyInput): Promise<ApiResponse> => {
  if (endpoint.method === 'POST' && timeLeft(z) < minSendTimeMs) {
    throw fail(
      "The messaging service is too slow, so this step didn't start. Nothing was sent. Try again later.",
      'slow',
    );
  }
  const request = buildRequest(endpoint, input);
  const delays = isRetryable(endpoint, input) ? retryDelaysMs : [];
  const timeoutMs = () => Math.min(timeLeft(z), delays.length > 0 ? attemptTimeoutMs : stepTimeoutMs);
  let outcome = await attempt(z, request, timeoutMs());
  for (const delay of delays) {
    const jittered = delay * (0.5 + Math.random());
    if (!isTransient(outcome) || jittered > timeLeft(z)) break;
    await sleep(jittered);
    outcome = await attempt(z, request, timeoutMs());
  }
  if (outcome instanceof Error) throw networkError(endpoint, outcome);
  return outcome;
};

/**
 * Calls an endpoint of the API: `input` holds path parameters by name, `query`, `body`, `idempotencyKey`. Empty values
 * are left out. Returns the parsed response; throws an error of the class that Zapier needs, with a sentence for a
 * person.
 */
export const call = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
): Promise<zod.output<S>> =>
  keepRequested(endpoint, input, decodeResponse<S>(endpoint, input, await send(z, endpoint, input)));

/** Like `call`, for what may not exist: undefined when the service itself responds with 404 or 410. */
export const find = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
): Promise<zod.output<S> | undefined> => {
  const response = await send(z, endpoint, input);
  if ([404, 410].includes(response.status) && !isWrongAddress(response)) return undefined;
  return keepRequested(endpoint, input, decodeResponse<S>(endpoint, input, response));
};

/** Like `call`, for a contact that may exist: returns the existing one when the service refuses for that reason. */
export const createOrFindExisting = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
): Promise<{ created: zod.output<S> } | ExistingContact> => {
  const response = await send(z, endpoint, input);
  return existingContactOf(response) ?? { created: decodeResponse<S>(endpoint, input, response) };
};
