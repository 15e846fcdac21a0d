/** Words and phrases in messages. */

import fc from 'fast-check';
import { containsPhrase, isPhrase } from '../../src/text/fold';

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
      ['stop-gap', 'stop'],
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
  ])('whether %j is nothing but the phrase %j: %j', (text, phrase, result) => {
    expect(isPhrase(text, [phrase])).toBe(result);
  });

  test('a text with too many signs around a phrase is not that phrase', () => {
    expect(isPhrase(`${'!'.repeat(100_000)}stop`, ['stop'])).toBe(false);
  });
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
