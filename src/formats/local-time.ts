import { type DateAndTime, parseDateAndTime } from './date-and-time';
import { formatInZone, instantInZone, type TimeZone } from './time-zone';

const midnight = /^00:00(:00(\.0+)?)?$/;

/** Returns the point in time that a text with a UTC offset means. */
const toInstant = ({ date, time, offset }: DateAndTime): Date | undefined =>
  offset ? new Date(`${date}T${time}${offset}`) : undefined;

/**
 * Returns a time of day as `HH:MM`, from a time or a date and time in any common format. Converts a date and time with
 * a UTC offset to `timeZone` (IANA). Returns undefined when the text has no certain time.
 */
export const readTime = (text: string, timeZone: TimeZone): string | undefined => {
  const parsed = parseDateAndTime(text);
  const instant = parsed && toInstant(parsed);
  return instant ? formatInZone(instant, timeZone).slice(11) : parsed?.time?.slice(0, 5);
};

/**
 * Returns a date as `YYYY-MM-DD`, from a text that means one day. Converts a date and time with a UTC offset to
 * `timeZone` (IANA), except midnight in UTC: that is how programs write a date without a time. Returns undefined for
 * any other text, such as `06/07/2026`, which could mean two days.
 */
export const readDate = (text: string, timeZone: TimeZone): string | undefined => {
  const parsed = parseDateAndTime(text);
  const isDateOnly = parsed?.offset === 'Z' && midnight.test(parsed.time ?? '');
  const instant = parsed && !isDateOnly ? toInstant(parsed) : undefined;
  return instant ? formatInZone(instant, timeZone).slice(0, 10) : parsed?.date;
};

/**
 * Reads a date and time, or a date, which begins at midnight. `timeZone` (IANA) applies to a text without a UTC offset.
 * Returns undefined for any other text.
 */
export const readDateTime = (text: string, timeZone: TimeZone): Date | undefined => {
  const parsed = parseDateAndTime(text);
  if (!parsed?.date || parsed.isRange) return undefined;
  return toInstant(parsed) ?? instantInZone(parsed.date, parsed.time ?? '00:00', timeZone);
};
