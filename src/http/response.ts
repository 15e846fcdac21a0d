import type { RawHttpResponse } from 'zapier-platform-core';
import { headers } from '../api/endpoints';
import { parseJson } from './json';
import { readRetryAfter } from './retry-after';
import { mapStrings, tokenScrubber } from './scrub';

/** A response of the service. All its texts are without the token. */
export interface ApiResponse {
  status: number;
  text: string;
  /** The parsed body; undefined when it isn't JSON. */
  data: unknown;
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

/** Reads a response to its end. Rejects when it breaks off or is too large. */
export const readResponse = async (response: RawHttpResponse): Promise<ApiResponse> => {
  const scrub = tokenScrubber(response.request.headers?.Authorization?.replace('Bearer ', '') ?? '');
  const text = await response.text();
  return {
    status: response.status,
    text: scrub(text),
    // Parsed first: JSON can spell the token with escapes.
    data: mapStrings(parseJson(text), scrub),
    requestId: scrub(response.getHeader(headers.requestId) ?? '') || undefined,
    retryAfter: readRetryAfter(response.getHeader(headers.retryAfter)),
    isReplay: response.getHeader(headers.idempotentReplayed)?.toLowerCase() === 'true',
    time: Date.parse(response.getHeader('date') ?? '') || Date.now(),
    scrub,
  };
};

/** Whether the service accepted the request. Any 2xx counts. */
export const isSuccess = ({ status }: ApiResponse): boolean => status >= 200 && status < 300;

/** Whether a success has a body that isn't JSON, such as a proxy's page or half a response. */
export const hasUnparsableBody = (response: ApiResponse): boolean =>
  isSuccess(response) && response.text !== '' && response.data === undefined;

/** Whether a 404 comes from another server. The service itself responds with JSON. */
export const isWrongAddress = ({ status, text, data }: ApiResponse): boolean =>
  status === 404 && data === undefined && text.trim() !== '';
