import { defineInputField } from 'zapier-platform-core';
import { readDateTime } from '../formats/local-time';
import type { TimeZone } from '../formats/time-zone';
import { halt, quote } from '../platform/errors';

const limit = { min: 1, max: 500, default: 50 } as const;

/** The maximum number of messages that a search returns. */
export const limitField = defineInputField({
  key: 'message_limit',
  label: 'Number of Messages',
  type: 'integer',
  placeholder: String(limit.default),
  helpText: `How many of the newest messages to return, up to ${limit.max}. Leave empty for ${limit.default}.`,
});

/** The time after which a search returns messages. */
export const sinceField = defineInputField({
  key: 'after',
  label: 'Sent After',
  type: 'datetime',
  helpText:
    "Returns only messages after this time, such as `2026-06-11 09:00`, in your Zap's time zone. For the last day, map yesterday's time from Formatter.",
});

const readLimit = (value: number | undefined): number => {
  const count = value ?? limit.default;
  if (count >= limit.min && count <= limit.max) return count;
  throw halt(`${limitField.label}: ${count} is out of range. Enter a number from ${limit.min} to ${limit.max}.`);
};

const readSince = (value: string | undefined, timeZone: TimeZone): Date | undefined => {
  if (value === undefined) return undefined;
  const instant = readDateTime(value, timeZone);
  if (instant) return instant;
  throw halt(`${sinceField.label}: ${quote(value)} isn't a date and time. Enter one such as 2026-06-11 09:00.`);
};

/**
 * Returns how many messages a search reads, and after which time: undefined without Sent After. `timeZone` (IANA)
 * applies to a time without one. Throws an error that names the field when one is invalid.
 */
export const readRange = (
  { message_limit, after }: { message_limit?: number | undefined; after?: string | undefined },
  timeZone: TimeZone,
): { limit: number; since: Date | undefined } => ({
  limit: readLimit(message_limit),
  since: readSince(after, timeZone),
});
