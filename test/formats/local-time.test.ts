import fc from 'fast-check';
import { readDate, readDateTime, readTime } from '../../src/formats/local-time';
import { formatInZone } from '../../src/formats/time-zone';

test.each([
  ['14:30', '14:30'],
  ['9:05', '09:05'],
  ['14.30', '14:30'],
  ['14:30:59', '14:30'],
  ['2:30 pm', '14:30'],
  ['2:30 p.m.', '14:30'],
  ['2pm', '14:00'],
  ['12 am', '00:00'],
  ['12:15 pm', '12:15'],
  ['14:30 uur', '14:30'],
  ['12.06.2026 14:30 Uhr', '14:30'],
  ['2026-06-12T12:30:00Z', '14:30'],
  ['2026-12-12T12:30:00Z', '13:30'],
  ['2026-06-12T08:30:00-04:00', '14:30'],
  ['Fri, 12 Jun 2026 12:30:00 GMT', '14:30'],
  ['2026-06-12 12:30:00 +0000', '14:30'],
  ['2026-06-12T14:30:00', '14:30'],
  ['2026-06-12 14:30', '14:30'],
  ['06/12/2026 2:30 PM', '14:30'],
  ['12.06.2026 14:30', '14:30'],
  ['June 12, 2026 2:30 PM', '14:30'],
  ['12 June 2026 14:30', '14:30'],
  ['12 Jun 2026, 2:30 PM', '14:30'],
  ['20260612T123000Z', '14:30'],
  ['Fri Jun 12 12:30:00 -0000 2026', '14:30'],
  ['1781267400', '14:30'],
  ['1781267400000', '14:30'],
])('reads the time %j as %s, in the time zone of the Zap', (text, time) => {
  expect(readTime(text, 'Europe/Amsterdam')).toBe(time);
});

test.each([
  'soon',
  '',
  '24:00',
  '14:60',
  '13:30 pm',
  '2026-06-12',
  '14',
  'at 14:30',
  '1430',
  '2h30',
  '2:30 xm',
  '12-06-2026',
  'SKU-2024',
  '05/06/2026 10:00:00 GMT',
  '12.06.26',
  '12.06.',
  '2026-06-12 10:00-12:00',
  '2026-06-12 10:00 - 12:00',
  '2026-06-12 10:00:00+02',
  '2026-06-12 10:00 UTC+2',
  '2026-06-12 14:30 or 15',
  'Fri Jun 12 10:00 2026 to 12:00',
  '2026-13-01T10:00:00Z',
])('finds no time in %j', (text) => {
  expect(readTime(text, 'Europe/Amsterdam')).toBeUndefined();
});

test.each([
  ['2026-06-12', '2026-06-12'],
  ['2026-06-12T14:30:00', '2026-06-12'],
  ['2026-06-12 14:30', '2026-06-12'],
  ['2026-06-12T22:30:00Z', '2026-06-13'],
  ['2026-06-12T01:30:00+09:00', '2026-06-11'],
  ['1781267400', '2026-06-12'],
  ['12 June 2026', '2026-06-12'],
  ['2026-06-12 10:00-12:00', '2026-06-12'],
  ['12.06.2026', '2026-06-12'],
  ['12.06.2026 14:30', '2026-06-12'],
  ['1.6.2026', '2026-06-01'],
  ['12.6.2026, 14:30:00', '2026-06-12'],
  ['0001-01-01T12:00:00Z', '0001-01-01'],
])('reads the date %j as %s, in the time zone of the Zap', (text, date) => {
  expect(readDate(text, 'Europe/Amsterdam')).toBe(date);
});

test.each([
  '12-06-2026',
  '5-6-2026',
  'room-2026',
  '05/06/2026 10:00:00 GMT',
  '06/07/2026',
  'tomorrow',
  '',
  '2026-13-01',
  '2026-6-1',
  '2026-06-12x',
  '2026-02-30',
  '30.02.2026',
  '12.06.26',
  '12-14 June 2026',
  '12.06.2026 bis 14.06.2026',
  '2026-06-12 - 2026-06-14',
  'June 12-14, 2026',
  '12 June 202612 June 2026',
  // Finnish for November.
  '12. marraskuuta 2026',
])('finds no certain date in %j', (text) => {
  expect(readDate(text, 'Europe/Amsterdam')).toBeUndefined();
});

test.each([
  ['2026-06-12T12:30:45Z', '2026-06-12T12:30:45.000Z'],
  // The clock goes forward at 02:00.
  ['2026-03-29 01:30', '2026-03-29T00:30:00.000Z'],
  ['2026-03-29 03:30', '2026-03-29T01:30:00.000Z'],
])('reads the moment %j as %s, in the time zone of the Zap', (text, moment) => {
  expect(readDateTime(text, 'Europe/Amsterdam')?.toJSON()).toBe(moment);
});

test.each(['2026-06-12 09:00 to 11:00', '2026-06-12 10:00:00+02'])('finds no certain moment in %j', (text) => {
  expect(readDateTime(text, 'Europe/Amsterdam')).toBeUndefined();
});

test('tells a point in time in UTC where the zone is not known', () => {
  const instant = new Date('2026-06-12T12:30:00Z');
  for (const unknown of [null, undefined, '', 'Mars/Olympus'])
    expect(formatInZone(instant, unknown)).toBe('2026-06-12 12:30');
  for (const zone of ['America/New_York', 'US/Eastern']) expect(formatInZone(instant, zone)).toBe('2026-06-12 08:30');
});

test('gives HH:MM and YYYY-MM-DD or nothing, whatever the text', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[\d:. apmTZ+/-]{0,24}$/));
  fc.assert(
    fc.property(text, (anything) => {
      expect(readTime(anything, 'Asia/Kathmandu') ?? '00:00').toMatch(/^([01]\d|2[0-3]):[0-5]\d$/);
      expect(readDate(anything, 'Asia/Kathmandu') ?? '2026-01-01').toMatch(/^\d{4}-\d\d-\d\d$/);
    }),
  );
});
