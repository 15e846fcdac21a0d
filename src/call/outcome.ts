/**
 * What one attempt of a request comes to: a response or an error, whether the service may have acted, and who may repeat the
 * call.
 */
import * as zod from 'zod/mini';
import { fromService, takesKey } from '../api/adapter';
import { decode } from '../api/decode';
import { type AnyInput, type Endpoint, endpoints, headers } from '../api/endpoints';
import { errorResponse, isTransientStatus, type Refusal } from '../api/errors';
import { mapStrings, parseJson } from '../api/json';
import { parseRefusal } from '../api/refusal';
import type { Call, HttpResponse } from '../api/transport';
import { credentialScrubber } from './connection';
import type { PreparedCall } from './request';

interface RawResponse {
  status: number;
  headers: Iterable<[name: string, value: string]>;
  text: () => Promise<string>;
}

/** A response of the service. All its texts are without the token. */
export interface ApiResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
  /** The parsed body; undefined when it isn't JSON. */
  data: unknown;
  /** Whether it has the form of the contract. If not, all of this is as the service sent it. */
  isAdapted: boolean;
  /** Why the service refused; undefined for a success. */
  refusal: Refusal | undefined;
  requestId: string | undefined;
  /** In seconds. */
  retryAfter: number | undefined;
  /** Whether the service repeats its response to an earlier request with the same idempotency key. */
  isReplay: boolean;
  /** When the service responded, by its own clock, in milliseconds; by ours when it doesn't say. */
  time: number;
  /** Removes the token from a text. */
  scrub: (text: string) => string;
}

/** The maximum delay that the app passes on to Zapier, in seconds. */
const maxRetryAfter = 60 * 60;

const httpDate = /^[a-z]{3,9}, [\w :-]{1,30} GMT$/i;

const secondsUntil = (value: string): number => {
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  return httpDate.test(value) ? (Date.parse(value) - Date.now()) / 1000 : Number.NaN;
};

/** Reads `Retry-After`, seconds or an HTTP date, as whole seconds from now, between one second and one hour. */
export const readRetryAfter = (value: string | null | undefined): number | undefined => {
  const seconds = secondsUntil(value ?? '');
  return Number.isNaN(seconds) ? undefined : Math.min(maxRetryAfter, Math.max(1, Math.ceil(seconds)));
};

/** Reads why the service refused. The name of a field may put parts of the token together. */
const readRefusal = (status: number, body: unknown, requestId: string | undefined, scrub: ApiResponse['scrub']) => {
  const { problems, ...refusal } = parseRefusal(status, body, requestId);
  return { ...refusal, problems: problems.map(({ field, message }) => ({ field: field && scrub(field), message })) };
};

/** Returns a response without the token. Parsed before, because JSON can spell the token with escapes. */
const scrubResponse = ({ status, headers: given, body }: HttpResponse, scrub: ApiResponse['scrub']): HttpResponse => ({
  status,
  // A value from a body of any type may be a number.
  headers: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, scrub(String(value))])),
  body: mapStrings(body, scrub),
});

/** Returns the body for `response`: parsed JSON, or the text of any other. */
const readBody = (content: string): unknown => {
  const parsed = parseJson(content);
  return parsed === undefined ? content || undefined : parsed;
};

/** Reads a response to its end, without the token. `call` is its request. Rejects when it breaks off or is too large. */
export const readResponse = async (raw: RawResponse, call: Call, token: string): Promise<ApiResponse> => {
  const scrub = credentialScrubber(token, call.connection);
  const content = await raw.text();
  const text = scrub(content);
  const received = { status: raw.status, headers: Object.fromEntries(raw.headers), body: readBody(content) };
  const adapted = fromService(scrubResponse(received, scrub), call);
  // Again, because adapting can decode a text or put parts of the token together.
  const { status, headers: given, body } = scrubResponse(adapted ?? received, scrub);
  // A text that `response` leaves alone isn't data.
  const data = body === text && parseJson(content) === undefined ? undefined : body;
  const requestId = given[headers.requestId] || undefined;
  return {
    status,
    headers: given,
    text,
    data,
    isAdapted: adapted !== undefined,
    refusal: isSuccess({ status }) ? undefined : readRefusal(status, data ?? text, requestId, scrub),
    requestId,
    retryAfter: readRetryAfter(given[headers.retryAfter]),
    isReplay: given[headers.idempotentReplayed]?.toLowerCase() === 'true',
    time: Date.parse(given.date ?? '') || Date.now(),
    scrub,
  };
};

/** Whether the service accepted the request. Any 2xx counts. */
export const isSuccess = ({ status }: Pick<ApiResponse, 'status'>): boolean => status >= 200 && status < 300;

/** Whether a success has a body that isn't JSON, such as a proxy's page or half a response. */
export const hasUnparsableBody = (response: ApiResponse): boolean =>
  isSuccess(response) && response.text !== '' && response.data === undefined;

/** Whether a 404 comes from another server. The service itself responds with JSON. */
export const isWrongAddress = ({ status, text, data }: ApiResponse): boolean =>
  status === 404 && data === undefined && text.trim() !== '';

/** A response, or the error of one that is late, missing, incomplete or too large. */
export type Outcome = ApiResponse | Error;

/** A call, with the outcomes of its request and the retries. */
export interface Exchange<E extends Endpoint = Endpoint> extends PreparedCall<E> {
  /** The outcome of the last attempt. */
  outcome: Outcome;
  /** The outcomes of the attempts before it, in order. */
  earlier: readonly Outcome[];
}

