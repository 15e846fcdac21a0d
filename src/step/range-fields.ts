/** How many records a search returns, and the time before or after which it leaves them out. */
import type { PlainInputField } from 'zapier-platform-core';
import { halt, quote } from './errors';
import { readMoment } from './relative-time';
import type { TimeZone } from './time-zone';

const limit = { min: 1, max: 500, default: 50 } as const;

const countField = <const K extends string>(key: K, records: string, which: string, help = '') =>
  ({
    key,
    label: `Number of ${records}`,
    type: 'integer',
    placeholder: String(limit.default),
    helpText: `Enter how many ${which} to return, up to ${limit.max}. Leave empty for ${limit.default}.${help}`,
  }) as const;

const timeField = <const K extends string>(key: K, label: string, placeholder: string, leavesOut: string) =>
  ({
    key,
    label,
    // Zapier would turn a text that is no time into now, in a field for dates.
    type: 'string',
    placeholder,
    helpText: `Leaves out ${leavesOut}. Enter a time, such as \`24 hours ago\`, \`yesterday\` (from midnight) or \`2026-06-11 09:00\` in your Zap's time zone.`,
  }) as const;

export const limitField = countField('message_limit', 'Messages', 'of the newest messages');
export const contactLimitField = countField('contact_limit', 'Contacts', 'of the newest contacts');
export const conversationLimitField = countField(
  'conversation_limit',
  'Conversations',
  'conversations',
  ' Those who have waited longest come first.',
);

export const sinceField = timeField('after', 'Sent After', '24 hours ago', 'earlier messages');
export const createdAfterField = timeField(
  'created_after',
  'Added After',
  '24 hours ago',
  'contacts that were added earlier',
);
export const quietSinceField = timeField(
  'quiet_since',
  'No Messages Since',
  '2 hours ago',
  'conversations with newer messages',
);

/** Returns how many records the field for their number asks for. Throws an error that names the field when that's invalid. */
export const readLimit = ({ label }: PlainInputField, count: number = limit.default): number => {
  if (count >= limit.min && count <= limit.max) return count;
  throw halt(`${label}: ${count} is out of range. Enter a number from ${limit.min} to ${limit.max}.`);
};

/**
 * Returns the time in a field for one; undefined when it's empty. `timeZone` (IANA) applies to a time without one. Throws an
 * error that names the field for any other text.
 */
export const readTimeField = (
  { label }: PlainInputField,
  text: string | undefined,
  timeZone: TimeZone,
): Date | undefined => {
  if (text === undefined) return undefined;
  const instant = readMoment(text, timeZone);
  if (instant) return instant;
  throw halt(`${label}: ${quote(text)} isn't a time. Enter one such as 24 hours ago, yesterday or 2026-06-11 09:00.`);
};

/** Returns how many messages a search reads, and after which time: undefined without Sent After. */
export const readRange = (
  { message_limit, after }: { message_limit?: number | undefined; after?: string | undefined },
  timeZone: TimeZone,
): { limit: number; since: Date | undefined } => ({
  limit: readLimit(limitField, message_limit),
  since: readTimeField(sinceField, after, timeZone),
});
