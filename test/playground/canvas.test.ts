/** The wires of the canvas. */
import fc from 'fast-check';
import { paintBars } from '../../playground/page/canvas/canvas';

test('the bar of a fork is painted from its middle to each path that a run took, and no further', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 2, maxLength: 10 }), (taken) => {
      const middle = (taken.length - 1) / 2;
      const isBetween = (place: number, path: number) => (place - path) * (place - middle) < 0;
      const isPainted = (place: number) => taken.some((isTaken, path) => isTaken && isBetween(place, path));
      const expected = taken.map((_, path) => ({ left: isPainted(path - 0.25), right: isPainted(path + 0.25) }));
      expect(paintBars(taken)).toEqual(expected);
    }),
  );
});

test('a run that took the second of three paths paints no bar, since the path lies below the middle', () => {
  const none = { left: false, right: false };
  expect(paintBars([false, true, false])).toEqual([none, none, none]);
  expect(paintBars([true, false, false])).toEqual([{ left: false, right: true }, { left: true, right: false }, none]);
});
