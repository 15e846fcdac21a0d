/** How many records a search returns, and the time before or after which it leaves them out, also as `24 hours ago`. */
import type { PlainInputField } from 'zapier-platform-core';
import { parseDateAndTime, readDateTime } from '../message/dates';
import { halt, quote } from './errors';
import { daysBefore, formatInZone, instantInZone, type TimeZone } from './time-zone';

/** `24 hours ago`, `90 min ago`, `an hour ago`. Months and years have no certain length. */
const ago = /^(?<count>[1-9]\d{0,3}|an?|one)\s{0,5}(?<unit>min(?:ute)?|h(?:ou)?r|day|week)s?\s{1,5}ago$/i;
/** `today`, `yesterday`, and what follows, such as a time of day. */
const namedDay = /^(?<name>today|yesterday)(?<rest>(?:[\s,].{0,50})?)$/i;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Days and weeks keep the time of day, also when the clock of the zone changes in between. */
const readAgo = (count: number, unit: string, now: Date, timeZone: TimeZone): Date => {
  if (unit.startsWith('m')) return new Date(now.getTime() - count * minuteMs);
  if (unit.startsWith('h')) return new Date(now.getTime() - count * hourMs);
  return daysBefore(now, unit === 'week' ? 7 * count : count, timeZone);
};

const readNamedDay = (name: string, rest: string, now: Date, timeZone: TimeZone): Date | undefined => {
  const today = Date.parse(formatInZone(now, timeZone).slice(0, 10));
  const day = new Date(name === 'yesterday' ? today - dayMs : today).toISOString().slice(0, 10);
  const { date, time = '00:00', offset } = parseDateAndTime(day + rest) ?? {};
  // With an offset, it may be another day there.
  return date && !offset ? instantInZone(date, time, timeZone) : undefined;
};

/**
 * Reads a point in time: a date and time; a date, which begins at midnight; or words such as `24 hours ago`, `yesterday`,
 * which begins at midnight too, and `yesterday at 17:00`. `timeZone` (IANA) applies to a text without a UTC offset.
 * Returns undefined for any other text.
 */
export const readMoment = (text: string, timeZone: TimeZone, now = new Date()): Date | undefined => {
  const { count = '', unit } = ago.exec(text)?.groups ?? {};
  if (unit) return readAgo(Number(count) || 1, unit.toLowerCase(), now, timeZone);
  const { name, rest = '' } = namedDay.exec(text)?.groups ?? {};
  return name ? readNamedDay(name.toLowerCase(), rest, now, timeZone) : readDateTime(text, timeZone);
};

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
    helpText: `Leaves out ${leavesOut}. Enter \`24 hours ago\`, \`yesterday\` (from midnight), or a time like \`2026-06-11 09:00\` in your Zap's time zone.`,
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
