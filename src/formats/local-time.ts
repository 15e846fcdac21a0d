/** An IANA time zone. Missing in Zapier's test tools. */
export type TimeZone = string | null | undefined;

/** A time of day: `14:30`, `14.30`, `14:30:05`, `2:30 pm`, `2pm`. `12.06.26` is a date, and `2h30` may be a duration. */
const timeOfDay = /^(?=.*[:.ap])(\d{1,2})(?:[:.](\d{2})(?::\d{2}(?:\.\d+)?)?)?\s*(?:([ap])\.?(?:m\.?)?)?$/i;
/** The end of a German or Dutch time, such as `14:30 Uhr`. */
const clockWord = /(?<=\d[:.]\d{2})\s?(uhr|uur)$/i;
/** A date with dots, where the day always comes first: `12.6.2026` is 12 June. */
const dottedDate = /^(\d{1,2})\.(\d{1,2})\.(\d{4}),?(?=$|\s)/;
/** A date as in ISO 8601, unless another date follows it. */
const isoDate = /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})([T\s](?!.*\d[-/.]\d{1,2}[-/.]\d).*)?$/;
/** A date before a time of day. */
const numericDate = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[T,\s]+/;
const writtenDate = /^(\D+\d{1,2},?\s.*|\d{1,2}\.?\s+[^\d\s]+\s+)\d{4}\D+(?=.*:)/;
const timeWithZone = /\d:\d{2}.*?(Z|UTC|GMT|[+-]\d{2}:?\d{2})(\s+\d{4})?(\s*\([^)]*\))?$/i;
/** Two times of day, such as `10:00-12:00`. After a `T` and with seconds, the second one is an offset. */
const timeRange = /[^T\d:]\d{1,2}:\d{2}\s*-\s*\d{2}:\d{2}$/i;
const months =
  'jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?';
/** A date that means one day. `06/07/2026` could mean two. */
const unambiguousDate = new RegExp(`^\\d{4}[-/]\\d|\\b(${months})\\b`, 'i');
/** ISO 8601 without dashes and colons. */
const basicIso = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?(?=Z|[+-]|$)/;
const unixTime = /^\d{10}(\d{3})?$/;

const pad = (number: number): string => String(number).padStart(2, '0');

/** Whether a date, as `YYYY-MM-DD`, exists. `Date` turns 30 February into a day in March. */
export const isDate = (date: string): boolean => new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) ?? false;

/** Returns a time of day as `HH:MM`; undefined for any other text. */
const readTimeOfDay = (text: string): string | undefined => {
  const [, hours = '', minutes = '0', half] = timeOfDay.exec(text.replace(clockWord, '')) ?? [];
  if (!hours || (half && (Number(hours) < 1 || Number(hours) > 12))) return undefined;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
  return hour < 24 && Number(minutes) < 60 ? `${pad(hour)}:${pad(Number(minutes))}` : undefined;
};

/** The maximum input length, above that of any date and time. It keeps every pattern fast. */
const maxLength = 100;

/** Reads a Unix timestamp, or an unambiguous date and time with a zone. */
const readInstant = (text: string): Date | undefined => {
  if (unixTime.test(text)) return new Date(Number(text) * (text.length === 10 ? 1000 : 1));
  const full = text.replace(basicIso, '$1-$2-$3T$4:$5');
  const isInstant = timeWithZone.test(full) && unambiguousDate.test(full) && !timeRange.test(full);
  const instant = isInstant ? new Date(full) : undefined;
  return instant && !Number.isNaN(instant.getTime()) ? instant : undefined;
};

/** Counts the times of day in a text, without a date in numbers at its start. */
const timesIn = (text: string): number =>
  text.replace(/^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/, '').match(/\d{1,2}[:.]\d{2}([:.]\d{2}(\.\d+)?)?|\d\s*[ap]\.?m\b/gi)
    ?.length ?? 0;

/** Returns a date written with the English name of its month, such as `June 12, 2026`, as `YYYY-MM-DD`. */
const readWrittenDate = (text: string): string | undefined => {
  if (/^\d{4}/.test(text) || !unambiguousDate.test(text) || !/\b\d{4}\b/.test(text)) return undefined;
  const date = new Date(`${text} UTC`);
  // `Date` turns 31 June into a day in July, and `12-14 June 2026` into a day in 2014.
  const isThatDay = [date.getUTCDate(), date.getUTCFullYear()].every((part) =>
    new RegExp(`\\b0?${part}\\b`).test(text),
  );
  return !Number.isNaN(date.getTime()) && isThatDay ? date.toISOString().slice(0, 10) : undefined;
};

const isTimeZone = (timeZone: string): boolean => {
  try {
    return Boolean(Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
};

/** Returns the date and time in an IANA zone, such as `2026-06-12 14:30`. Uses UTC for an unknown zone. */
export const formatInZone = (instant: Date, timeZone: TimeZone): string =>
  timeZone && isTimeZone(timeZone)
    ? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(instant)
    : instant.toISOString().slice(0, 16).replace('T', ' ');

/**
 * Returns a time of day as `HH:MM`, from a time or a date and time in any common format. Converts a date and time with
 * a zone to `timeZone` (IANA). Returns undefined when the text has no valid time.
 */
export const readTime = (text: string, timeZone: TimeZone): string | undefined => {
  if (text.length > maxLength) return undefined;
  const instant = readInstant(text);
  if (instant) return formatInZone(instant, timeZone).slice(11);
  if (timeWithZone.test(text) || timesIn(text) > 1) return undefined;
  return readTimeOfDay(text.replace(numericDate, '').replace(writtenDate, ''));
};

/**
 * Returns a date as `YYYY-MM-DD`, from a text that means one day. Converts a date and time with a zone to `timeZone`
 * (IANA). Returns undefined for any other text, such as `06/07/2026`, which could mean two days.
 */
export const readDate = (text: string, timeZone: TimeZone): string | undefined => {
  if (text.length > maxLength) return undefined;
  const instant = readInstant(text);
  if (instant) return formatInZone(instant, timeZone).slice(0, 10);
  const iso = text.replace(dottedDate, (_, day, month, year) => `${year}-${pad(Number(month))}-${pad(Number(day))}`);
  const [, year, month, day] = isoDate.exec(iso) ?? [];
  if (!year) return readWrittenDate(text);
  const date = `${year}-${month}-${day}`;
  return isDate(date) ? date : undefined;
};

/** Returns the UTC offset of a zone at a time, in milliseconds. */
const utcOffset = (time: number, timeZone: TimeZone): number =>
  Date.parse(`${formatInZone(new Date(time), timeZone).replace(' ', 'T')}Z`) - time;

/**
 * Reads a date and time with a zone, or a date as `YYYY-MM-DD` with an optional time, in `timeZone` (IANA). Returns
 * undefined for any other text.
 */
export const readDateTime = (text: string, timeZone: TimeZone): Date | undefined => {
  const date = readDate(text, timeZone);
  if (!date) return undefined;
  const instant = readInstant(text);
  if (instant) return instant;
  const time = readTime(text, timeZone) ?? (text.includes(':') ? undefined : '00:00');
  if (!time) return undefined;
  const localTime = Date.parse(`${date}T${time}Z`);
  // The first result may be an hour off near a clock change, so its offset is looked up again.
  const estimate = localTime - utcOffset(localTime, timeZone);
  return new Date(localTime - utcOffset(estimate, timeZone));
};
