/** The value that identifies a message, so that it's sent only once. */
import { createHash } from 'node:crypto';
import type { Bundle } from 'zapier-platform-core';
import { keepsIdempotencyKeys } from '../api/endpoints';
import { readText } from '../formats/mapped-value';
import { refuseLostValue } from './input';
import { refuseUnfilled } from './unfilled';

/** The field for a value that differs for each message. */
export const deduplicationField = {
  key: 'deduplication_key',
  label: 'Send Only Once Per',
  helpText:
    'Enter a value unique to this message, such as an order number. For 24 hours, the same value sends this template to a person only once, even if you replay the run.',
  group: 'repeats_and_tests',
} as const;

/**
 * Returns the idempotency key for the value in Send Only Once Per, valid in a header; undefined when the field is empty.
 * `message` holds the details that make it a different message, such as its template and recipient. Throws an error when
 * the value is lost or isn't filled in, since the message would then be sent again, or every later one would count as a
 * repeat.
 */
export const readIdempotencyKey = (bundle: Bundle, ...message: string[]): string | undefined => {
  refuseLostValue(deduplicationField, bundle);
  const value = readText(bundle.inputData[deduplicationField.key]);
  if (!value) return undefined;
  refuseUnfilled(deduplicationField.label, value);
  return createHash('sha256')
    .update(JSON.stringify([value, ...message]))
    .digest('hex');
};

/** The service keeps a key for 24 hours, and Zapier may replay a failed run during the first half of a day. */
const safeMs = 12 * 60 * 60_000;

/**
 * Whether Zapier can replay the whole step without sending anything twice, because the person gave it a key that the
 * service still keeps. `sentAt` is in milliseconds since 1970.
 */
export const isSafeToReplay = ({ inputData }: Bundle, sentAt: number): boolean =>
  keepsIdempotencyKeys && readText(inputData[deduplicationField.key]) !== undefined && Date.now() - sentAt < safeMs;
