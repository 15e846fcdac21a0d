/** The value that identifies a message, so that it's sent only once. */
import { createHash } from 'node:crypto';
import { refuseUnfilled } from './unfilled';

/** The field for a value that differs for each message. */
export const deduplicationField = {
  key: 'deduplication_key',
  label: 'Send Only Once Per',
  helpText:
    'Enter a value such as an order number. For 24 hours, a person gets this template once per value, even on replay. If variables change, nothing is sent.',
  group: 'repeats_and_tests',
} as const;

/**
 * Returns an idempotency key that is valid in a header, or undefined without a value. `value` is the text in Send Only
 * Once Per. `message` holds the details that make it a different message, such as its template and recipient. Throws an
 * error for a value that isn't filled in, since every later message would count as a repeat.
 */
export const toIdempotencyKey = (value: string | undefined, ...message: string[]): string | undefined => {
  if (!value) return undefined;
  refuseUnfilled(deduplicationField.label, value);
  return createHash('sha256')
    .update(JSON.stringify([value, ...message]))
    .digest('hex');
};
