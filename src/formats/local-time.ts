/** A clock as people write it: `14:30`, `14.30`, `14:30:05`, `2:30 pm`, `2pm`. */
const clock = /(\d{1,2})(?:[:.](\d{2}))?(?:[:.]\d{2}(?:\.\d+)?)?\s*([ap])?\.?(m)?\.?$/i;
const wholeClock = new RegExp(`^(?=.*[:.apAP])${clock.source}`, 'i');
/** A point in time says where on earth its clock stands, and its date means one day: 06/07/2026 means two. */
const clockInZone = /\d:\d{2}.*?(Z|UTC|GMT|[+-]\d{2}:?\d{2})(\s+\d{4})?(\s*\([^)]*\))?$/i;
const certainDate = /^\d{4}[-/]\d|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;
/** ISO 8601 without its dashes and colons. */
const basicIso = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?(?=Z|[+-]|$)/;
const unixTime = /^\d{10}(\d{3})?$/;

const pad = (number: number): string => String(number).padStart(2, '0');

/** `HH:MM` of a text that ends in a clock, undefined when it does not or when there is no such time. */
const readClock = (text: string): string | undefined => {
  const [, hours = '', minutes = '0', half] = clock.exec(text) ?? [];
  if (!hours || (half && (Number(hours) < 1 || Number(hours) > 12))) return undefined;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
  return hour < 24 && Number(minutes) < 60 ? `${pad(hour)}:${pad(Number(minutes))}` : undefined;
};

/** Longer than any way to write a date and time, and short enough for every pattern here. */
const maxLength = 100;

const readInstant = (text: string): Date | undefined => {
  if (unixTime.test(text)) return new Date(Number(text) * (text.length === 10 ? 1000 : 1));
  const full = text.replace(basicIso, '$1-$2-$3T$4:$5');
  const instant = clockInZone.test(full) && certainDate.test(full) ? new Date(full) : undefined;
  return instant && !Number.isNaN(instant.getTime()) ? instant : undefined;
};

const isZone = (timeZone: string): boolean => {
  try {
    return Boolean(Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
};

/** A point in time as the clocks and calendars of a zone (IANA) show it: `2026-06-12 14:30`. An unknown zone is UTC. */
export const inZone = (instant: Date, zoneName: string | null | undefined): string => {
  const timeZone = zoneName && isZone(zoneName) ? zoneName : 'UTC';
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(instant);
};

/**
 * Reads a time of day as `HH:MM`: a clock in any usual form, or a whole date and time. One that says its zone is told
 * in `timeZone`; one that does not is taken as it stands. Undefined when there is no time in the text.
 */
export const readTime = (text: string, timeZone: string | null | undefined): string | undefined => {
  if (text.length > maxLength) return undefined;
  const instant = readInstant(text);
  if (instant) return inZone(instant, timeZone).slice(11);
  const isNumericDate = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[T,\s]+\S/.test(text);
  const isWrittenDate = /^(\D+\d{1,2},?\s.*|\d{1,2}\.?\s+\p{L}+\.?,?\s+)\d{4}.*:/u.test(text);
  return isNumericDate || isWrittenDate || wholeClock.test(text) ? readClock(text) : undefined;
};

/**
 * Reads a date as `YYYY-MM-DD`: one in that form with or without a time behind it, or a point in time, told in
 * `timeZone`. Undefined for anything else: `06/07/2026` means two different days to two people.
 */
export const readDate = (text: string, timeZone: string | null | undefined): string | undefined => {
  if (text.length > maxLength) return undefined;
  const instant = readInstant(text);
  if (instant) return inZone(instant, timeZone).slice(0, 10);
  const [, date = ''] = /^(\d{4}-\d{2}-\d{2})([T\s].*)?$/.exec(text) ?? [];
  const midnight = new Date(`${date}T00:00:00Z`);
  // A day that there is not, such as 30 February, becomes another one.
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date) ? date : undefined;
};

/** How far the clocks of a zone are ahead of UTC at a point in time, in milliseconds. */
const offsetAt = (time: number, timeZone: string | null | undefined): number =>
  Date.parse(`${inZone(new Date(time), timeZone).replace(' ', 'T')}Z`) - time;

/**
 * Reads a point in time: one that names its zone, or a date as `YYYY-MM-DD`, with or without a time, in `timeZone`.
 * Undefined for anything else.
 */
export const readMoment = (text: string, timeZone: string | null | undefined): Date | undefined => {
  const date = readDate(text, timeZone);
  const instant = date && readInstant(text);
  if (!date || instant) return instant || undefined;
  const wallClock = Date.parse(`${date}T${readTime(text, timeZone) ?? '00:00'}Z`);
  // The offset at the wall clock's time in UTC may be that before or after a change of clocks.
  const near = wallClock - offsetAt(wallClock, timeZone);
  return new Date(wallClock - offsetAt(near, timeZone));
};
