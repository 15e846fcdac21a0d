/** Moments that people write in words. */

import fc from 'fast-check';
import { plainFields, visibleStepsOf } from '../../lab/zapier/core/app-definition';
import { currentApp } from '../../scripts/docs/definition';
import { readDateTime } from '../../src/message/dates';
import { readMoment } from '../../src/step/range-fields';
import { formatInZone } from '../../src/step/time-zone';
import { expectHalt } from '../support/halt';
import { authData } from '../support/service';
import { runStep } from '../support/zapier';

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
    '1.5 hours ago',
    '12345 hours ago',
    'two hours ago',
    'in 24 hours',
    '1 month ago',
    '2 hours 30 minutes ago',
    'yesterday 10:00-12:00',
    'yesterday at 17:00 +02:00',
    'yesterdays',
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
