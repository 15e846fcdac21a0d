import { hasClearDate, readInstant } from './instant';
import { formatInZone, instantInZone, type TimeZone } from './time-zone';

/** A time of day: `14:30`, `14.30`, `14:30:05`, `2:30 pm`, `2pm`. `12.06.26` is a date, and `2h30` may be a duration. */
const timeOfDay = /^(?=.*[:.ap])(\d{1,2})(?:[:.](\d{2})(?::\d{2}(?:\.\d+)?)?)?\s*(?:([ap])\.?(?:m\.?)?)?$/i;
/** The end of a German or Dutch time, such as `14:30 Uhr`. */
const clockWord = /(?<=\d[:.]\d{2})\s?(uhr|uur)$/i;
/** A time of day inside a text. */
const anyTime = /\d{1,2}[:.]\d{2}([:.]\d{2}(\.\d+)?)?|\d\s*[ap]\.?m\b/gi;
/** A date in numbers before a time of day. */
const numericDate = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T,\s]+|$)/;
/** A date in words before a time of day. */
const writtenDate = /^(\D+\d{1,2},?\s.*|\d{1,2}\.?\s+[^\d\s]+\s+)\d{4}\D+(?=.*:)/;
/** A date with dots, where the day always comes first: `12.6.2026` is 12 June. */
const dottedDate = /^(\d{1,2})\.(\d{1,2})\.(\d{4}),?(?=$|\s)/;
/** A date as in ISO 8601, unless another date follows it. */
const isoDate = /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})([T\s](?!.*\d[-/.]\d{1,2}[-/.]\d).*)?$/;

/** The maximum input length, above that of any date and time. It keeps every pattern fast. */
const maxLength = 100;

const pad = (number: string | number): string => String(number).padStart(2, '0');

/** Whether a date, as `YYYY-MM-DD`, exists. `Date` turns 30 February into a day in March. */
export const isDate = (date: string): boolean => new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) ?? false;

/** Returns a time of day as `HH:MM`; undefined for any other text. */
const readTimeOfDay = (text: string): string | undefined => {
  const [, hours = '', minutes = '0', half] = timeOfDay.exec(text.replace(clockWord, '')) ?? [];
  if (!hours || (half && (Number(hours) < 1 || Number(hours) > 12))) return undefined;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
  return hour < 24 && Number(minutes) < 60 ? `${pad(hour)}:${pad(minutes)}` : undefined;
};

/** Returns a date written with the English name of its month, such as `June 12, 2026`, as `YYYY-MM-DD`. */
const readWrittenDate = (text: string): string | undefined => {
  if (/^\d{4}/.test(text) || !hasClearDate(text)) return undefined;
  const date = new Date(`${text} UTC`);
  const [year] = /\b[1-9]\d{3}\b/.exec(text) ?? [];
  // `Date` turns 31 June into a day in July, and `12-14 June 2026` into a day in 2014.
  const isThatDay = date.getUTCFullYear() === Number(year) && new RegExp(`\\b0?${date.getUTCDate()}\\b`).test(text);
  return isThatDay ? date.toISOString().slice(0, 10) : undefined;
};

/**
 * Returns a time of day as `HH:MM`, from a time or a date and time in any common format. Converts a date and time with
 * a zone to `timeZone` (IANA). Returns undefined when the text has no valid time.
 */
export const readTime = (text: string, timeZone: TimeZone): string | undefined => {
  if (text.length > maxLength) return undefined;
  const instant = readInstant(text);
  if (instant) return formatInZone(instant, timeZone).slice(11);
  const rest = text.replace(numericDate, '');
  const times = rest.match(anyTime) ?? [];
  return times.length > 1 ? undefined : readTimeOfDay(rest.replace(writtenDate, ''));
};

/**
 * Returns a date as `YYYY-MM-DD`, from a text that means one day. Converts a date and time with a zone to `timeZone`
 * (IANA). Returns undefined for any other text, such as `06/07/2026`, which could mean two days.
 */
export const readDate = (text: string, timeZone: TimeZone): string | undefined => {
  if (text.length > maxLength) return undefined;
  const instant = readInstant(text);
  if (instant) return formatInZone(instant, timeZone).slice(0, 10);
  const iso = text.replace(dottedDate, (_, day, month, year) => `${year}-${pad(month)}-${pad(day)}`);
  const [, year, month, day] = isoDate.exec(iso) ?? [];
  if (!year) return readWrittenDate(text);
  const date = `${year}-${month}-${day}`;
  return isDate(date) ? date : undefined;
};

/**
 * Reads a date and time with a zone, or a date as `YYYY-MM-DD` with an optional time, in `timeZone` (IANA). Returns
 * undefined for any other text.
 */
export const readDateTime = (text: string, timeZone: TimeZone): Date | undefined => {
  const date = readDate(text, timeZone);
  if (!date) return undefined;
  const time = readTime(text, timeZone) ?? (text.includes(':') ? undefined : '00:00');
  return readInstant(text) ?? (time ? instantInZone(date, time, timeZone) : undefined);
};
