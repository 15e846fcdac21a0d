/** Dates and times of day as people and programs write them, and what they are in a time zone. */
import { formatInZone, instantInZone, isKnownZone, type TimeZone } from '../step/time-zone';

interface DateAndTime {
  /** As `YYYY-MM-DD`. Missing if the text has only a time of day. */
  date?: string | undefined;
  /** As `HH:MM`, with seconds if the text has them. */
  time?: string | undefined;
  /** The UTC offset, as `Z` or `+02:00`. Never without a date and a time. */
  offset?: string | undefined;
}

/** The maximum input length, above that of any date and time. It keeps every pattern fast. */
const maxLength = 100;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const namedMonth =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const dayNumber = String.raw`(?<day>\d{1,2})`;
const fullYear = String.raw`(?<year>[12]\d{3})`;

/** Dates that mean one day. `03/04/2026` can mean two, so none of them reads it. */
const clearDates = [
  // The years 0 and 9999 stand for a missing date.
  /^(?<year>(?!0000|9999)\d{4})([-/])(?<month>\d\d)\2(?<day>\d\d)/,
  // With dots, the day always comes first: `6.12.2026` is 6 December.
  new RegExp(String.raw`^${dayNumber}\.(?<month>\d{1,2})\.${fullYear}`),
  new RegExp(String.raw`^${dayNumber}(?:\.?\s+|[-/])${namedMonth}(?:[.,]?\s+|[-/])${fullYear}`, 'i'),
  new RegExp(String.raw`^${namedMonth}\.?\s+${dayNumber},?\s+${fullYear}`, 'i'),
];

const separator = /^(?:T|,?\s+(?:at\s+)?)/i;

/** `14:30`, `14.30`, `14:30:05`, `2:30 pm`, `2pm`. `2p` may be a price, and `2h30` a duration. */
const timeOfDay = String.raw`(?<hours>\d{1,2})(?:[:.](?<minutes>[0-5]\d)(?<seconds>:[0-5]\d(?:\.\d{1,9})?)?)?(?:\s*(?<half>[ap])(?:\.?m\.?|(?<=:\d\d\s?[ap]))(?![a-z]))?`;
/** From -12:00 to +14:00, as far as the world's clocks differ. */
const utcOffset = String.raw`(?<offset>Z|UTC|GMT|(?:UTC|GMT)?[+-](?:0\d|1[0-2]|(?<=\+)1[34]):?[0-5]\d)`;
const timeWithOffset = new RegExp(String.raw`^${timeOfDay}(?:\s*${utcOffset})?$`, 'i');

const unixTime = /^[1-9]\d{9}(\d{3})?$/;
/** ISO 8601 without dashes and colons. */
const basicIso = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)?/;

const pad = (number: string | number): string => String(number).padStart(2, '0');

/** Whether a date, as `YYYY-MM-DD`, exists. `Date` turns 30 February into a day in March. */
const isDate = (date: string): boolean => new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) ?? false;

/**
 * Reads ten digits as seconds since 1970, and thirteen as milliseconds. A Unix time has so many digits since 2001.
 * Digits that would be more than five years from now are more likely a phone number.
 */
const readUnixTime = (text: string): Date | undefined => {
  if (!unixTime.test(text)) return undefined;
  const instant = new Date(Number(text) * (text.length === 10 ? 1000 : 1));
  const latest = new Date();
  latest.setUTCFullYear(latest.getUTCFullYear() + 5);
  return instant <= latest ? instant : undefined;
};

/** Writes a Unix time and basic ISO 8601 as other texts do. */
const spellOut = (text: string): string =>
  (readUnixTime(text)?.toISOString() ?? text).replace(
    basicIso,
    (_, ...[year, month, day, hours, minutes, seconds = '00']) =>
      `${year}-${month}-${day}T${hours}:${minutes}:${seconds}`,
  );

/** Returns the date at the start of a text, and the text after it. The date is missing where the day doesn't exist. */
const readClearDate = (text: string): { date: string | undefined; rest: string } | undefined => {
  const found = clearDates.map((pattern) => pattern.exec(text)).find((match) => match !== null);
  if (!found?.groups) return undefined;
  const { year, month = '', day = '' } = found.groups;
  const number = /^\d/.test(month) ? month : months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const date = `${year}-${pad(number)}-${pad(day)}`;
  return { date: isDate(date) ? date : undefined, rest: text.slice(found[0].length) };
};

/** Returns an offset in one form: `+0200`, `GMT+02:00` and `+02:00` are the same. */
const normalizeOffset = (offset: string): string => {
  const [, hours, minutes] = /([+-]\d\d):?(\d\d)$/.exec(offset) ?? [];
  return /[1-9]/.test(offset) ? `${hours}:${minutes}` : 'Z';
};

/** Returns the hour of a day that starts at 0, from an hour with `a` for am, `p` for pm, or nothing. */
const readHour = (hours: string, half: string | undefined): number | undefined => {
  const hour = Number(hours);
  if (!half) return hour < 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
};

const readTimeWithOffset = (text: string, isAfterT: boolean): Pick<DateAndTime, 'time' | 'offset'> | undefined => {
  const { hours = '', minutes, seconds = '', half, offset } = timeWithOffset.exec(text)?.groups ?? {};
  const hour = readHour(hours, half);
  if (hour === undefined || !(minutes || half)) return undefined;
  // `10:00-12:00` is more likely a range, unless a program wrote it with a `T` or seconds, or as `10:00 -1200`.
  const mayBeRange = offset?.startsWith('-') && !isAfterT && (half || !seconds) && !/\s-\d{4}/.test(text);
  if (mayBeRange) return undefined;
  return { time: `${pad(hour)}:${minutes ?? '00'}${seconds}`, offset: offset && normalizeOffset(offset) };
};

/** Returns what a text says about a moment; undefined if it says anything else. */
export const parseDateAndTime = (text: string): DateAndTime | undefined => {
  if (text.length > maxLength) return undefined;
  const spelledOut = spellOut(text);
  const found = readClearDate(spelledOut);
  if (!found) {
    const time = readTimeWithOffset(spelledOut, false);
    return time?.offset ? undefined : time;
  }
  const { date, rest } = found;
  if (!date || rest === '') return date ? { date } : undefined;
  const gap = separator.exec(rest)?.[0];
  const time = gap && readTimeWithOffset(rest.slice(gap.length), gap === 'T');
  return time ? { date, ...time } : undefined;
};

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

const toInstant = ({ date, time, offset }: DateAndTime): Date | undefined =>
  offset ? new Date(`${date}T${time}${offset}`) : undefined;

/** What a text says, with its date and time in the Zap's zone as far as they're certain. */
interface LocalMoment {
  written: DateAndTime;
  /** As `YYYY-MM-DD HH:MM`. Missing if the text has no UTC offset, or the run no zone. */
  local?: string;
}

/**
 * Reads a text. Converts a date and time with a UTC offset to the zone. Without a zone, the clock of the text is that of
 * the place, unless it's in UTC.
 */
const read = (text: string, timeZone: TimeZone): LocalMoment | Doubt => {
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
  if (!parsed?.date) return undefined;
  return toInstant(parsed) ?? instantInZone(parsed.date, parsed.time ?? '00:00', timeZone);
};
