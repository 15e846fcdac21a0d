/** An IANA time zone. Missing in Zapier's test tools. */
export type TimeZone = string | null | undefined;

const isTimeZone = (timeZone: string): boolean => {
  try {
    return Boolean(Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
};

/** Returns the date and time in a zone, such as `2026-06-12 14:30`. Uses UTC for an unknown zone. */
export const formatInZone = (instant: Date, timeZone: TimeZone): string => {
  if (!timeZone || !isTimeZone(timeZone)) return instant.toISOString().slice(0, 16).replace('T', ' ');
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  // Some programs write year 1 for a missing date.
  return format.format(instant).padStart(16, '0');
};

/** Returns the UTC offset of a zone at a time, in milliseconds. */
const utcOffset = (time: number, timeZone: TimeZone): number =>
  Date.parse(`${formatInZone(new Date(time), timeZone).replace(' ', 'T')}Z`) - time;

/** Returns the point in time of a date (`YYYY-MM-DD`) and a time of day (`HH:MM`) in a zone. */
export const instantInZone = (date: string, time: string, timeZone: TimeZone): Date => {
  const localTime = Date.parse(`${date}T${time}Z`);
  // The first result may be an hour off near a clock change, so its offset is looked up again.
  const estimate = localTime - utcOffset(localTime, timeZone);
  return new Date(localTime - utcOffset(estimate, timeZone));
};
