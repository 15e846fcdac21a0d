/** One call of the API: its attempts, and what it gives by its policy. */

import { randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { takesKey } from '../api/adapter';
import { type AnyInput, type Endpoint, type Input, nameOf } from '../api/endpoints';
import { isTransientStatus } from '../api/errors';
import { isNote } from '../api/filters';
import { asRecord } from '../api/json';
import { exists } from '../api/missing';
import type { ReadFirst } from '../api/transport';
import { fail, isOwnError } from '../step/errors';
import { pauseBefore, timeLeft } from '../step/run';
import { tokenOf, valuesOf } from './connection';
import { decodeExchange } from './decode-response';
import {
  type ApiResponse,
  canRetry,
  type Exchange,
  isIdempotent,
  isInFlight,
  isWrite,
  isWrongAddress,
  mayHaveActed,
  type Outcome,
  readResponse,
} from './outcome';
import { type PreparedCall, prepare } from './request';

/** The time for one attempt when a retry can follow. Without it, a cut-off response would use up all the time. */
export const attemptTimeoutMs = 10_000;

/** The minimum time for a request that sends something, because it may have succeeded when its time runs out. */
const minSendTimeMs = 5_000;

/** The minimum time for one that creates a webhook, and the part of it in which the step can still delete the webhook. */
const minWebhookTimeMs = 1_500;
const cleanUpMs = 1_000;

const createsWebhook = (endpoint: Endpoint): boolean => endpoint.method === 'POST' && !isWrite(endpoint);

const leastTimeFor = (endpoint: Endpoint): number => {
  if (isWrite(endpoint)) return minSendTimeMs;
  return createsWebhook(endpoint) ? minWebhookTimeMs : Number.NEGATIVE_INFINITY;
};

/** Returns how long an attempt may take, in milliseconds. */
const timeoutFor = (z: ZObject, endpoint: Endpoint): number => {
  const left = timeLeft(z) - (createsWebhook(endpoint) ? cleanUpMs : 0);
  return isIdempotent(endpoint) ? Math.min(left, attemptTimeoutMs) : left;
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

/** Returns how a hook reads before a call writes. A path may have the `{id}` of the call. */
const readerBefore =
  (z: ZObject, { scope, basis }: Endpoint, { id }: AnyInput): ReadFirst =>
  async (path, query = {}) => {
    const read: Endpoint = { method: 'GET', path, scope, basis, status: 200, response: zod.unknown() };
    return decodeExchange(await send(z, read, { query, ...(id !== undefined && { id }) }));
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
  const idempotencyKey = hasKey ? (input.idempotencyKey ?? input.repeatKey ?? randomUUID()) : undefined;
  const prepared = await prepare(endpoint, input, valuesOf(z), readerBefore(z, endpoint, input), idempotencyKey);
  if (timeLeft(z) < leastTimeFor(endpoint)) {
    throw fail(
      'The messaging service is too slow for this step to finish, so nothing was sent. Try again later.',
      'slow',
    );
  }
  const earlier: Outcome[] = [];
  for (;;) {
    const outcome = await attempt(z, prepared, timeoutFor(z, endpoint));
    // A last attempt that is cut short would make a certain outcome unknown.
    const isCertain = !mayHaveActed(endpoint, [...earlier, outcome]);
    const leastMs = isCertain || !isWrite(endpoint) ? Math.max(0, leastTimeFor(endpoint)) : 0;
    const isLast = earlier.length >= retries || !canRetry(endpoint, outcome);
    if (isLast || !(await pauseBefore(z, earlier.length, leastMs))) return { ...prepared, outcome, earlier };
    earlier.push(outcome);
  }
};

type ExpectedRefusal = 'gone' | 'denied';

/** What a call does besides returning the record or throwing an error. By default, nothing. */
interface Policy<R> {
  /**
   * The refusal for which the result is undefined: `gone` when there is no such record (404 or 410, or a note instead of a
   * message), or `denied` when the token or the plan doesn't allow the call, or a record of the request doesn't exist.
   */
  unless?: ExpectedRefusal;
  /**
   * Returns the result when the service may have refused to create a record twice. `id` is that of the existing one, if the
   * service names it. Without a result, the refusal is the error.
   */
  existing?: (id: string | undefined) => Promise<R | undefined>;
  /** Undoes what an attempt may have done without saying so. `record` is the one that stays; none when the call fails. */
  undo?: (record?: R) => Promise<void>;
  /** Whether the result says in `already_sent` that the service had the person's key before, so that it did nothing now. */
  tellsRepeat?: boolean;
}

/** Whether a response says that there is no such record. A list without a record in its path can't be gone. */
export const isGone = ({ method, path }: Endpoint, response: ApiResponse): boolean =>
  [404, 410].includes(response.status) && (method === 'DELETE' || (path.includes('{') && !isWrongAddress(response)));

const refusals: Record<ExpectedRefusal, (endpoint: Endpoint, response: ApiResponse) => boolean> = {
  gone: isGone,
  denied: (_, { status, refusal }) => status === 403 || refusal?.code === 'not_found',
};

/** Whether a refusal to create a contact may say that it exists: by its code, or by the status of such a refusal. */
const mayExist = ({ status, refusal }: ApiResponse): boolean => {
  if (status === 429 || isTransientStatus(status)) return false;
  const code = refusal?.code;
  if (status === 409) return code !== 'idempotency_in_flight' && code !== 'rate_limited';
  return code === 'contact_exists';
};

/** The service may give its times in whole seconds. */
const clockPrecisionMs = 2_000;

/** The age of a record that no call of now has made, by any clock. */
const certainlyOldMs = 60 * 60_000;

/**
 * Whether the service responds as it did to a request before `start`, in milliseconds. After a lost response, only the time
 * of the record shows that.
 */
const isRepeat = ({ endpoint, input, outcome, earlier }: Exchange, record: unknown, start: number): boolean => {
  if (!(input.idempotencyKey ?? input.repeatKey) || outcome instanceof Error) return false;
  const age = outcome.time - Date.parse(String(asRecord(record).created_at));
  // Not every service says that it repeats a response.
  if (!outcome.isReplay) return input.idempotencyKey !== undefined && age > certainlyOldMs;
  const mayBeOwn = mayHaveActed(
    endpoint,
    earlier.filter((each) => !isInFlight(each)),
  );
  return !mayBeOwn || age > Date.now() - start + clockPrecisionMs;
};

const resultOf = async <S extends zod.ZodMiniType>(
  exchange: Exchange<Endpoint & { response: S }>,
  { unless, existing }: Policy<zod.output<S>>,
): Promise<zod.output<S> | undefined> => {
  const { endpoint, outcome } = exchange;
  if (!(outcome instanceof Error)) {
    if (unless && refusals[unless](endpoint, outcome)) return undefined;
    const found = existing && mayExist(outcome) ? await existing(outcome.refusal?.existingId) : undefined;
    if (found !== undefined) return found;
  }
  const record = decodeExchange<S>(exchange);
  return unless === 'gone' && isNote(asRecord(record)) ? undefined : record;
};

/** Whether the service lacks a call. */
const isLacking = (endpoint: Endpoint): boolean => {
  const name = nameOf(endpoint);
  return name !== undefined && !exists(name);
};

type Result<R, P> = P extends { tellsRepeat: true }
  ? R & { already_sent: boolean }
  : P extends { unless: ExpectedRefusal }
    ? R | undefined
    : R;

/**
 * Calls an endpoint of the API and returns the parsed response. `input` has path parameters by name, `query`, `body` and
 * `idempotencyKey`. Omits empty values. Throws an error of the class that Zapier needs, with a message for the user.
 */
export const call = async <
  E extends Endpoint,
  S extends zod.ZodMiniType,
  const P extends Policy<zod.output<S>> = Policy<zod.output<S>>,
>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
  policy?: P,
): Promise<Result<zod.output<S>, P>> => {
  const { undo, tellsRepeat }: Policy<zod.output<S>> = policy ?? {};
  // A list that the service lacks is empty, and a record isn't there: steps that can't do without are left out.
  if (isLacking(endpoint)) return zod.safeParse(endpoint.response, { data: [] }).data as Result<zod.output<S>, P>;
  const start = Date.now();
  const exchange = await send(z, endpoint, input);
  const { outcome, earlier } = exchange;
  try {
    const record = await resultOf<S>(exchange, policy ?? {});
    if (mayHaveActed(endpoint, earlier)) await undo?.(record);
    const repeat = tellsRepeat && { already_sent: isRepeat(exchange, record, start) };
    // The compiler can't see that the policy decides this.
    return (repeat ? Object.assign({}, record, repeat) : record) as Result<zod.output<S>, P>;
  } catch (error) {
    if (mayHaveActed(endpoint, [...earlier, outcome])) await undo?.();
    throw error;
  }
};
