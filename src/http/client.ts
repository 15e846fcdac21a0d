import type { ZObject } from 'zapier-platform-core';
import type * as zod from 'zod/mini';
import { type Endpoint, exists, type Input } from '../api/endpoints';
import { decodeExchange } from './decode-response';
import { hadNoEffect, isInFlight } from './outcome';
import { type ApiResponse, isWrongAddress } from './response';
import { type Exchange, send } from './send';

/**
 * Calls an endpoint of the API and returns the parsed response. `input` has path parameters by name, `query`, `body` and
 * `idempotencyKey`. Omits empty values. Throws an error of the class that Zapier needs, with a message for the user.
 */
export const call = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
): Promise<zod.output<S>> => decodeExchange<S>(await send(z, endpoint, input));

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

/** Like `call`, but returns undefined when the service responds with 404 or 410. */
export const lookUp = <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
): Promise<zod.output<S> | undefined> =>
  callUnless<E, S>(z, endpoint, input, (response) => {
    const isGone = [404, 410].includes(response.status);
    return isGone && (endpoint.method === 'DELETE' || !isWrongAddress(response));
  });

/** Like `call`, but returns undefined when the service responds with 403: the token or the plan doesn't allow the call. */
export const callIfAllowed = <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
): Promise<zod.output<S> | undefined> => callUnless<E, S>(z, endpoint, input, ({ status }) => status === 403);

/**
 * Like `call`, but returns the id of the existing contact when the service refuses to create it twice. `findId` looks it
 * up for a service that has no code for that refusal.
 */
export const createOrFindId = async <E extends Endpoint, S extends zod.ZodMiniType>(
  z: ZObject,
  endpoint: E & { response: S },
  input: Input<E>,
  findId: () => Promise<string | undefined>,
): Promise<{ created: zod.output<S> } | { existingId: string }> => {
  const exchange = await send(z, endpoint, input);
  const { outcome } = exchange;
  if (!(outcome instanceof Error) && outcome.status === 409) {
    const { code, existingId } = outcome.refusal ?? {};
    if (code === 'contact_exists' && existingId) return { existingId };
  }
  if (!(outcome instanceof Error) && !exists('contact_exists') && [409, 422].includes(outcome.status)) {
    const existingId = await findId();
    if (existingId) return { existingId };
  }
  return { created: decodeExchange<S>(exchange) };
};
