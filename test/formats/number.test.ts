import { readNumber } from '../../src/formats/number';

const readable = [
  ['12.50', '12.50'],
  ['0', '0'],
  ['-3', '-3'],
  ['+5', '5'],
  ['12,50', '12.50'],
  ['12,5', '12.5'],
  ['0,125', '0.125'],
  ['1250,500', '1250.500'],
  ['1,250.00', '1250.00'],
  ['1.250,00', '1250.00'],
  ['1,250,000', '1250000'],
  ['1.250.000', '1250000'],
  ['1 250', '1250'],
  ['1\u00a0250,00', '1250.00'],
  ["1'250.00", '1250.00'],
  ['1,250,000.5', '1250000.5'],
  ['-1.250.000,5', '-1250000.5'],
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
  '12.50 100',
  '12,50\n100',
  '+-5',
  '12.',
  ',50',
  '1.2.3',
  '1,2,3',
  '12 EUR',
  '€12',
  'twelve',
  '',
  '1'.repeat(41),
])('refuses %j', (text) => {
  expect(readNumber(text)).toBeUndefined();
});
