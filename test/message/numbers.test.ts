/** Numbers as values of a message. */

import fc from 'fast-check';
import { readNumber, withoutNoise } from '../../src/message/values';

describe('numbers', () => {
  test('a calculated amount loses only the digits that calculating added', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 10_000_000 }), fc.constantFrom(1.1, 3, 0.7), (cents, by) => {
        const exact = cents / 100;
        expect(Number(withoutNoise(String((exact * by) / by)))).toBe(exact);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each(['1.5', '1718200000.123456', '52.3702157123456789', '1.2.3', 'PX-0.30000000000000004', '9007199254740993'])(
    '%s keeps every digit, because no calculation added one',
    (text) => {
      expect(withoutNoise(text)).toBe(text);
    },
  );

  const readable = [
    ['12.50', '12.50'],
    ['-3', '-3'],
    ['+5', '5'],
    ['12,50', '12.50'],
    ['0,125', '0.125'],
    ['1,250.00', '1250.00'],
    ['1.250,00', '1250.00'],
    ['1,250,000', '1250000'],
    ['1.250.000', '1250000'],
    ['1 250', '1250'],
    ["1'250.00", '1250.00'],
    ['-1.250.000,5', '-1250000.5'],
    ['19.990000000000002', '19.99'],
    ['-0.30000000000000004', '-0.3'],
  ] as const;

  test.each(readable)('reads %j as %s', (text, number) => {
    expect(readNumber(text)).toBe(number);
  });

  test.each(readable)('refuses %j with a currency or another number beside it', (text) => {
    for (const other of [' EUR', 'EUR', ' €', '€', 'k', ' 5', '\n5', '.5.5']) {
      expect([text, other, readNumber(text + other)]).toEqual([text, other, undefined]);
    }
    for (const other of ['EUR ', '€', '5 000 000 ', '$', '--']) {
      expect([other, text, readNumber(other + text)]).toEqual([other, text, undefined]);
    }
  });

  test.each([
    // This may be a thousand or one and a quarter.
    '1,250',
    // These may be two line items.
    '2,1',
    '1,0',
    '12 50',
    '1234 567',
    '12,50\n100',
    '+-5',
    '12.',
    ',50',
    '1.2.3',
    '1,2,3',
    'twelve',
    '',
    '1'.repeat(41),
  ])('refuses %j, which is no number or may be two', (text) => {
    expect(readNumber(text)).toBeUndefined();
  });
});