/** Calls that do nothing twice: reads, deletions, and those under an idempotency key that the service keeps (`takesKey`). */
const idempotent: readonly string[] = ['GET', 'DELETE', 'keyed'];

/** Calls that the step may repeat if the service certainly did nothing. A POST without a key is never repeated. */
const harmless: readonly string[] = [...idempotent, 'PUT', 'PATCH'];

const none: readonly string[] = [];

/**
 * Every outcome of an attempt: whether the service may have `acted`, and which calls this step repeats at once. When the
 * attempts are used up, a write that may have acted halts, unless the service keeps the person's own key
 * (`isUnsafeToRepeat`). Any other call fails, which Zapier may repeat, or has the class of the refusal (`errorCodes`).
 */
const outcomes = {
  /** There is no such host, or its certificate isn't valid. */
  wrongHost: { acted: 'no', repeats: none },
  /** No connection, so that nothing was sent. */
  notSent: { acted: 'no', repeats: harmless },
  /** The response is late, or breaks off. */
  broken: { acted: 'maybe', repeats: idempotent },
  /** A response of over 20 MB, or an error that isn't worth the time to read it several times. */
  tooLarge: { acted: 'maybe', repeats: none },
  /** 2xx, 302 and 303. */
  done: { acted: 'maybe', repeats: none },
  /** 2xx with a body that isn't JSON, or without the record that was read. */
  unreadable: { acted: 'maybe', repeats: idempotent },
  /** 301, 307 and 308: the service has moved, and so didn't take the request. */
  moved: { acted: 'no', repeats: none },
  /** 4xx. */
  refused: { acted: 'no', repeats: none },
  /** 409 while the service still processes an earlier request with the same key. */
  inFlight: { acted: 'maybe', repeats: idempotent },
  /** 503 in the service's own format or with Retry-After. A proxy may send any other one after the service has acted. */
  unavailable: { acted: 'no', repeats: harmless },
  /** 408, 425 and 5xx. */
  failed: { acted: 'maybe', repeats: idempotent },
} as const;

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

/** The length of an error that isn't worth the time to read it several times. */
const maxErrorLength = 1_000_000;

const outcomeOfError = (endpoint: Endpoint, error: Error): keyof typeof outcomes => {
  const code = codeOf(error);
  // A name that isn't found is a typing error only while the account is tested. Later, only the look-up of its name fails.
  if (wrongHost.test(code) && (code !== 'ENOTFOUND' || endpoint === endpoints.getWorkspace)) return 'wrongHost';
  if (code === 'ENOTFOUND' || noConnection.test(error.message)) return 'notSent';
  return /^(Fetch|Abort)Error$/.test(error.name) && !isTooLarge(error) ? 'broken' : 'tooLarge';
};

/** Whether the service is still processing an earlier request with the same idempotency key. */
export const isInFlight = (outcome: Outcome): boolean =>
  !(outcome instanceof Error) && outcome.status === 409 && outcome.refusal?.code === 'idempotency_in_flight';

const lacksRecord = ({ method, response }: Endpoint, { data }: ApiResponse): boolean =>
  method === 'GET' && data === undefined && !(response instanceof zod.ZodMiniUnknown);

const isUnavailable = ({ status, data, retryAfter }: ApiResponse): boolean =>
  status === 503 && (retryAfter !== undefined || decode(errorResponse, data).success);

const outcomeOf = (endpoint: Endpoint, outcome: Outcome): keyof typeof outcomes => {
  if (outcome instanceof Error) return outcomeOfError(endpoint, outcome);
  const { status, text } = outcome;
  const isShort = text.length < maxErrorLength;
  if (isUnavailable(outcome)) return isShort ? 'unavailable' : 'tooLarge';
  if (isTransientStatus(status)) return isShort ? 'failed' : 'tooLarge';
  if (isSuccess(outcome)) {
    return isShort && (hasUnparsableBody(outcome) || lacksRecord(endpoint, outcome)) ? 'unreadable' : 'done';
  }
  if (isInFlight(outcome)) return 'inFlight';
  if ([301, 307, 308].includes(status)) return 'moved';
  return status >= 400 ? 'refused' : 'done';
};

/** Whether a request may have had an effect, by the outcomes of its attempts. */
export const mayHaveActed = (endpoint: Endpoint, attempts: readonly Outcome[]): boolean =>
  attempts.some((each) => outcomes[outcomeOf(endpoint, each)].acted === 'maybe');

const kindOf = (endpoint: Endpoint): string => (takesKey(endpoint) ? 'keyed' : endpoint.method);

/** Whether the service does nothing twice when the step repeats the call. */
export const isIdempotent = (endpoint: Endpoint): boolean => idempotent.includes(kindOf(endpoint));

/** Whether a repeat can help and can't do anything twice. */
export const canRetry = (endpoint: Endpoint, outcome: Outcome): boolean =>
  outcomes[outcomeOf(endpoint, outcome)].repeats.includes(kindOf(endpoint));

/** Whether a request sends a message or changes a record. Creating a webhook twice harms nobody. */
export const isWrite = ({ method, scope }: Endpoint): boolean => method !== 'GET' && scope !== 'webhooks:write';

/**
 * Whether repeating a step could do something twice. Zapier's Autoreplay repeats steps that fail, and not those that
 * halt, so a write with an unknown outcome halts, unless the service recognizes the person's own key.
 */
export const isUnsafeToRepeat = (endpoint: Endpoint, { idempotencyKey }: AnyInput): boolean =>
  isWrite(endpoint) && !(idempotencyKey && takesKey(endpoint));
