/** Texts that mean one point in time, wherever they are read. */

const timeWithZone = /\d:\d{2}.*?(Z|UTC|GMT|[+-]\d{2}:?\d{2})(\s+\d{4})?(\s*\([^)]*\))?$/i;
/** Two times of day, such as `10:00-12:00`. After a `T` and with seconds, the second one is an offset. */
const timeRange = /[^T\d:]\d{1,2}:\d{2}\s*-\s*\d{2}:\d{2}$/i;
const months =
  'jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?';
const unambiguousDate = new RegExp(`^\\d{4}[-/]\\d|\\b(${months})\\b`, 'i');
/** ISO 8601 without dashes and colons. */
const basicIso = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?(?=Z|[+-]|$)/;
const unixTime = /^\d{10}(\d{3})?$/;
/** The year 10,000. Its date has more than ten characters. */
const end = Date.UTC(10_000, 0);

/** Whether the date in a text means one day. `06/07/2026` could mean two. */
export const hasClearDate = (text: string): boolean => unambiguousDate.test(text);

/** Reads a Unix timestamp, or an unambiguous date and time with a zone. Returns undefined for any other text. */
export const readInstant = (text: string): Date | undefined => {
  if (unixTime.test(text)) return new Date(Number(text) * (text.length === 10 ? 1000 : 1));
  const full = text.replace(basicIso, '$1-$2-$3T$4:$5');
  if (!timeWithZone.test(full) || !hasClearDate(full) || timeRange.test(full)) return undefined;
  const instant = new Date(full);
  return instant.getTime() < end ? instant : undefined;
};
