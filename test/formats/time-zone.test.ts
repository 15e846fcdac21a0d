import fc from 'fast-check';
import { readDate, readDateTime, readTime } from '../../src/formats/local-time';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Names that `Intl` knows, but doesn't list. */
const aliases = ['US/Eastern', 'Asia/Calcutta', 'Europe/Kyiv', 'Europe/Belfast', 'GB', 'NZ-CHAT', 'EST5EDT', 'Zulu'];
const zones = [...Intl.supportedValuesOf('timeZone'), ...aliases, 'UTC', 'Etc/GMT+12', 'Etc/GMT-14', '+05:45'];

/** Zones and years in which a clock changed by a day, two hours or 20 minutes, at midnight, or to odd seconds. */
const remarkable: [zone: string, year: number][] = [
  ['Pacific/Apia', 2011],
  ['Pacific/Kwajalein', 1993],
  ['Asia/Manila', 1844],
  ['America/Juneau', 1867],
  ['America/St_Johns', 1988],
  ['America/Caracas', 2016],
  ['America/Sao_Paulo', 2018],
  ['America/Toronto', 1919],
  ['Asia/Pyongyang', 2018],
  ['Antarctica/Troll', 2025],
  ['Europe/Amsterdam', 1937],
  ['Africa/Monrovia', 1972],
  ['Africa/Casablanca', 2024],
];

beforeAll(() => {
  jest.useFakeTimers({ now: new Date('2026-06-12T12:00:00Z') });
});

afterAll(() => {
  jest.useRealTimers();
});

/** A clock tells what a zone shows at a time, as if it were UTC. Both are in milliseconds. */
type Clock = (time: number) => number;

