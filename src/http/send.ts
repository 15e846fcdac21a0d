import { randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';
import { type AnyInput, type Endpoint, takesKey } from '../api/endpoints';
import { fail, isOwnError } from '../platform/errors';
import { tokenOf, valuesOf } from './connection';
import { pauseBefore, timeLeft } from './deadline';
import { canRetry, isIdempotent, isWrite, mayHaveActed, type Outcome } from './outcome';
import { type PreparedCall, prepare } from './request';
import { readResponse } from './response';

/** The time for one attempt when a retry can follow. Without it, a cut-off response would use up all the time. */
export const attemptTimeoutMs = 10_000;

/** The minimum time for a request that sends something, because it may have succeeded when its time runs out. */
const minSendTimeMs = 5_000;

/** The minimum time for one that creates a webhook, so that the step can still delete it. */
const minWebhookTimeMs = 2_000;

/** A call, with the outcomes of its request and the retries. */
export interface Exchange<E extends Endpoint = Endpoint> extends PreparedCall<E> {
  /** The outcome of the last attempt. */
  outcome: Outcome;
  /** The outcomes of the attempts before it, in order. */
  earlier: readonly Outcome[];
}

/** The minimum time for the first attempt of a request. */
const leastTimeFor = (endpoint: Endpoint): number => {
  if (isWrite(endpoint)) return minSendTimeMs;
  return endpoint.method === 'POST' ? minWebhookTimeMs : Number.NEGATIVE_INFINITY;
};

/** Sends a request once. Returns network errors, so that the caller can retry. */
const attempt = async (z: ZObject, { request, call }: PreparedCall, timeoutMs: number): Promise<Outcome> => {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), timeoutMs);
  try {
    // Core accepts a signal, but its types don't, so it can't be written inline.
    const timed = { ...request, signal: end.signal };
    const raw = await z.request(timed);
    return await readResponse(raw, call, tokenOf(z));
  } catch (error) {
    if (isOwnError(error)) throw error;
    return error instanceof Error ? error : new Error('Unknown');
  } finally {
    clearTimeout(timer);
    // Closes the connection to a service that sends more than is read.
    end.abort();
  }
};

/**
 * Sends the request of a call, and repeats it up to `retries` times while that can help and can't do anything twice. A POST,
 * or another call whose keys the service keeps, has the idempotency key in `input`, or a random one.
 */
export const send = async <E extends Endpoint>(
  z: ZObject,
  endpoint: E,
  input: AnyInput,
  retries = Infinity,
): Promise<Exchange<E>> => {
  const hasKey = endpoint.method === 'POST' || takesKey(endpoint);
  if (timeLeft(z) < leastTimeFor(endpoint)) {
    throw fail(
      'The messaging service is too slow for this step to finish, so nothing was sent. Try again later.',
      'slow',
    );
  }
  const idempotencyKey = hasKey ? (input.idempotencyKey ?? randomUUID()) : undefined;
  const prepared = prepare(endpoint, input, valuesOf(z), idempotencyKey);
  const timeoutMs = () => (isIdempotent(endpoint) ? Math.min(timeLeft(z), attemptTimeoutMs) : timeLeft(z));
  const earlier: Outcome[] = [];
  for (;;) {
    const outcome = await attempt(z, prepared, timeoutMs());
    // A last attempt that is cut short would make a certain outcome unknown.
    const isCertain = !mayHaveActed(endpoint, [...earlier, outcome]);
    const leastMs = isWrite(endpoint) && isCertain ? minSendTimeMs : 0;
    const isLast = earlier.length >= retries || !canRetry(endpoint, outcome);
    if (isLast || !(await pauseBefore(z, earlier.length, leastMs))) return { ...prepared, outcome, earlier };
    earlier.push(outcome);
  }
};
