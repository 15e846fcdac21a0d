/** What a text with a date or a time means in a time zone, also while its clock changes. */

import fc from 'fast-check';
import { readDate, readDateTime, readTime } from '../../src/message/dates';
import { formatInZone } from '../../src/step/time-zone';

const timeIn = (text: string, zone: string): string | undefined => readTime(text, zone).value;
const dateIn = (text: string, zone: string): string | undefined => readDate(text, zone).value;

describe('time zones', () => {
  const second = 1_000;
  const minute = 60 * second;
  const hour = 60 * minute;

  /** Names that `Intl` knows, but doesn't list. */
  const aliases = ['US/Eastern', 'Asia/Calcutta', 'Europe/Kyiv', 'Europe/Belfast', 'GB', 'NZ-CHAT', 'EST5EDT', 'Zulu'];
  const zones = [...Intl.supportedValuesOf('timeZone'), ...aliases, 'UTC', 'Etc/GMT+12', 'Etc/GMT-14', '+05:45'];

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

  const clocks = new Map<string, Clock>();
  const clockIn = (zone: string): Clock => {
    const clock = clocks.get(zone) ?? clockOf(zone);
    clocks.set(zone, clock);
    return clock;
  };

  /** When a clock was changed: by an hour, a day, two hours, or a part of an hour, at midnight, or to odd seconds. */
  const changes: [zone: string, at: string][] = [
    ['Europe/Amsterdam', '2026-03-29T01:00:00Z'],
    ['US/Eastern', '2026-11-01T06:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z'],
    ['America/Juneau', '1867-10-19T00:31:13Z'],
    ['America/St_Johns', '1988-10-30T01:31:00Z'],
    ['America/Caracas', '2016-05-01T07:00:00Z'],
    ['America/Sao_Paulo', '2018-02-18T02:00:00Z'],
    ['America/Sao_Paulo', '2018-11-04T03:00:00Z'],
    ['Antarctica/Troll', '2025-03-30T01:00:00Z'],
    ['Africa/Monrovia', '1972-01-07T00:44:30Z'],
    ['Africa/Casablanca', '2024-03-10T02:00:00Z'],
  ];

  /** Returns each hour from 3 hours before the first to 3 hours after the last time, and the seconds beside both. */
  const timesAround = (first: number, last: number): number[] => {
    const hours = Array.from({ length: (last - first) / hour + 7 }, (_, index) => first + (index - 3) * hour);
    return [...hours, first - second, first + second, last - second, last, last + second];
  };

  const toText = (time: number): string => new Date(time).toISOString().slice(0, 19);

  /** Whether a program wrote the time for lack of a date, or it's long ago or far ahead. */
  const isUnlikely = (time: number): boolean => {
    const year = new Date(time).getUTCFullYear();
    return time === 0 || year < 1901 || year > new Date().getUTCFullYear() + 100;
  };

  test.each([
    ['America/New_York', '2026-06-12 08:30'],
    ['US/Eastern', '2026-06-12 08:30'],
    [null, '2026-06-12 12:30'],
    [undefined, '2026-06-12 12:30'],
    ['', '2026-06-12 12:30'],
    ['Mars/Olympus', '2026-06-12 12:30'],
  ])('the clock of the zone %j shows %s, that of an unknown one UTC', (zone, shown) => {
    expect(formatInZone(new Date('2026-06-12T12:30:00Z'), zone)).toBe(shown);
  });

  test.each(changes)('a local time is the first moment at which the clock of %s reaches it, around %s', (zone, iso) => {
    const at = Date.parse(iso);
    const [before, after] = [clockIn(zone)(at - second) + second, clockIn(zone)(at)];
    for (const local of timesAround(Math.min(before, after), Math.max(before, after))) {
      const wanted = local < before ? at - before + local : Math.max(at, at - after + local);
      expect([toText(local), readDateTime(toText(local), zone)]).toEqual([toText(local), new Date(wanted)]);
    }
  });

  test.each([
    // In Amsterdam, the clock goes from 02:00 to 03:00, and in October from 03:00 to 02:00.
    ['2026-03-29 02:30', 'Europe/Amsterdam', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25 02:30', 'Europe/Amsterdam', '2026-10-25T00:30:00.000Z'],
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
        const texts = [
          `${iso}${offsetText(offset, ':')}`,
          `${iso.replace('T', ' ')} ${offsetText(offset, '')}`,
          `${iso}000${offsetText(offset, ':')}`,
        ];
        for (const text of texts) expect(readDateTime(text, zone)).toEqual(new Date(time));
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

  const midnights = ['2026-06-12T00:00:00Z', '20260612T000000Z', 'June 12, 2026 12:00 AM UTC', '1781222400'];

  test.each(midnights)('midnight in UTC is a date only where that day is the same, and no time: %s', (text) => {
    expect(dateIn(text, 'Europe/Amsterdam')).toBe('2026-06-12');
    expect(readDate(text, 'America/New_York')).toEqual({ doubt: 'two days' });
    expect(readTime(text, 'America/New_York')).toEqual({ doubt: 'no time' });
    expect([dateIn(text, 'UTC'), timeIn(text, 'UTC')]).toEqual(['2026-06-12', '00:00']);
    expect(readDateTime(text, 'America/New_York')).toEqual(new Date('2026-06-12T00:00:00Z'));
  });

  test('a date and time with an offset is one of the zone, or in doubt when it can be two', () => {
    fc.assert(
      fc.property(anyTime, fc.boolean(), anyOffset, anyZone, (time, isMidnight, minutes, zone) => {
        const offset = offsetText(minutes, ':');
        const written = `${toText(time).slice(0, 10)}${isMidnight ? 'T00:00:00' : toText(time).slice(10)}`;
        const instant = Date.parse(written + offset);
        fc.pre(!isUnlikely(Date.parse(`${written}Z`)) && instant !== 0);
        const local = toText(clockIn(zone)(instant));
        const isPlain = written.endsWith('T00:00:00');
        const isSameDay = local.slice(0, 10) === written.slice(0, 10);
        expect(readDate(written + offset, zone)).toEqual(
          isPlain && !isSameDay ? { doubt: 'two days' } : { value: local.slice(0, 10) },
        );
        const isSameTime = local.slice(11, 16) === '00:00';
        expect(readTime(written + offset, zone)).toEqual(
          isPlain && !isSameTime ? { doubt: 'no time' } : { value: local.slice(11, 16) },
        );
      }),
      { numRuns: 500 },
    );
  });

  test.each([undefined, null, '', 'Mars/Phobos'])(
    'in the zone %j, the clock of the text counts, unless it is UTC',
    (zone) => {
      for (const offset of ['-07:00', '+02:00', '+05:45']) {
        expect(readTime(`2026-06-12T19:00:00${offset}`, zone)).toEqual({ value: '19:00' });
        expect(readDate(`2026-06-12T23:30:00${offset}`, zone)).toEqual({ value: '2026-06-12' });
      }
      for (const read of [readTime, readDate]) {
        expect(read('2026-06-12T19:00:00Z', zone)).toEqual({ doubt: 'no zone' });
        expect(read('1781267400', zone)).toEqual({ doubt: 'no zone' });
      }
      expect(readTime('2026-06-12 19:00', zone)).toEqual({ value: '19:00' });
    },
  );

  test.each([
    '0001-01-01T00:00:00Z',
    '1899-12-30T14:30:00Z',
    '1970-01-01T00:00:00Z',
    '1970-01-01T01:00:00+01:00',
    '2569-06-12 14:30',
  ])('a program wrote %s in place of a date and a time', (text) => {
    for (const read of [readDate, readTime]) expect(read(text, 'Europe/Amsterdam')).toEqual({ doubt: 'unlikely year' });
  });

  test.each(['1901-01-01', '1970-01-01', '1950-12-31 09:00', '2126-12-31'])('people mean %s', (text) => {
    expect(dateIn(text, 'Europe/Amsterdam')).toBe(text.slice(0, 10));
  });

  test.each(['2026-06-11T23:59:59Z', '2026-06-12T00:00:00.001Z', '2026-06-12T02:00:00+02:00'])(
    '%s is converted to the zone, because it is no midnight in UTC or not written as one',
    (text) => {
      expect(dateIn(text, 'America/New_York')).toBe('2026-06-11');
    },
  );
});
