import { setTimeout as sleep } from 'node:timers/promises';
import type { ZObject } from 'zapier-platform-core';
import type * as zod from 'zod/mini';
import type { AnyInput, Endpoint, Input } from '../api/endpoints';
import { isTransientStatus } from '../api/errors';
import { parseRefusal } from '../api/refusal';
import { fail, isOwnError } from '../platform/errors';
import { decodeResponse } from './decode-response';
import { isNetworkError, networkError } from './failure';
import { buildRequest } from './request';
import { type ApiResponse, hasUnparsableBody, isWrongAddress, readResponse } from './response';

/** The time for all requests of a step. Zapier ends a step after 30 s without showing our message. */
const stepTimeoutMs = 25_000;

/** The time for one attempt when a retry can follow. Without it, a cut-off response would use up all the time. */
const attemptTimeoutMs = 10_000;

/** Delays before each retry, shortened or lengthened by up to a half. */
const retryDelaysMs = [200, 500];

/** The least time for a request that creates something. If its time runs out, it may have succeeded. */
const minSendTimeMs = 5_000;

/** The time at which each step must end. All requests of a step have the same `z`. */
const deadlines = new WeakMap<ZObject, number>();

const timeLeft = (z: ZObject): number => {
  const deadline = deadlines.get(z) ?? Date.now() + stepTimeoutMs;
  deadlines.set(z, deadline);
  return deadline - Date.now();
};

/** The steps that undo what they have begun. */
const cleaningUp = new WeakSet<ZObject>();

/** Gives a step three more seconds to undo what it has begun. Zapier leaves five. */
export const extendDeadlineForCleanup = (z: ZObject): void => {
  if (cleaningUp.has(z)) return;
  cleaningUp.add(z);
  deadlines.set(z, Date.now() + timeLeft(z) + 3_000);
};

type Request = ReturnType<typeof buildRequest>;

/** Sends a request once. Returns network errors, so that the caller can retry. */
const attempt = async (z: ZObject, request: Request, timeoutMs: number): Promise<ApiResponse | Error> => {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), timeoutMs);
  try {
    // Core accepts a signal, but its types don't, so it can't be written inline.
    const timed = { ...request, signal: end.signal };
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

/** Whether a retry can help: the service is unreachable, failed, or sent part of its response. */
const isTransient = (outcome: ApiResponse | Error): boolean =>
  outcome instanceof Error ? isNetworkError(outcome) : isTransientStatus(outcome.status) || hasUnparsableBody(outcome);

/** Whether the service does nothing twice: for reads, and for requests with an idempotency key. */
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
 * Calls an endpoint of the API and returns the parsed response. `input` has path parameters by name, `query`, `body` and
 * `idempotencyKey`. Omits empty values. Throws an error of the class that Zapier needs, with a message for the user.
 */
export const call = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
): Promise<zod.output<S>> => decodeResponse<S>(endpoint, input, await send(z, endpoint, input));

/** Like `call`, but returns undefined when the service responds with 404 or 410. */
export const find = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
): Promise<zod.output<S> | undefined> => {
  const response = await send(z, endpoint, input);
  const isGone = endpoint.method === 'DELETE' || !isWrongAddress(response);
  if ([404, 410].includes(response.status) && isGone) return undefined;
  return decodeResponse<S>(endpoint, input, response);
};

/** Like `call`, but returns the id of the existing contact when the service refuses to create it twice. */
export const createOrFindId = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
): Promise<{ created: zod.output<S> } | { existingId: string }> => {
  const response = await send(z, endpoint, input);
  const { status, code, existingId } = parseRefusal(response.status, response.data);
  const isExisting = status === 409 && code === 'contact_exists';
  return isExisting && existingId ? { existingId } : { created: decodeResponse<S>(endpoint, input, response) };
};
