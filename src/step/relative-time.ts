/** Points in time as people write them for a search, also in words that count from now. */
import { parseDateAndTime, readDateTime } from '../message/dates';
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
