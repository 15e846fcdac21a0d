/** Dates, times and time zones. */

import fc from 'fast-check';
import { plainFields, visibleStepsOf } from '../../lab/zapier/core/app-definition';
import { currentApp } from '../../scripts/docs/definition';
import { readDate, readDateTime, readTime } from '../../src/message/dates';
import { readMoment } from '../../src/step/range-fields';
import { formatInZone } from '../../src/step/time-zone';
import { expectHalt } from '../support/halt';
import { authData } from '../support/service';
import { isWide } from '../support/width';
import { runStep } from '../support/zapier';

const timeIn = (text: string, zone: string): string | undefined => readTime(text, zone).value;
const dateIn = (text: string, zone: string): string | undefined => readDate(text, zone).value;

describe('dates and times', () => {
  beforeAll(() => {
    jest.useFakeTimers({ now: new Date('2026-06-12T12:00:00Z') });
  });

  afterAll(() => {
    jest.useRealTimers();
  });

  test.each([
    ['12 Jun 2026 12:30:00 GMT', '14:30'],
    ['2026-06-12 12:30:00 +0000', '14:30'],
    ['20260612T123000Z', '14:30'],
    ['2026-06-12T10:00-12:00', '00:00'],
    ['June 12, 2026 at 2:30:00 PM GMT+0200', '14:30'],
  ])('reads the time %j as %s, in the time zone of the Zap', (text, time) => {
    expect(timeIn(text, 'Europe/Amsterdam')).toBe(time);
  });

  test.each([
    'soon',
    '13:30 pm',
    '2026-06-12',
    '05/06/2026 10:00:00 GMT',
    '06/12/2026 14:30',
    '14:30 Uhr',
    '12 June 2026 kl. 14:30',
    'Fri, 12 Jun 2026 12:30:00 GMT',
    'Fri Jun 12 12:30:00 +0000 2026',
    '2026-06-12 10:00-12:00',
    '2026-06-12 10:00 UTC+2',
    '2026-06-12 14:30 or 15',
    'Fri Jun 12 10:00 2026 to 12:00',
    '2026-02-30T10:00:00Z',
    '2026-06-12T24:00:00Z',
    '12 Jun 2026 10:00-1200',
    // No zone is so far from UTC.
    '2026-06-12T10:00-16:00',
    '2026-06-12T10:00+14:75',
    '12 June 2026 23:30 EST',
    '12 May June 2026 10:00 UTC',
    '2026-06-12 12 10:00 UTC',
    '12 June 2026 until 14:30',
    '9999-12-31T23:59:59Z',
  ])('finds no time in %j', (text) => {
    expect(timeIn(text, 'Europe/Amsterdam')).toBeUndefined();
  });

  test.each([
    ['2026-06-12T01:30:00+09:00', '2026-06-11'],
    ['12.06.2026 14:30', '2026-06-12'],
    ['12.6.2026, 14:30:00', '2026-06-12'],
  ])('reads the date %j as %s, in the time zone of the Zap', (text, date) => {
    expect(dateIn(text, 'Europe/Amsterdam')).toBe(date);
  });

  test.each([
    '12-06-2026',
    'tomorrow',
    '',
    '2026-6-1',
    '12.06.26',
    '12-14 June 2026',
    '12.06.2026 bis 14.06.2026',
    '12 June 202612 June 2026',
    // Finnish for November.
    '12. marraskuuta 2026',
    'Friday, June 12, 2026',
    '12 June 2026 10:00-12:00',
    // These have no year, or two digits of one, which could be the day.
    '12 June 10:00 GMT',
    '26 Jun 12 10:00 GMT',
    '2026-06-12 and 13',
    '2026-06-12 25:00',
    '2026-06-12 01:00:00+02',
    '12 June 2026 23:30 PST',
    // A phone number of Singapore or Denmark looks the same.
    '20261231',
    '2026-1231',
    '0000-01-01T00:00:00Z',
    '9999-12-31',
  ])('finds no certain date and no time in %j', (text) => {
    expect(dateIn(text, 'Europe/Amsterdam')).toBeUndefined();
    expect(timeIn(text, 'Europe/Amsterdam')).toBeUndefined();
  });

  test.each([
    // The clock goes forward at 02:00.
    ['2026-03-29 01:30', '2026-03-29T00:30:00.000Z'],
    ['20260612T123045Z', '2026-06-12T12:30:45.000Z'],
    ['20260612T1430', '2026-06-12T12:30:00.000Z'],
    ['2026-06-12 14:30:45', '2026-06-12T12:30:45.000Z'],
    ['2026-06-12', '2026-06-11T22:00:00.000Z'],
  ])('reads the moment %j as %s, in the time zone of the Zap', (text, moment) => {
    expect(readDateTime(text, 'Europe/Amsterdam')?.toJSON()).toBe(moment);
  });

  test.each(['2026-06-12 09:00 to 11:00', '2026-06-12 10:00:00+02', '2026-06-12T1000Z', '2026-06-12 noon'])(
    'finds no certain moment in %j',
    (text) => {
      expect(readDateTime(text, 'Europe/Amsterdam')).toBeUndefined();
    },
  );

  test('tells a point in time in UTC where the zone is not known', () => {
    const instant = new Date('2026-06-12T12:30:00Z');
    for (const unknown of [null, undefined, '', 'Mars/Olympus'])
      expect(formatInZone(instant, unknown)).toBe('2026-06-12 12:30');
    for (const zone of ['America/New_York', 'US/Eastern']) expect(formatInZone(instant, zone)).toBe('2026-06-12 08:30');
  });

  test.each([
    ['2001-09-09T01:46:40.000Z', 'the first second of ten digits'],
    ['2031-06-12T12:00:00.000Z', 'five years from now'],
  ])('reads a Unix time in seconds and in milliseconds: %s, %s', (moment) => {
    const milliseconds = Date.parse(moment);
    for (const text of [String(milliseconds), String(milliseconds / 1_000)]) {
      expect(readDateTime(text, 'Asia/Tokyo')?.toJSON()).toBe(moment);
      expect(dateIn(text, 'UTC')).toBe(moment.slice(0, 10));
      expect(timeIn(text, 'UTC')).toBe(moment.slice(11, 16));
    }
  });

  /** Digits that could be a Unix time, and others. */
  const digits = fc.oneof(
    fc.stringMatching(/^\d{7,15}$/),
    fc.stringMatching(/^\d{10}$/),
    fc.stringMatching(/^\d{13}$/),
    fc.constantFrom('999999999', '0999999999', '1939032001', '1939032000001', '2125550123', '4917612345678'),
  );
  const isUnixTime = (text: string): boolean =>
    (/^[1-9]\d{9}$/.test(text) && Number(text) <= 1_939_032_000) ||
    (/^[1-9]\d{12}$/.test(text) && Number(text) <= 1_939_032_000_000);

  test('takes digits for a time only from 2001 to five years from now', () => {
    fc.assert(
      fc.property(digits, (text) => {
        const isRead = isUnixTime(text);
        expect(readDateTime(text, 'UTC') !== undefined).toBe(isRead);
        expect(timeIn(text, 'UTC') !== undefined).toBe(isRead);
        expect(dateIn(text, 'UTC') !== undefined).toBe(isRead);
      }),
      { numRuns: 2_000 },
    );
  });

  const pad = (number: number): string => String(number).padStart(2, '0');

  /** The spellings of a time of day. */
  const timeTexts = (hour: number, minute: number): string[] => {
    const [hour12, half] = [hour % 12 || 12, hour < 12 ? 'am' : 'pm'];
    const times = [`${hour}:${pad(minute)}`, `${pad(hour)}:${pad(minute)}`, `${hour}.${pad(minute)}`];
    const times12 = [`${hour12}:${pad(minute)}`, `${pad(hour12)}.${pad(minute)}`, ...(minute === 0 ? [hour12] : [])];
    return [
      ...times,
      `${pad(hour)}:${pad(minute)}:59`,
      `${pad(hour)}:${pad(minute)}:00.123`,
      ...times12.flatMap((time) => [`${time}${half}`, `${time} ${half.toUpperCase()}`, `${time}\u202f${half[0]}.m.`]),
      `${hour12}:${pad(minute)}:00 ${half}`,
      `${hour12}:${pad(minute)} ${half[0]}`,
    ];
  };

  /** Each minute of the day. In `npm test` each whole hour, and each minute of an hour four times. */
  const minutes = Array.from({ length: 24 * 60 }, (_, index) => ({
    hour: Math.floor(index / 60),
    minute: index % 60,
  })).filter(({ minute }, index) => isWide || minute === 0 || index % 7 === 0);

  test('reads each minute of the day in each spelling, alone and after a date', () => {
    const dates = [
      '',
      '2026-06-12 ',
      '2026-06-12T',
      '2026/06/12 ',
      '12.06.2026 ',
      '12.6.2026, ',
      'June 12, 2026 at ',
      '12 Jun 2026, ',
    ];
    const wrong = minutes.flatMap(({ hour, minute }) => {
      const texts = timeTexts(hour, minute).flatMap((time, index) => [
        time,
        `${dates[(index + minute) % dates.length]}${time}`,
      ]);
      return texts.filter((text) => timeIn(text, 'Asia/Tokyo') !== `${pad(hour)}:${pad(minute)}`);
    });
    expect(wrong).toEqual([]);
  });

  const monthNames = 'January February March April May June July August September October November December'.split(' ');

  /** The spellings of a day, which may not exist. */
  const dateTexts = (year: number, month: number, day: number): string[] => {
    const name = monthNames[month - 1] ?? '';
    const short = name.slice(0, 3);
    return [
      `${year}-${pad(month)}-${pad(day)}`,
      `${year}/${pad(month)}/${pad(day)}`,
      `${day}.${month}.${year}`,
      `${pad(day)}.${pad(month)}.${year}`,
      `${day} ${name} ${year}`,
      `${pad(day)} ${short.toUpperCase()} ${year}`,
      `${day}. ${name} ${year}`,
      `${pad(day)}-${short}-${year}`,
      `${name} ${day}, ${year}`,
      `${short}. ${pad(day)} ${year}`,
    ];
  };

  /** The last days of the months, by a table of its own. */
  const lastDays = (year: number): number[] => {
    const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
    return [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  };

  test('reads each day of a year in each spelling, and no day that does not exist', () => {
    // In `npm test` each February, and every month of one year.
    const months = [1901, 2000, 2024, 2026, 2027, 2100].flatMap((year) =>
      lastDays(year)
        .map((lastDay, index) => ({ year, month: index + 1, lastDay }))
        .filter(({ month }) => isWide || month === 2 || year === 2027),
    );
    const wrong = months.flatMap(({ year, month, lastDay }) =>
      Array.from({ length: 33 }, (_, day) => {
        const [iso, ...others] = dateTexts(year, month, day);
        const expected = day >= 1 && day <= lastDay ? iso : undefined;
        const times = ['', ' 23:59', ', 9:00 am', ' at 10:00'];
        const texts = [`${iso}`, ...others].map((text, spelling) => `${text}${times[(day + spelling) % times.length]}`);
        return texts.filter((text) => dateIn(text, 'America/New_York') !== expected);
      }).flat(),
    );
    expect(wrong).toEqual([]);
  });

  test('reads no date in numbers that could mean two days, however it is written', () => {
    const number = fc.integer({ min: 1, max: 31 }).chain((day) => fc.constantFrom(String(day), pad(day)));
    const year = fc.constantFrom('2026', '26', '06', '12');
    const around = fc.constantFrom(
      ['', ''],
      ['', ' 14:30'],
      ['', ' 2:30 pm'],
      ['Fri ', ''],
      ['', 'T10:00:00Z'],
      ['', ' 10:00 GMT'],
    );
    fc.assert(
      fc.property(
        number,
        number,
        year,
        fc.constantFrom('/', '-', ' ', '.'),
        around,
        (first, second, year, dash, [before, after]) => {
          fc.pre(dash !== '.' || year.length === 2);
          for (const parts of [
            [first, second, year],
            [year, first, second],
          ].slice(0, year.length === 2 ? 2 : 1))
            expect(dateIn(`${before}${parts.join(dash)}${after}`, 'Europe/Amsterdam')).toBeUndefined();
        },
      ),
      { numRuns: 1_000 },
    );
  });

  /** Spellings in which digits are a date, and a time after it. */
  const isDateText = (text: string): boolean =>
    /^(\d{4}([-/])\d\d\2\d\d|\d{1,2}([-/.])\d{1,2}\3\d{4}|\d{4}([-/.])\d{1,2}\4\d{1,2})(\s\d{1,2}\.\d\d)?$/.test(text);

  test('reads no phone number as a time, a date or a moment', () => {
    const separator = fc.constantFrom('', '', '', ' ', '-', '.', '/', ')', ' (');
    const start = fc.constantFrom('', '', '', '+', '00', '0', '(0', '(', 'tel:', '+ ');
    const phoneNumber = fc
      .tuple(start, fc.array(fc.tuple(fc.stringMatching(/^\d$/), separator), { minLength: 7, maxLength: 15 }))
      .map(([start, pairs]) => `${start}${pairs.flat().join('')}`.trim())
      .filter((text) => !isUnixTime(text) && !isDateText(text));
    fc.assert(
      fc.property(phoneNumber, (text) => {
        expect([timeIn(text, 'UTC'), dateIn(text, 'UTC'), readDateTime(text, 'UTC')]).toEqual([
          undefined,
          undefined,
          undefined,
        ]);
      }),
      { numRuns: 5_000 },
    );
  });

  const integer = (max: number) => fc.integer({ min: 0, max }).map(String);
  const time = fc
    .record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) })
    .chain(({ hour, minute }) => fc.constantFrom(...timeTexts(hour, minute)));
  const join = (...parts: (fc.Arbitrary<string> | string)[]): fc.Arbitrary<string> =>
    fc
      .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
      .map((each) => each.join(''));
  const money = join(integer(30), '.', fc.stringMatching(/^\d\d$/));

  const range = join(
    time,
    fc.constantFrom('-', ' - ', '–', ' – ', '—', ' to ', ' bis ', ' and ', '/', ', ', ' ', ' or '),
    time,
  );

  /** Texts that look a bit like a time, and are none. */
  const otherTexts: Record<string, fc.Arbitrary<string>> = {
    'a price with its currency': fc.oneof(
      join(fc.constantFrom('$', '€', '£', 'EUR ', 'USD ', 'kr '), money),
      join(money, fc.constantFrom('€', ' €', ' EUR', ' USD', ' kr', 'p', ' p', '¢', '%', ' per person')),
      join(integer(23), 'p'),
    ),
    'a number': fc.oneof(
      integer(99_999),
      join(integer(99), ',', integer(999)),
      join(integer(99), '.', integer(9)),
      join(integer(99), '.', fc.stringMatching(/^\d{3,6}$/)),
      join(integer(99), ',', fc.stringMatching(/^\d{3}\.\d\d$/)),
      join('-', money),
    ),
    'a version': fc.oneof(
      join(integer(30), '.', integer(30), '.', integer(30)),
      join(integer(30), '.', integer(30), '.', integer(30), '.', integer(9_999)),
      join(fc.constantFrom('v', 'V', 'version '), money),
      join(money, fc.constantFrom('-beta', 'rc1', '-SNAPSHOT', '+build', '.x', 'a1')),
    ),
    'an IP address': join(
      integer(255),
      '.',
      integer(255),
      '.',
      integer(255),
      '.',
      integer(255),
      fc.constantFrom('', ':80', ':14', '/24'),
    ),
    'a range of times': range,
    'a duration': fc.oneof(
      join(integer(23), fc.constantFrom('h', ' h', ' hours', ' min', "'", 'd', ' days')),
      join(integer(23), 'h', fc.constantFrom('', ' '), integer(59), fc.constantFrom('', 'm', ' min')),
      join(fc.constantFrom('PT', 'P1DT'), integer(23), 'H', integer(59), 'M'),
      join(time, fc.constantFrom(' h', 'h', ' hours', ' min', ' hrs')),
      join(fc.constantFrom('-', '+', '~', 'about ', '1 day '), time),
      join(fc.integer({ min: 24, max: 99 }).map(String), ':', fc.integer({ min: 0, max: 59 }).map(pad)),
      join(integer(23), ':', fc.integer({ min: 60, max: 99 }).map(String)),
      join(integer(23), ':30:', fc.integer({ min: 60, max: 99 }).map(String)),
    ),
    'a ratio or a score': join(integer(99), ':', integer(9)),
    'an address': fc.oneof(join(integer(99), fc.constantFrom('a', 'A', ' a', 'p')), join('Main St ', integer(99), 'a')),
    'a time with more around it': fc.oneof(
      join(time, ' ', fc.constantFrom('EST', 'CET', 'PDT', 'AZ', 'tomorrow', 'UTC', 'Z', '+02:00', '?', 'x')),
      join(fc.constantFrom('tomorrow ', 'at ', 'from ', 'Friday ', '12 June ', 'before '), time),
    ),
  };

  test.each(Object.entries(otherTexts))('reads neither a time nor a date in %s', (_name, text) => {
    fc.assert(
      fc.property(text, (each) => {
        expect([each, timeIn(each, 'UTC'), dateIn(each, 'UTC')]).toEqual([each, undefined, undefined]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('reads no time and no moment in a range of times on a date', () => {
    const dates = fc.constantFrom('2026-06-12 ', '12.06.2026, ', '06/12/2026 ', '12 June 2026 at ', 'June 12, 2026 ');
    // After seconds, `-08:15` is an offset.
    const dated = join(dates, range).filter((text) => !/:\d\d(\.\d+)?-\d\d:\d\d$/.test(text.replace(/\d:\d\d/, '')));
    fc.assert(
      fc.property(dated, (text) => {
        expect([text, timeIn(text, 'UTC'), readDateTime(text, 'UTC')]).toEqual([text, undefined, undefined]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('moments in words', () => {
  const minute = 60_000;
  const hour = 60 * minute;
  const day = 24 * hour;

  const now = new Date('2026-06-12T10:20:30.400Z');
  const zone = 'Europe/Amsterdam';
  const read = (text: string, timeZone: string | undefined = zone, at = now) =>
    readMoment(text, timeZone, at)?.toJSON();

  test.each([
    ['1 hour ago', '2026-06-12T09:20:30.400Z'],
    ['a week ago', '2026-06-05T10:20:30.400Z'],
    ['one week ago', '2026-06-05T10:20:30.400Z'],
    ['yesterday at 5 pm', '2026-06-11T15:00:00.000Z'],
    ['2026-06-11 09:00', '2026-06-11T07:00:00.000Z'],
    ['2026-06-11T09:00:00Z', '2026-06-11T09:00:00.000Z'],
  ])('reads "%s" in Amsterdam', (text, moment) => {
    expect(read(text)).toBe(moment);
  });

  const refused = [
    '0 hours ago',
    '-2 hours ago',
    '1.5 hours ago',
    '12345 hours ago',
    'two hours ago',
    'in 24 hours',
    '1 month ago',
    '2 hours 30 minutes ago',
    'tomorrow',
    'yesterday 10:00-12:00',
    'yesterday at 17:00 +02:00',
    'yesterdays',
    '06/07/2026',
    '202-555-0123',
  ];

  test.each(refused)('refuses "%s"', (text) => {
    expect(read(text)).toBeUndefined();
  });

  test.each([
    ['a day of 23 hours', '2026-03-29T10:00:00Z', '1 day ago', '2026-03-28T11:00:00.000Z'],
    ['a day of 25 hours', '2026-10-25T11:00:00Z', '1 day ago', '2026-10-24T10:00:00.000Z'],
    ['a time that the clock skipped', '2026-03-30T00:30:00Z', '1 day ago', '2026-03-29T01:00:00.000Z'],
    ['a week with the change', '2026-04-01T10:00:00Z', 'a week ago', '2026-03-25T11:00:00.000Z'],
    ['the day of the change', '2026-03-29T10:00:00Z', 'today', '2026-03-28T23:00:00.000Z'],
  ])('counts %s', (_what, at, text, moment) => {
    expect(read(text, zone, new Date(at))).toBe(moment);
  });

  test('yesterday is the day before in the time zone of the Zap, not in UTC', () => {
    const at = new Date('2026-06-12T02:00:00Z');
    expect(read('yesterday', 'America/New_York', at)).toBe('2026-06-10T04:00:00.000Z');
    expect(readMoment('yesterday', undefined, at)?.toJSON()).toBe('2026-06-11T00:00:00.000Z');
  });

  const anyZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const anyNow = fc.date({ min: new Date('2024-01-01'), max: new Date('2034-01-01'), noInvalidDate: true });
  const anyCount = fc.integer({ min: 1, max: 9999 });
  const space = fc.constantFrom('', ' ', '  ', '\u00a0');
  const cased = (text: string) =>
    fc.constantFrom(text, text.toUpperCase(), text.slice(0, 1).toUpperCase() + text.slice(1));

  test('minutes and hours ago are exact in every zone and spelling', () => {
    const units = fc.constantFrom(
      ...['min', 'mins', 'minute', 'minutes'].map((name) => ({ name, ms: minute })),
      ...['hr', 'hrs', 'hour', 'hours'].map((name) => ({ name, ms: hour })),
    );
    fc.assert(
      fc.property(anyNow, anyZone, anyCount, units, space, (at, timeZone, count, { name, ms }, gap) => {
        const moment = readMoment(`${count}${gap}${name} ago`, timeZone, at);
        expect(at.getTime() - (moment?.getTime() ?? 0)).toBe(count * ms);
      }),
    );
  });

  /** The date that a clock in the zone shows, some days earlier. */
  const dateBefore = (at: Date, timeZone: string, days: number): string =>
    new Date(Date.parse(formatInZone(at, timeZone).slice(0, 10)) - days * day).toISOString().slice(0, 10);

  test('days and weeks ago have the same time of day in every zone, or the next that its clock shows', () => {
    const units = fc.constantFrom({ name: 'days', days: 1 }, { name: 'weeks', days: 7 });
    fc.assert(
      fc.property(anyNow, anyZone, fc.integer({ min: 1, max: 60 }), units, (at, timeZone, count, { name, days }) => {
        // Before every other time, if it's none.
        const moment = readMoment(`${count} ${name} ago`, timeZone, at) ?? new Date(0);
        const wanted = `${dateBefore(at, timeZone, count * days)} ${formatInZone(at, timeZone).slice(11)}`;
        const shown = formatInZone(moment, timeZone);
        // A minute before, the clock shows an earlier time, unless it skipped the wanted one.
        expect(shown >= wanted).toBe(true);
        expect(formatInZone(new Date(moment.getTime() - minute), timeZone) < wanted).toBe(true);
        expect(moment < at).toBe(true);
      }),
    );
  });

  test('today and yesterday are the dates of the zone, with any time of day, in every spelling', () => {
    const names = fc.constantFrom({ name: 'today', days: 0 }, { name: 'yesterday', days: 1 });
    const times = fc.constantFrom('', ' 17:00', ' at 17:00', ', 5 pm', ' 00:30', ' 23:59:59');
    const spelled = names.chain(({ name, days }) => cased(name).map((text) => ({ text, days })));
    fc.assert(
      fc.property(anyNow, anyZone, spelled, times, (at, timeZone, { text, days }, time) => {
        const date = dateBefore(at, timeZone, days);
        expect(readMoment(text + time, timeZone, at)).toEqual(readDateTime(date + time, timeZone));
      }),
    );
  });

  test('a text of other words is no time, and never now', () => {
    const words = fc.array(fc.constantFrom('ago', 'hour', 'hours', '1', '24', 'today', 'at', 'now', 'last', 'banana'), {
      minLength: 1,
      maxLength: 5,
    });
    const isTime = /^((24|1) hours? ago|today)$/;
    fc.assert(
      fc.property(
        words.map((list) => list.join(' ')).filter((text) => !isTime.test(text)),
        (text) => {
          expect(readMoment(text, zone, now)).toBeUndefined();
        },
      ),
    );
  });

  const momentFields = visibleStepsOf(currentApp).flatMap(({ place, step }) =>
    plainFields(step)
      .filter(({ key }) => ['after', 'quiet_since'].includes(key))
      .map(({ key, label, type }) => ({ place, key, label, type })),
  );

  test.each(momentFields)('$place: "$label" keeps what was typed, and refuses what is no time', async (field) => {
    // Zapier converts what is typed into a field for dates.
    expect(field.type).toBe('string');
    const inputData = { phone: '+12025550123', [field.key]: 'banana' };
    await expectHalt(
      runStep(`${field.place}.operation.perform`, { authData, inputData }),
      `${field.label}: "banana" isn't a time. Enter one such as 24 hours ago, yesterday or 2026-06-11 09:00.`,
    );
  });
});

describe('time zones', () => {
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

  const clocks = new Map<string, Clock>();
  const clockIn = (zone: string): Clock => {
    const clock = clocks.get(zone) ?? clockOf(zone);
    clocks.set(zone, clock);
    return clock;
  };

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

  const someZones = zones.filter((_, index) => isWide || index % 24 === 0);
  const asked = [...someZones, 'Australia/Lord_Howe', 'US/Eastern', 'Europe/Amsterdam'].map(
    (zone): [string, number] => [zone, 2026],
  );
  const changes = [...asked, ...remarkable].flatMap(([zone, year]) => changesIn(zone, year));

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

  /** The date that a variable gets: that in the zone, unless it's midnight in UTC, and another day there. */
  const dateOf = (time: number, zone: string): string | undefined => {
    const date = toText(clockIn(zone)(time)).slice(0, 10);
    const isTwoDays = time % day === 0 && date !== toText(time).slice(0, 10);
    return isTwoDays || isUnlikely(time) ? undefined : date;
  };

  /** The time that a variable gets: that in the zone, unless it's midnight in UTC, and another time there. */
  const timeOf = (time: number, zone: string): string | undefined => {
    const local = toText(clockIn(zone)(time)).slice(11, 16);
    return (time % day === 0 && local !== '00:00') || isUnlikely(time) ? undefined : local;
  };

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
          ([, text, time]) => timeIn(text, zone) !== timeOf(time, zone) || dateIn(text, zone) !== dateOf(time, zone),
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

  const midnights = [
    '2026-06-12T00:00:00Z',
    '2026-06-12 00:00:00 UTC',
    '20260612T000000Z',
    '12 Jun 2026 00:00:00 GMT',
    'June 12, 2026 12:00 AM UTC',
    '1781222400',
  ];

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
    '1405-03-22',
    '1899-12-30T14:30:00Z',
    '1970-01-01T00:00:00Z',
    '1970-01-01T01:00:00+01:00',
    '2569-06-12 14:30',
  ])('a program wrote %s in place of a date', (text) => {
    expect(readDate(text, 'Europe/Amsterdam')).toEqual({ doubt: 'unlikely year' });
  });

  test.each(['1899-12-30T14:30:00Z', '1970-01-01T00:00:00Z', '2569-06-12 14:30'])(
    'the time in %s is in doubt too',
    (text) => {
      expect(readTime(text, 'Europe/Amsterdam')).toEqual({ doubt: 'unlikely year' });
    },
  );

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
