/** The day on which the examples of the recipes happen, and where. */
const exampleDay = Date.UTC(2026, 5, 11);
export const timeZone = 'America/New_York';

const dayMs = 24 * 60 * 60 * 1000;

const wallClock = new Intl.DateTimeFormat('en-CA', {
  timeZone,
  dateStyle: 'short',
  timeStyle: 'medium',
  hourCycle: 'h23',
});

/** What a clock in the zone of the examples shows, in ms since 1970 as if it were UTC. */
const wallTime = (at: number): number => Date.parse(`${wallClock.format(at).replace(', ', 'T')}Z`);

/** When a clock in the zone of the examples shows this time, in ms since 1970 as if it were UTC. */
export const momentOf = (wall: number): number => wall - (wallTime(wall) - wall);

const isoOffset = (ms: number): string => {
  const minutes = Math.abs(ms) / 60_000;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => `${part}`.padStart(2, '0'));
  return `${ms < 0 ? '-' : '+'}${hours}:${rest}`;
};

const written = /\b2026-06-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:?\d\d))?/g;

/** Returns a text whose dates are as far from today as they were from the day of the examples, at the same hour. */
export const moveDates = (text: string, now: number): string => {
  const days = Math.round((Math.floor(wallTime(now) / dayMs) * dayMs - exampleDay) / dayMs);
  return text.replace(written, (found, zone: string | undefined) => {
    if (!zone) return new Date(Date.parse(found) + days * dayMs).toISOString().slice(0, 10);
    const wall = wallTime(Date.parse(found.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))) + days * dayMs;
    const moment = momentOf(wall);
    if (zone === 'Z') return new Date(moment).toISOString().replace('.000Z', 'Z');
    return new Date(wall).toISOString().replace('.000Z', isoOffset(wall - moment));
  });
};
