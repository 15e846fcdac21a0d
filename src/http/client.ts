import { errors, type ZObject } from 'zapier-platform-core';
import type * as zod from 'zod/mini';
import { type Endpoint, exists, type Input } from '../api/endpoints';
import { errorCodes, isErrorCode, isTransientStatus } from '../api/errors';
import { isNote } from '../api/filters';
import { fieldsOf } from '../api/object';
import { decodeExchange } from './decode-response';
import { hadNoEffect, isInFlight, mayHaveActed, type Outcome } from './outcome';
import { type ApiResponse, isWrongAddress } from './response';
import { canRetry, type Exchange, send } from './send';

/**
 * Calls an endpoint of the API and returns the parsed response. `input` has path parameters by name, `query`, `body` and
 * `idempotencyKey`. Omits empty values. Throws an error of the class that Zapier needs, with a message for the user.
 */
export const call = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
): Promise<zod.output<S>> => decodeExchange<S>(await send(z, endpoint, input));

/**
 * Like `call`, but when an attempt may have acted without saying so, first undoes that. `undo` gets the record that stays,
 * or none when the call fails.
 */
export const callOrUndo = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
  undo: (kept?: zod.output<S>) => Promise<void>,
): Promise<zod.output<S>> => {
  const exchange = await send(z, endpoint, input);
  const { earlier, outcome } = exchange;
  try {
    const record = decodeExchange<S>(exchange);
    if (mayHaveActed(earlier)) await undo(record);
    return record;
  } catch (error) {
    if (mayHaveActed([...earlier, outcome])) await undo();
    throw error;
  }
};

/** The service may give its times in whole seconds. */
const clockPrecisionMs = 2_000;

/** Whether the service responds as it did to a request before `start`, in milliseconds. */
const isEarlier = (
  { outcome, earlier }: Exchange,
  { created_at }: { created_at?: string | null | undefined },
  start: number,
): boolean => {
  if (outcome instanceof Error || !outcome.isReplay) return false;
  const mayBeOwn = earlier.some((each) => !hadNoEffect(each) && !isInFlight(each));
  const age = outcome.time - Date.parse(created_at ?? '');
  return !mayBeOwn || age > Date.now() - start + clockPrecisionMs;
};

/**
 * Like `call`, and adds `already_sent`: whether the service had the person's key before this call, so that it did nothing
 * now. After a lost response, only the time of the record shows that.
 */
export const callOnce = async <
  E extends Endpoint,
  S extends zod.ZodMiniType<{ created_at?: string | null | undefined }>,
>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
): Promise<zod.output<S> & { already_sent: boolean }> => {
  const start = Date.now();
  const exchange = await send(z, endpoint, input);
  const record = decodeExchange<S>(exchange);
  return { ...record, already_sent: input.idempotencyKey !== undefined && isEarlier(exchange, record, start) };
};

/** Like `call`, but returns undefined for an expected response. */
const callUnless = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
  isExpected: (response: ApiResponse) => boolean,
): Promise<zod.output<S> | undefined> => {
  const exchange = await send(z, endpoint, input);
  const { outcome } = exchange;
  if (!(outcome instanceof Error) && isExpected(outcome)) return undefined;
  return decodeExchange<S>(exchange);
};

/** Whether a response says that there is no such record. A list without a record in its path can't be gone. */
const saysGone = ({ method, path }: Endpoint, response: ApiResponse): boolean =>
  [404, 410].includes(response.status) && (method === 'DELETE' || (path.includes('{') && !isWrongAddress(response)));

/** Like `call`, but returns undefined when the service responds with 404 or 410, and for a note instead of a message. */
export const lookUp = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
): Promise<zod.output<S> | undefined> => {
  const found = await callUnless<E, S>(z, endpoint, input, (response) => saysGone(endpoint, response));
  return isNote(fieldsOf(found)) ? undefined : found;
};

/** What one attempt to look up a record leads to. */
type Attempt<T> = { found: T | undefined } | { error: unknown; canRetry: boolean };

/** Like `lookUp`, but makes one attempt. Returns its error, and whether another attempt can help. */
export const lookUpOnce = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
): Promise<Attempt<zod.output<S>>> => {
  let outcome: Outcome | undefined;
  try {
    const exchange = await send(z, endpoint, { ...input, isOnlyAttempt: true });
    outcome = exchange.outcome;
    if (!(outcome instanceof Error) && saysGone(endpoint, outcome)) return { found: undefined };
    return { found: decodeExchange<S>(exchange) };
  } catch (error) {
    const isThrottled = error instanceof errors.ThrottledError;
    return { error, canRetry: isThrottled || (outcome !== undefined && canRetry(endpoint, outcome)) };
  }
};

/**
 * Like `call`, but returns undefined when the token or the plan doesn't allow the call, or when the service says that a
 * record of the request doesn't exist.
 */
export const callIfAllowed = <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
): Promise<zod.output<S> | undefined> =>
  callUnless<E, S>(z, endpoint, input, ({ status, refusal }) => status === 403 || refusal?.code === 'not_found');

/** Whether a refusal to create a contact may say that it exists: by its code, or by the status of such a refusal. */
const mayExist = ({ status, refusal }: ApiResponse): boolean => {
  if (!exists('contact_exists')) return [400, 409, 422].includes(status);
  if (status === 429 || isTransientStatus(status)) return false;
  const code = refusal?.code;
  if (status === 409) return code !== 'idempotency_in_flight' && code !== 'rate_limited';
  return isErrorCode(code) ? code === 'contact_exists' : status === errorCodes.contact_exists.status;
};

/**
 * Like `call`, but returns the record that `find` finds when the service may have refused to create it twice. `find` gets
 * the id of the existing record, if the service names it. When it finds none, the refusal is the error.
 */
export const createOrFind = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
  find: (id: string | undefined) => Promise<zod.output<S> | undefined>,
): Promise<{ created: zod.output<S> } | { existing: zod.output<S> }> => {
  const exchange = await send(z, endpoint, input);
  const { outcome } = exchange;
  if (!(outcome instanceof Error) && mayExist(outcome)) {
    const existing = await find(outcome.refusal?.existingId);
    if (existing !== undefined) return { existing };
  }
  return { created: decodeExchange<S>(exchange) };
};
