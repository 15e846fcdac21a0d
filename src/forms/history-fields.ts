import { defineInputField } from 'zapier-platform-core';
import { readMoment } from '../formats/relative-time';
import type { TimeZone } from '../formats/time-zone';
import { halt, quote } from '../platform/errors';

const limit = { min: 1, max: 500, default: 50 } as const;

/** The maximum number of messages that a search returns. */
export const limitField = defineInputField({
  key: 'message_limit',
  label: 'Number of Messages',
  type: 'integer',
  placeholder: String(limit.default),
  helpText: `Enter how many of the newest messages to return, up to ${limit.max}. Leave empty for ${limit.default}.`,
});

/** The maximum number of conversations that a search returns. */
export const conversationLimitField = defineInputField({
  key: 'conversation_limit',
  label: 'Number of Conversations',
  type: 'integer',
  placeholder: String(limit.default),
  helpText: `Enter how many conversations to return, up to ${limit.max}. Leave empty for ${limit.default}. Those who have waited longest come first.`,
});

/** The maximum number of contacts that a search returns. */
export const contactLimitField = defineInputField({
  key: 'contact_limit',
  label: 'Number of Contacts',
  type: 'integer',
  placeholder: String(limit.default),
  helpText: `Enter how many of the newest contacts to return, up to ${limit.max}. Leave empty for ${limit.default}.`,
});

/** What a field for a point in time takes. */
const momentHelp =
  "Enter a time, such as `24 hours ago`, `yesterday` (from midnight) or `2026-06-11 09:00` in your Zap's time zone.";

/** The time after which a search returns messages. */
export const sinceField = defineInputField({
  key: 'after',
  label: 'Sent After',
  // Zapier would turn a text that is no time into now, in a field for dates.
  type: 'string',
  placeholder: '24 hours ago',
  helpText: `Leaves out earlier messages. ${momentHelp}`,
});

/** The time after which the contacts that a search returns were added. */
export const createdAfterField = defineInputField({
  key: 'created_after',
  label: 'Added After',
  type: 'string',
  placeholder: '24 hours ago',
  helpText: `Leaves out contacts that were added earlier. ${momentHelp}`,
});

/** The time since which nobody wrote in the conversations that a search returns. */
export const quietSinceField = defineInputField({
  key: 'quiet_since',
  label: 'No Messages Since',
  type: 'string',
  placeholder: '2 hours ago',
  helpText: `Leaves out conversations with newer messages. ${momentHelp}`,
});

const readLimit = (label: string, value: number | undefined): number => {
  const count = value ?? limit.default;
  if (count >= limit.min && count <= limit.max) return count;
  throw halt(`${label}: ${count} is out of range. Enter a number from ${limit.min} to ${limit.max}.`);
};

/**
 * Reads the field for a point in time: undefined when it's empty. `timeZone` (IANA) applies to a time without one. Throws
 * an error that names the field for any other text.
 */
const readMomentField = (label: string, value: string | undefined, timeZone: TimeZone): Date | undefined => {
  if (value === undefined) return undefined;
  const instant = readMoment(value, timeZone);
  if (instant) return instant;
  throw halt(`${label}: ${quote(value)} isn't a time. Enter one such as 24 hours ago, yesterday or 2026-06-11 09:00.`);
};

/**
 * Returns how many messages a search reads, and after which time: undefined without Sent After. `timeZone` (IANA)
 * applies to a time without one. Throws an error that names the field when one is invalid.
 */
export const readRange = (
  { message_limit, after }: { message_limit?: number | undefined; after?: string | undefined },
  timeZone: TimeZone,
): { limit: number; since: Date | undefined } => ({
  limit: readLimit(limitField.label, message_limit),
  since: readMomentField(sinceField.label, after, timeZone),
});

/**
 * Returns how many contacts a search reads, and those added after which time: undefined without Added After. `timeZone`
 * (IANA) applies to a time without one. Throws an error that names the field when one is invalid.
 */
export const readContactRange = (
  { contact_limit, created_after }: { contact_limit?: number | undefined; created_after?: string | undefined },
  timeZone: TimeZone,
): { limit: number; since: Date | undefined } => ({
  limit: readLimit(contactLimitField.label, contact_limit),
  since: readMomentField(createdAfterField.label, created_after, timeZone),
});

/**
 * Returns how many conversations a search returns, and since when nobody wrote in them: undefined without No Messages Since.
 * `timeZone` (IANA) applies to a time without one. Throws an error that names the field when one is invalid.
 */
export const readConversationRange = (
  { conversation_limit, quiet_since }: { conversation_limit?: number | undefined; quiet_since?: string | undefined },
  timeZone: TimeZone,
): { limit: number; quietSince: Date | undefined } => ({
  limit: readLimit(conversationLimitField.label, conversation_limit),
  quietSince: readMomentField(quietSinceField.label, quiet_since, timeZone),
});