const clockOf = (timeZone: string): Clock => {
  const date = { era: 'short', year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
  const format = Intl.DateTimeFormat('en-US', { timeZone, ...date, ...time });
  return (instant) => {
    const shown = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const year = shown.era === 'AD' ? Number(shown.year) : 1 - Number(shown.year);
    const midnight = new Date(0).setUTCFullYear(year, Number(shown.month) - 1, Number(shown.day));
    return midnight + Number(shown.hour) * hour + Number(shown.minute) * minute + Number(shown.second) * second;
  };
};

const clocks = new Map(zones.map((zone) => [zone, clockOf(zone)]));
const clockIn = (zone: string): Clock => clocks.get(zone) ?? clockOf(zone);

interface Change {
  zone: string;
  /** The first second with the new offset. */
  at: number;
  oldOffset: number;
  newOffset: number;
}

const changesIn = (zone: string, year: number): Change[] => {
  const offset: Clock = (time) => clockIn(zone)(time) - time;
  const weeks = Array.from({ length: 53 }, (_, index) => Date.UTC(year, 0) + index * 7 * day);
  return weeks.flatMap((start) => {
    let [before, at] = [start, start + 7 * day];
    const [oldOffset, newOffset] = [offset(before), offset(at)];
    if (oldOffset === newOffset) return [];
    while (at - before > second) {
      const middle = before + Math.floor((at - before) / 2 / second) * second;
      if (offset(middle) === oldOffset) before = middle;
      else at = middle;
    }
    return [{ zone, at, oldOffset, newOffset }];
  });
};

const changes = [...zones.map((zone): [string, number] => [zone, 2026]), ...remarkable].flatMap(([zone, year]) =>
  changesIn(zone, year),
);

/** Returns each hour from 3 hours before the first to 3 hours after the last time, and the seconds beside both. */
const timesAround = (first: number, last: number): number[] => {
  const hours = Array.from({ length: (last - first) / hour + 7 }, (_, index) => first + (index - 3) * hour);
  return [...hours, first - second, first + second, last - second, last, last + second];
};

const toText = (time: number): string => new Date(time).toISOString().slice(0, 19);

/** The date that a variable gets: the one in UTC of a midnight in UTC, and else the one in the zone. */
const dateOf = (time: number, zone: string): string =>
  toText(time % day === 0 ? time : clockIn(zone)(time)).slice(0, 10);

const timeOf = (time: number, zone: string): string => toText(clockIn(zone)(time)).slice(11, 16);

test('the changes of clocks include those that are remarkable', () => {
  for (const zone of [...remarkable.map(([each]) => each), 'Australia/Lord_Howe', 'US/Eastern', 'Europe/Amsterdam'])
    expect(changes.map((change) => change.zone)).toContain(zone);
  expect(changes.some(({ oldOffset, newOffset }) => newOffset - oldOffset === 30 * minute)).toBe(true);
  expect(changes.some(({ oldOffset, newOffset }) => Math.abs(newOffset - oldOffset) === day)).toBe(true);
  expect(changes.some(({ oldOffset }) => oldOffset % minute !== 0)).toBe(true);
});

test('a point in time is the date and the time that the clock of the zone shows, around every change', () => {
  const wrong = changes.flatMap(({ zone, at }) =>
    timesAround(at, at)
      .map((time): [string, string, number] => [zone, `${toText(time)}Z`, time])
      .filter(
        ([, text, time]) => readTime(text, zone) !== timeOf(time, zone) || readDate(text, zone) !== dateOf(time, zone),
      ),
  );
  expect(wrong).toEqual([]);
});

test('a local time is the first moment at which the clock reaches it, around every change', () => {
  const wrong = changes.flatMap(({ zone, at, oldOffset, newOffset }) => {
    const [first, last] = [at + Math.min(oldOffset, newOffset), at + Math.max(oldOffset, newOffset)];
    return timesAround(first, last)
      .map((local): [string, string, string | undefined, string] => {
        const beforeChange = local - oldOffset;
        const moment = beforeChange < at ? beforeChange : Math.max(at, local - newOffset);
        return [zone, toText(local), readDateTime(toText(local), zone)?.toJSON(), new Date(moment).toJSON()];
      })
      .filter(([, , read, expected]) => read !== expected);
  });
  expect(wrong).toEqual([]);
});

test.each([
  // In Amsterdam, the clock goes from 02:00 to 03:00, and in October from 03:00 to 02:00.
  ['2026-03-29 01:59', 'Europe/Amsterdam', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29 02:30', 'Europe/Amsterdam', '2026-03-29T01:00:00.000Z'],
  ['2026-03-29 03:00', 'Europe/Amsterdam', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25 02:30', 'Europe/Amsterdam', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25 03:00', 'Europe/Amsterdam', '2026-10-25T02:00:00.000Z'],
  ['2026-03-08 02:30', 'America/New_York', '2026-03-08T07:00:00.000Z'],
  ['2026-11-01 01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['2011-12-30 12:00', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  // This day began at 01:00.
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ['1972-01-01 12:00:10.250', 'Africa/Monrovia', '1972-01-01T12:44:40.250Z'],
])('the local time %s in %s is %s', (text, zone, moment) => {
  expect(readDateTime(text, zone)?.toJSON()).toBe(moment);
});

const anyZone = fc.constantFrom(...zones);
const anyTime = fc
  .date({ min: new Date('0001-01-03'), max: new Date('9998-12-30'), noInvalidDate: true })
  .map((date) => date.getTime());
/** From -12:00 to +14:00, in minutes. */
const anyOffset = fc.integer({ min: -12 * 4, max: 14 * 4 }).map((quarters) => quarters * 15);

const offsetText = (minutes: number, colon: string): string => {
  const clock = toText(Math.abs(minutes) * minute);
  return `${minutes < 0 ? '-' : '+'}${clock.slice(11, 13)}${colon}${clock.slice(14, 16)}`;
};

test('any point in time is read in any zone, whatever offset it is written with', () => {
  fc.assert(
    fc.property(anyTime, anyOffset, anyZone, (time, offset, zone) => {
      const iso = new Date(time + offset * minute).toISOString().slice(0, -1);
      const date = offset === 0 ? dateOf(time, zone) : toText(clockIn(zone)(time)).slice(0, 10);
      const texts = [
        `${iso}${offsetText(offset, ':')}`,
        `${iso.replace('T', ' ')} ${offsetText(offset, '')}`,
        `${iso}000${offsetText(offset, ':')} (a zone)`,
      ];
      for (const text of texts) {
        expect(readTime(text, zone)).toBe(timeOf(time, zone));
        expect(readDate(text, zone)).toBe(date);
        expect(readDateTime(text, zone)).toEqual(new Date(time));
      }
    }),
    { numRuns: 300 },
  );
});

test('any local time that the clock of a zone shows is read as a moment when it does', () => {
  fc.assert(
    fc.property(anyTime, anyZone, (time, zone) => {
      const local = clockIn(zone)(time);
      expect(clockIn(zone)(readDateTime(toText(local), zone)?.getTime() ?? 0)).toBe(local);
    }),
    { numRuns: 500 },
  );
});

const midnights = [
  '2026-06-12T00:00:00Z',
  '2026-06-12T00:00:00.000Z',
  '2026-06-12T00:00:00+00:00',
  '2026-06-12T00:00Z',
  '2026-06-12 00:00:00 UTC',
  '20260612T000000Z',
  'Fri, 12 Jun 2026 00:00:00 GMT',
  'Fri, 12 Jun 2026 00:00:00 +0000',
  'Fri Jun 12 00:00:00 +0000 2026',
  'Fri Jun 12 2026 00:00:00 GMT+0000 (Coordinated Universal Time)',
  'June 12, 2026 12:00 AM UTC',
  '1781222400',
  '1781222400000',
];

test.each(midnights)('midnight in UTC is that date in every zone: %s', (text) => {
  expect(zones.filter((zone) => readDate(text, zone) !== '2026-06-12')).toEqual([]);
});

test.each(midnights)('midnight in UTC is still a point in time, and has a time in the zone: %s', (text) => {
  expect(readTime(text, 'America/New_York')).toBe('20:00');
  expect(readDateTime(text, 'America/New_York')).toEqual(new Date('2026-06-12T00:00:00Z'));
});

test.each([
  '2026-06-11T23:59:59Z',
  '2026-06-12T00:00:00.001Z',
  '2026-06-12T00:00:01Z',
  '2026-06-12T02:00:00+02:00',
  '2026-06-11T20:00:00-04:00',
])('%s is converted to the zone, because it is no midnight in UTC or not written as one', (text) => {
  expect(readDate(text, 'America/New_York')).toBe('2026-06-11');
});
