/** The texts that mean a date, a time or a moment, and those that could mean two. */

import fc from 'fast-check';
import { readDate, readDateTime, readTime } from '../../src/message/dates';
import { isWide } from '../support/width';

const timeIn = (text: string, zone: string): string | undefined => readTime(text, zone).value;
const dateIn = (text: string, zone: string): string | undefined => readDate(text, zone).value;

describe('dates and times', () => {
  beforeAll(() => {
    jest.useFakeTimers({ now: new Date('2026-06-12T12:00:00Z') });
  });

  afterAll(() => {
    jest.useRealTimers();
  });

  /** What a text says in Amsterdam: the date, the time and the moment. */
  const readIn = (text: string, zone = 'Europe/Amsterdam') => [
    dateIn(text, zone),
    timeIn(text, zone),
    readDateTime(text, zone)?.toJSON(),
  ];

  test.each([
    ['12 Jun 2026 12:30:00 GMT', '2026-06-12', '14:30', '2026-06-12T12:30:00.000Z'],
    ['20260612T123045Z', '2026-06-12', '14:30', '2026-06-12T12:30:45.000Z'],
    ['20260612T1430', '2026-06-12', '14:30', '2026-06-12T12:30:00.000Z'],
    ['2026-06-12T10:00-12:00', '2026-06-13', '00:00', '2026-06-12T22:00:00.000Z'],
    ['June 12, 2026 at 2:30:00 PM GMT+0200', '2026-06-12', '14:30', '2026-06-12T12:30:00.000Z'],
    ['2026-06-12T01:30:00+09:00', '2026-06-11', '18:30', '2026-06-11T16:30:00.000Z'],
    ['12.6.2026, 14:30:00', '2026-06-12', '14:30', '2026-06-12T12:30:00.000Z'],
    // The clock goes forward at 02:00.
    ['2026-03-29 01:30', '2026-03-29', '01:30', '2026-03-29T00:30:00.000Z'],
    ['2026-06-12', '2026-06-12', undefined, '2026-06-11T22:00:00.000Z'],
    // The first second of ten digits, and five years from now.
    ['1000000000', '2001-09-09', '03:46', '2001-09-09T01:46:40.000Z'],
    ['1939032000000', '2031-06-12', '14:00', '2031-06-12T12:00:00.000Z'],
  ])('reads %j as the date %s, the time %s and a moment, in the time zone of the Zap', (text, ...said) => {
    expect(readIn(text)).toEqual(said);
  });

  test.each([
    '',
    'soon',
    'tomorrow',
    '13:30 pm',
    '14:30 Uhr',
    // In one country the day comes first, in another the month.
    '06/12/2026 14:30',
    '05/06/2026 10:00:00 GMT',
    '12-06-2026',
    '12.06.26',
    '2026-6-1',
    // More than one moment, or more than that.
    '12-14 June 2026',
    '12.06.2026 bis 14.06.2026',
    '12 June 202612 June 2026',
    '12 May June 2026 10:00 UTC',
    '12 June 2026 10:00-12:00',
    '12 Jun 2026 10:00-1200',
    '2026-06-12 10:00-12:00',
    '2026-06-12 09:00 to 11:00',
    '2026-06-12 14:30 or 15',
    '2026-06-12 12 10:00 UTC',
    '2026-06-12 and 13',
    'Fri, 12 Jun 2026 12:30:00 GMT',
    'Fri Jun 12 10:00 2026 to 12:00',
    // Finnish for November.
    '12. marraskuuta 2026',
    // These have no year, or two digits of one, which could be the day.
    '12 June 10:00 GMT',
    '26 Jun 12 10:00 GMT',
    '2026-02-30T10:00:00Z',
    '2026-06-12 25:00',
    '2026-06-12T24:00:00Z',
    '2026-06-12 noon',
    // No zone is so far from UTC.
    '2026-06-12T10:00-16:00',
    '2026-06-12T10:00+14:75',
    '2026-06-12 10:00:00+02',
    '2026-06-12T1000Z',
    '2026-06-12 10:00 UTC+2',
    '12 June 2026 23:30 PST',
    // A phone number of Singapore or Denmark looks the same.
    '20261231',
    '2026-1231',
    '0000-01-01T00:00:00Z',
  ])('finds no certain date, time or moment in %j', (text) => {
    expect(readIn(text)).toEqual([undefined, undefined, undefined]);
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
        expect(readIn(text).map((each) => each !== undefined)).toEqual([isRead, isRead, isRead]);
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

  const day = fc.integer({ min: 1, max: 31 }).chain((each) => fc.constantFrom(String(each), pad(each)));
  /** Two of the three are a day and a month, and nobody knows in which order. */
  const twoDays = fc.oneof(
    ...['/', '-', ' '].flatMap((sign) => [
      join(day, sign, day, sign, fc.constantFrom('2026', '26', '06')),
      join(fc.constantFrom('26', '06'), sign, day, sign, day),
    ]),
    join(day, '.', day, '.', fc.constantFrom('26', '06')),
    join(fc.constantFrom('26', '06'), '.', day, '.', day),
  );

  const separator = fc.constantFrom('', '', '', ' ', '-', '.', '/', ')', ' (');
  /** Spellings in which digits are a date, and a time after it. */
  const isDateText = (text: string): boolean =>
    /^(\d{4}([-/])\d\d\2\d\d|\d{1,2}([-/.])\d{1,2}\3\d{4}|\d{4}([-/.])\d{1,2}\4\d{1,2})(\s\d{1,2}\.\d\d)?$/.test(text);
  const phoneNumber = fc
    .tuple(
      fc.constantFrom('', '', '', '+', '00', '0', '(0', '(', 'tel:', '+ '),
      fc.array(fc.tuple(fc.stringMatching(/^\d$/), separator), { minLength: 7, maxLength: 15 }),
    )
    .map(([start, pairs]) => `${start}${pairs.flat().join('')}`.trim())
    .filter((text) => !isUnixTime(text) && !isDateText(text));

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
    'a phone number': phoneNumber,
    'numbers that could mean two days': join(
      fc.constantFrom('', 'Fri '),
      twoDays,
      fc.constantFrom('', ' 14:30', ' 2:30 pm', ' 10:00 GMT'),
    ),
    'a range of times': range,
    // After seconds, `-08:15` is an offset.
    'a range of times on a date': join(
      fc.constantFrom('2026-06-12 ', '12.06.2026, ', '06/12/2026 ', '12 June 2026 at ', 'June 12, 2026 '),
      range,
    ).filter((text) => !/:\d\d(\.\d+)?-\d\d:\d\d$/.test(text.replace(/\d:\d\d/, ''))),
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

  test.each(Object.entries(otherTexts))('reads no time, date or moment in %s', (_name, text) => {
    fc.assert(
      fc.property(text, (each) => {
        expect([each, ...readIn(each, 'UTC')]).toEqual([each, undefined, undefined, undefined]);
      }),
      { numRuns: 1_000 },
    );
  });
});
