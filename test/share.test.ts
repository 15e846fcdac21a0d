import fc from 'fast-check';
import { days, shareOn, todaysShare } from './support/share';

test('the shares of seven days in a row hold every item once, whichever day is the first', () => {
  fc.assert(
    fc.property(fc.nat({ max: 200 }), fc.nat({ max: 40_000 }), (length, first) => {
      const list = Array.from({ length }, (_, index) => index);
      const week = Array.from({ length: days }, (_, day) => shareOn(first + day, list));
      expect(week.flat().toSorted((one, other) => one - other)).toEqual(list);
      const sizes = week.map((share) => share.length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(2);
    }),
  );
});

test('each day has a share of a list of a week or more', () => {
  expect(todaysShare(Array.from({ length: days }, (_, index) => index))).not.toEqual([]);
});
