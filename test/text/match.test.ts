/** Which names are the same to people, and which are not. */

import { rankMatches } from '../../src/text/match';

test.each([
  ['Sale 🇳🇱', 'Sale 🇧🇪'],
  ['C++', 'C'],
  ['Offer €', 'Offer $'],
  ['Sale 👍🏽', 'Sale 👍🏿'],
  ['ダイキ', 'タイキ'],
  ['राम', 'रमा'],
  ['Ann', 'Joanna'],
])('takes %s and %s for different names', (name, other) => {
  expect(rankMatches([other], name, String)).toEqual([]);
});

test.each([
  ['zoe', 'Zoë'],
  ['NOELLE O’neill', "Noëlle O'Neill"],
  ['ﾊﾟﾘ', 'パリ'],
  ['Café', 'Cafe\u0301'],
  ['Acme® Launch', 'Acme Launch'],
  ['#SummerSale', 'SummerSale'],
  ['फिरोज', 'फ़िरोज़'],
  ['मां', 'माँ'],
  ['辻さん', '辻\u{e0100}さん'],
  ['Love ❤', 'Love ❤️'],
  // People put emojis beside their names.
  ['Noor', 'Noor ❤️'],
  ['❤️', '❤'],
  ['🎉', '🎉'],
])('takes %s and %s for one name', (name, other) => {
  expect(rankMatches([other], name, String)).toHaveLength(1);
});

test('takes the same name first, then one that starts with it, then one that has its words', () => {
  const names = ['Our Summer', 'Summer Sale', 'Summer', 'Winter'];
  const found = rankMatches(names, 'summer', String).map(({ item }) => item);
  expect(found).toEqual(['Summer', 'Summer Sale', 'Our Summer']);
});
