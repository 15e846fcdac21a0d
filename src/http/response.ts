import { fromService } from '../api/adapter';
import { headers } from '../api/endpoints';
import type { Refusal } from '../api/errors';
import { parseRefusal } from '../api/refusal';
import type { Answer, Call } from '../api/transport';
import { credentialScrubber } from './connection';
import { mapStrings, parseJson } from './json';

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
const scrubAnswer = ({ status, headers: given, body }: Answer, scrub: ApiResponse['scrub']): Answer => ({
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
  const adapted = fromService(scrubAnswer(received, scrub), call);
  // Again, because adapting can decode a text or put parts of the token together.
  const { status, headers: given, body } = scrubAnswer(adapted ?? received, scrub);
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
