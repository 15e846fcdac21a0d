/** The result of one attempt of a request, and whether it had an effect. */
import * as zod from 'zod/mini';
import { decode } from '../api/decode';
import { type Endpoint, endpoints } from '../api/endpoints';
import { errorResponse, isTransientStatus } from '../api/errors';
import { type ApiResponse, hasUnparsableBody, isSuccess } from './response';

/** A response, or the error of one that is late, missing, incomplete or too large. */
export type Outcome = ApiResponse | Error;

/** Whether a response was over the maximum size. */
export const isTooLarge = (error: Error): boolean => 'type' in error && error.type === 'max-size';

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');

/** The codes of errors that a retry doesn't help: there is no such host, or its certificate isn't valid. */
const wrongHost =
  /^(ENOTFOUND|CERT_[A-Z_]{1,40}|ERR_TLS_CERT_[A-Z_]{1,40}|UNABLE_TO_[A-Z_]{1,40}|(DEPTH_ZERO_)?SELF_SIGNED_CERT(_IN_CHAIN)?|INVALID_CA|HOSTNAME_MISMATCH)$/;

/**
 * What Node says when it has no connection or no encryption, and so hasn't sent anything. The reason is empty when a host
 * has several addresses and none of them responds.
 */
const noConnection =
  / failed, reason: (connect E|getaddrinfo E|write EPROTO|.{0,200}before secure TLS connection was established|$)/;

/**
 * Whether a retry can't help, because the host is wrong. A name that isn't found is a typing error only while the account is
 * tested. Later, its host has responded before, and only the look-up of its name fails.
 */
const isWrongHost = (endpoint: Endpoint, error: Error): boolean =>
  wrongHost.test(codeOf(error)) && (codeOf(error) !== 'ENOTFOUND' || endpoint === endpoints.getWorkspace);

const wasNeverSent = (error: Error): boolean => wrongHost.test(codeOf(error)) || noConnection.test(error.message);

/** Whether no complete response arrived. */
const isNetworkError = (error: Error): boolean => /^(Fetch|Abort)Error$/.test(error.name) && !isTooLarge(error);

/** The length of a response that isn't worth the time to read it several times. No error is that long. */
const maxErrorLength = 1_000_000;

/** Whether a read succeeded without the record that it's for. */
const lacksRecord = ({ method, response }: Endpoint, outcome: ApiResponse): boolean =>
  method === 'GET' && isSuccess(outcome) && outcome.data === undefined && !(response instanceof zod.ZodMiniUnknown);

/** Whether a retry can help: the service is unreachable, failed, or sent part of its response. */
export const isTransient = (endpoint: Endpoint, outcome: Outcome): boolean => {
  if (outcome instanceof Error) return isNetworkError(outcome) && !isWrongHost(endpoint, outcome);
  const hasFailed = isTransientStatus(outcome.status) || hasUnparsableBody(outcome) || lacksRecord(endpoint, outcome);
  return hasFailed && outcome.text.length < maxErrorLength;
};

/** Whether the service is still processing an earlier request with the same idempotency key. */
export const isInFlight = (outcome: Outcome): boolean =>
  !(outcome instanceof Error) && outcome.status === 409 && outcome.refusal?.code === 'idempotency_in_flight';

/** The statuses of a service that has moved, and so didn't take a request. */
const moved = [301, 307, 308];

/**
 * Whether the service itself says that it's unavailable, in its own format or with Retry-After. A proxy may send any other
 * 503 after the service has acted.
 */
const isUnavailable = ({ status, data, retryAfter }: ApiResponse): boolean =>
  status === 503 && (retryAfter !== undefined || decode(errorResponse, data).success);

/** Whether a request certainly had no effect: it was never sent, or the service refused it or didn't take it. */
export const hadNoEffect = (outcome: Outcome): boolean => {
  if (outcome instanceof Error) return wasNeverSent(outcome);
  const isRefused = outcome.status >= 400 && !isTransientStatus(outcome.status) && !isInFlight(outcome);
  return isRefused || moved.includes(outcome.status) || isUnavailable(outcome);
};

/** Whether a request may have had an effect, by the outcomes of its attempts. */
export const mayHaveActed = (attempts: readonly Outcome[]): boolean => !attempts.every(hadNoEffect);
