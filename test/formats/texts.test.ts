/** Numbers and texts. */

import fc from 'fast-check';
import { findCountry } from '../../src/formats/country';
import { readNumber, withoutNoise } from '../../src/formats/message-value';
import { containsPhrase, isPhrase } from '../../src/formats/text';

describe('numbers', () => {
  test('a calculated amount loses only the digits that calculating added', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 10_000_000 }), fc.constantFrom(1.1, 3, 0.7), (cents, by) => {
        const exact = cents / 100;
        expect(Number(withoutNoise(String((exact * by) / by)))).toBe(exact);
      }),
      { numRuns: 1_000 },
    );
    for (const text of [
      '1.5',
      '1718200000.123456',
      '52.3702157123456789',
      '1.2.3',
      'PX-0.30000000000000004',
      '9007199254740993',
    ])
      expect(withoutNoise(text)).toBe(text);
  });

  test('two digits with a comma between them may be two line items', () => {
    expect(['2,1', '1,0'].map(readNumber)).toEqual([undefined, undefined]);
  });

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

  test.each(readable)('refuses %j with a currency or another number around it', (text) => {
    for (const other of [' EUR', 'EUR', ' €', '€', 'k', ' 5', '\n5', '.5.5']) {
      expect([text, other, readNumber(text + other)]).toEqual([text, other, undefined]);
    }
    for (const other of ['EUR ', '€', '5 000 000 ', '$', '--']) {
      expect([other, text, readNumber(other + text)]).toEqual([other, text, undefined]);
    }
  });

  test.each([
    '1,250',
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
  ])('refuses %j', (text) => {
    expect(readNumber(text)).toBeUndefined();
  });
});

describe('texts', () => {
  describe('containsPhrase', () => {
    test.each([
      ['STOP!', 'stop'],
      ['where   is\nmy parcel', 'where is'],
      ['Rembourse\u0301', 'remboursé'],
      ['ＳＴＯＰ', 'stop'],
      ['İPTAL', 'iptal'],
      ['Straße', 'STRASSE'],
      ['I don’t want this', "don't"],
      ['请停止发送', '停止'],
      ['หยุดส่งข้อความ', 'หยุด'],
      ['thanks 👍👍', '👍'],
      ["l'arrêt", 'arrêt'],
    ])('finds in %j the phrase %j', (text, phrase) => {
      expect(containsPhrase(text, [phrase])).toBe(true);
    });

    test.each([
      ['nonstop', 'stop'],
      ['non-stop', 'stop'],
      ['stop', '\u200b'],
      ['stop2', 'stop'],
      ['Rembourse\u0301', 'rembourse'],
      ['𝒜stop', 'stop'],
    ])("doesn't find in %j the phrase %j", (text, phrase) => {
      expect(containsPhrase(text, [phrase])).toBe(false);
    });

    test('finds any phrase that spaces or signs surround', () => {
      fc.assert(
        fc.property(fc.string(), fc.stringMatching(/^\p{L}{1,10}$/u), fc.string(), (before, phrase, after) => {
          expect(containsPhrase(`${before} ${phrase}! ${after}`, [phrase])).toBe(true);
        }),
      );
    });

    test('reads the longest texts in no time', () => {
      const start = process.cpuUsage().user;
      for (const text of ['a'.repeat(100_000), 'a '.repeat(50_000), 'ab'.repeat(50_000), ' '.repeat(100_000)]) {
        containsPhrase(text, ['a'.repeat(5_000)]);
        containsPhrase(text, ['a']);
      }
      expect(process.cpuUsage().user - start).toBeLessThan(3_000_000);
    });
  });

  test.each([
    ['STOP', 'stop', true],
    [' "stop." ', 'Stop', true],
    ['Stop 🛑', 'stop', true],
    ['👍', '👎', false],
    ['!', 'stop', false],
    ['non-stop', 'stop', false],
    [`${'!'.repeat(100_000)}stop`, 'stop', false],
  ])('isPhrase(%.20j, %j) is %j', (text, phrase, result) => {
    expect(isPhrase(text, [phrase])).toBe(result);
  });
});

test.each([
  ['nld', 'NL'],
  ['Nederland', 'NL'],
  ['Deutschland', 'DE'],
  ['u.s.a.', 'US'],
  ['UK', 'GB'],
  ['Turkey', 'TR'],
  ['Atlantis', undefined],
  ['', undefined],
])('the country %j is %s', (text, code) => {
  expect(findCountry(text)).toBe(code);
});

test.each([
  ['Stop. Thank you', true, true],
  ['STOP, thanks!', true, true],
  ['Please stop thank you for asking', false, true],
  ['Liked “Reply STOP to unsubscribe”', false, false],
  ['Reacted 👍 to "Reply STOP to unsubscribe"', false, false],
  ['👍 to “Reply STOP to unsubscribe”', false, false],
  ['I liked "stop"', false, true],
])('%j is exactly "stop": %s, and contains it: %s', (text, isExact, isIn) => {
  expect([isPhrase(text, ['stop']), containsPhrase(text, ['stop'])]).toEqual([isExact, isIn]);
});
