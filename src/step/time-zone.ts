/** An IANA time zone. Missing in Zapier's test tools. */
export type TimeZone = string | null | undefined;

const day = 24 * 60 * 60 * 1000;

const offsetFormat = (timeZone: TimeZone): Intl.DateTimeFormat | undefined => {
  try {
    return timeZone ? Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }) : undefined;
  } catch {
    return undefined;
  }
};

/** Whether there is a zone, and one that this machine knows. */
export const isKnownZone = (timeZone: TimeZone): boolean => offsetFormat(timeZone) !== undefined;

/** Returns a function from a time to the UTC offset of a zone, both in milliseconds. An unknown zone is UTC. */
const utcOffsetIn = (timeZone: TimeZone): ((time: number) => number) => {
  const format = offsetFormat(timeZone);
  if (!format) return () => 0;
  return (time) => {
    const [, sign, hours = 0, minutes = 0, seconds = 0] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(time)) ?? [];
    return (sign === '-' ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  };
};

/** Returns the date and time in a zone, such as `2026-06-12 14:30`; empty where `Date` ends. An unknown zone is UTC. */
export const formatInZone = (instant: Date, timeZone: TimeZone): string => {
  const time = instant.getTime();
  const local = new Date(time + utcOffsetIn(timeZone)(time));
  return local.toJSON()?.replace(/T(\d\d:\d\d).*/, ' $1') ?? '';
};

/**
 * Returns the first point in time at which the clock of a zone reaches a date (`YYYY-MM-DD`) and a time (`HH:MM`). If
 * the clock repeats that time, this is the first of the two. If it skips that time, this is when it does.
 */
export const instantInZone = (date: string, time: string, timeZone: TimeZone): Date => {
  const local = Date.parse(`${date}T${time}Z`);
  const utcOffset = utcOffsetIn(timeZone);
  const isReached = (instant: number): boolean => instant + utcOffset(instant) >= local;
  // An offset is shorter than a day, and no zone changes its offset twice within two days.
  const offsets = [local - day, local + day].map(utcOffset);
  let before = local - Math.max(...offsets);
  let after = local - Math.min(...offsets);
  if (isReached(before)) return new Date(before);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isReached(middle)) after = middle;
    else before = middle;
  }
  return new Date(after);
};

/** Returns the point in time a number of days before another, at the same time of day in a zone. */
export const daysBefore = (instant: Date, days: number, timeZone: TimeZone): Date => {
  const time = instant.getTime();
  const local = new Date(time + utcOffsetIn(timeZone)(time) - days * day).toISOString();
  return instantInZone(local.slice(0, 10), local.slice(11, -1), timeZone);
};
