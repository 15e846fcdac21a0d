import { type DateAndTime, parseDateAndTime } from './date-and-time';
import { formatInZone, instantInZone, isKnownZone, type TimeZone } from './time-zone';

/** Why a text gives no certain date or time. */
export type Doubt =
  /** It says something else, or could mean several dates or times. */
  | 'unclear'
  /** A program fills in such a year, or the first moment of 1970, where it has no date. */
  | 'unlikely year'
  /** At midnight, it's one day as a plain date, and another one as a moment in the zone. */
  | 'two days'
  /** At midnight, it may be a plain date. */
  | 'no time'
  /** It's a time in UTC, and the run has no zone to convert it to. */
  | 'no zone';

/** What a text certainly means, or why that isn't certain. */
export type Certain = { value: string; doubt?: undefined } | { value?: undefined; doubt: Doubt };

const midnight = /^00:00(:00(\.0+)?)?$/;

/** People born before are no customers any more. Spreadsheets count days from the end of 1899. */
const firstYear = 1901;

/** Calendars that are ahead of ours by centuries are beyond. */
const maxYearsAhead = 100;

const isLikelyYear = (date: string): boolean => {
  const year = Number(date.slice(0, 4));
  return year >= firstYear && year <= new Date().getUTCFullYear() + maxYearsAhead;
};

/** Returns the point in time that a text with a UTC offset means. */
const toInstant = ({ date, time, offset }: DateAndTime): Date | undefined =>
  offset ? new Date(`${date}T${time}${offset}`) : undefined;

/** What a text says, with its date and time in the Zap's zone as far as they're certain. */
interface Told {
  written: DateAndTime;
  /** As `YYYY-MM-DD HH:MM`. Missing if the text has no UTC offset, or the run no zone. */
  local?: string;
}

/**
 * Reads a text. Converts a date and time with a UTC offset to the zone. Without a zone, the clock of the text is that of
 * the place, unless it's in UTC.
 */
const read = (text: string, timeZone: TimeZone): Told | Doubt => {
  const written = parseDateAndTime(text);
  if (!written) return 'unclear';
  if (written.date && !isLikelyYear(written.date)) return 'unlikely year';
  const instant = toInstant(written);
  const isEpoch = written.date === '1970-01-01' && midnight.test(written.time ?? '');
  if (isEpoch || instant?.getTime() === 0) return 'unlikely year';
  if (!instant) return { written };
  if (isKnownZone(timeZone)) return { written, local: formatInZone(instant, timeZone) };
  return written.offset === 'Z' ? 'no zone' : { written };
};

/**
 * Reads a time of day as `HH:MM`, from a time or a date and time in any common format. Converts a date and time with a
 * UTC offset to `timeZone` (IANA).
 */
export const readTime = (text: string, timeZone: TimeZone): Certain => {
  const parsed = read(text, timeZone);
  if (typeof parsed === 'string') return { doubt: parsed };
  const { written, local } = parsed;
  const value = (local?.slice(11) ?? written.time)?.slice(0, 5);
  if (!value) return { doubt: 'unclear' };
  const isPlainDate = local !== undefined && midnight.test(written.time ?? '') && value !== '00:00';
  return isPlainDate ? { doubt: 'no time' } : { value };
};

/**
 * Reads a date as `YYYY-MM-DD`, from a text that means one day. Converts a date and time with a UTC offset to `timeZone`
 * (IANA). Midnight is how programs write a date without a time, so it's certain only if the day is the same in the zone.
 */
export const readDate = (text: string, timeZone: TimeZone): Certain => {
  const parsed = read(text, timeZone);
  if (typeof parsed === 'string') return { doubt: parsed };
  const { written, local } = parsed;
  const value = local?.slice(0, 10) ?? written.date;
  if (!value) return { doubt: 'unclear' };
  return midnight.test(written.time ?? '') && value !== written.date ? { doubt: 'two days' } : { value };
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
