/** What a response means: the decoded record or list, or the error that says why there is none. */
import * as zod from 'zod/mini';
import { declares, decode, tolerant } from '../api/decode';
import { type AnyInput, type Endpoint, endpoints } from '../api/endpoints';
import { sentence } from '../api/errors';
import { isNote, passesFilters } from '../api/filters';
import { asRecord } from '../api/json';
import { parseRefusal, sanitize } from '../api/refusal';
import { type FailedCall, failedCall, failedMessage, networkError, responseError } from './failure';
import {
  type ApiResponse,
  type Exchange,
  hasUnparsableBody,
  isInFlight,
  isSuccess,
  isWrite,
  isWrongAddress,
  mayHaveActed,
} from './outcome';

/** What a page says of the records that are left out. No service can say it. */
const unread = Symbol('the place of the first record that is left out');

/** Returns the place of the first record of a list that is left out, because it can't be read; undefined if none is. */
export const firstUnread = (page: object | undefined): number | undefined => {
  const place: unknown = page && Reflect.get(page, unread);
  return typeof place === 'number' ? place : undefined;
};

/** Returns a page that has no record at the places from `place` on which can't be read. */
const withUnread = <T extends object>(page: T, place: number | undefined): T =>
  place === undefined ? page : Object.assign(page, { [unread]: place });

/**
 * Like `decode`, but leaves out the records of a list that can't be read, unless none of them can. `firstUnread` tells
 * where.
 */
const decodeTolerantly = <S extends zod.ZodMiniType>(schema: S, value: unknown): ReturnType<typeof decode<S>> => {
  const decoded = decode<S>(schema, value);
  if (decoded.success) return decoded;
  const page = asRecord(value);
  const places = decoded.error.issues.map(({ path: [list, index] }) => (list === 'data' ? index : undefined));
  const unreadable = new Set<unknown>(places);
  if (!Array.isArray(page.data) || unreadable.has(undefined)) return decoded;
  const data: unknown[] = page.data.filter((_, index) => !unreadable.has(index));
  if (data.length === 0) return decoded;
  const place = page.data.findIndex((_, index) => unreadable.has(index));
  const readable = zod.safeParse(tolerant(schema), { ...page, data });
  if (readable.success) withUnread(Object(readable.data), place);
  return readable;
};

/** Filters that a service may apply by what its records don't say. */
const unsaid = ['status', 'channel'];

const withoutUnsaid = (record: unknown): object =>
  Object.fromEntries(
    Object.entries(asRecord(record)).filter(([name, value]) => value !== null || !unsaid.includes(name)),
  );

/**
 * Returns a parsed list with only the records that match the query, since a service may ignore unknown parameters, and
 * without notes among messages. Returns any other response unchanged.
 */
const filterList = <T>(endpoint: Endpoint, input: AnyInput, response: T): T => {
  const { data } = asRecord(response);
  if (!endpoint.query || !Array.isArray(data)) return response;
  const passes = (record: unknown): boolean =>
    !isNote(asRecord(record)) && passesFilters(withoutUnsaid(record), { ...input.query });
  const place = firstUnread(Object(response));
  const before = place === undefined ? undefined : data.slice(0, place).filter(passes).length;
  return withUnread({ ...response, data: data.filter(passes) }, before);
};

/** Whether a value says something of an error. Services also send `null`, `[]`, `{}`, `false` or 0 for none. */
const isReported = (value: unknown): boolean => {
  if (typeof value === 'object') return Object.values(value ?? {}).some(isReported);
  return typeof value === 'string' ? value.trim() !== '' : Boolean(value);
};

/** Whether a success reports an error. A record that was read may itself have one, such as a message that failed. */
const reportsFailure = ({ method, response }: Endpoint, data: unknown): boolean =>
  isReported(asRecord(data).error) && (method !== 'GET' || !declares(response, 'error'));

/** How services write that what a write has started has failed, or never will be. */
const endedStatuses = [
  ...['failed', 'failure', 'error', 'rejected', 'undelivered', 'undeliverable'],
  ...['blocked', 'expired', 'canceled', 'cancelled'],
];

/** Whether what a write has started has failed already. */
const hasEnded = (endpoint: Endpoint, record: unknown): boolean => {
  const { status, failed_at } = asRecord(record);
  const isEnded = endedStatuses.includes(String(status).trim().toLowerCase()) && declares(endpoint.response, 'status');
  return isWrite(endpoint) && (isEnded || isReported(failed_at));
};

const isSend = (endpoint: Endpoint): boolean => endpoint === endpoints.sendMessage;

/** Leaves room for the advice and the request ID after it. */
const maxReasonLength = 55;

const readReason = ({ status, data, scrub }: ApiResponse, record: unknown): string | undefined => {
  const { message, code } = parseRefusal(status, data);
  const reasons = [asRecord(asRecord(record).error).message, message, asRecord(data).error, code];
  const reason = scrub(reasons.map(sanitize).find(Boolean) ?? '');
  if (!reason) return undefined;
  return sentence(reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength - 1)}…` : reason);
};

/** Whether a repeated deletion finds nothing left to delete. */
const isAlreadyDeleted = (endpoint: Endpoint, isUncertain: boolean, response: ApiResponse): boolean =>
  endpoint.method === 'DELETE' && isUncertain && [404, 410].includes(response.status) && !isWrongAddress(response);

const readFailure = (call: FailedCall, response: ApiResponse, record: unknown): Error | undefined => {
  const isFailed = hasEnded(call.endpoint, record);
  if (!isFailed && !reportsFailure(call.endpoint, response.data)) return undefined;
  const reason = readReason(response, record);
  if (isFailed && isSend(call.endpoint)) return failedMessage(call, reason);
  // Some of the call may have had an effect, because the status says that all of it did.
  const sentences = `The messaging service reported a failure${reason ? `: ${reason}` : ' without a reason.'}`;
  return failedCall(sentences, call, 'reported_failure', response);
};

/**
 * Returns the decoded body of the last response. Throws an error of the class that Zapier needs, whose message says why
 * the service refused or which part of the response is unexpected.
 */
export const decodeExchange = <S extends zod.ZodMiniType>({
  endpoint,
  input,
  outcome,
  earlier,
}: Exchange<Endpoint & { response: S }>): zod.output<S> => {
  // One that waits for another request with its key did nothing itself.
  const attempts = isInFlight(outcome) ? earlier.filter((each) => !isInFlight(each)) : [...earlier, outcome];
  const isUncertain = mayHaveActed(endpoint, attempts);
  const call = { endpoint, input, isUncertain };
  if (outcome instanceof Error) throw networkError(call, outcome);
  const isDeleted = isAlreadyDeleted(endpoint, isUncertain, outcome);
  if (!isSuccess(outcome) && !isDeleted) throw responseError(call, outcome);
  const data = isDeleted ? undefined : outcome.data;
  const decoded = decodeTolerantly<S>(endpoint.response, data);
  const isReadable = outcome.isAdapted && !hasUnparsableBody(outcome);
  const failure = isDeleted ? undefined : readFailure(call, outcome, decoded.data);
  if (failure) throw failure;
  if (decoded.success && isReadable) return filterList(endpoint, input, decoded.data);
  const place = decoded.error?.issues[0]?.path.join('.').slice(0, 60);
  const problem = place ? `"${place}" is missing or invalid` : 'not the expected data';
  throw failedCall(
    `The messaging service returned an unexpected response (${problem}).`,
    call,
    'unexpected_response',
    outcome,
  );
};
