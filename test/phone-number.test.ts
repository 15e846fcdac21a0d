import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { phoneMetadata, phoneMetadataFile } from '../scripts/phone-metadata';
import { countries, findCountry } from '../src/formats/countries';
import parse from '../src/formats/phone-library';
import { parsePhoneNumber } from '../src/formats/phone-number';

const read = (text: string, country?: unknown): Promise<string> => parsePhoneNumber('Phone Number', text, country);

test.each([
  ['+31612345678', undefined, '+31612345678'],
  ['+31 6 1234 5678', undefined, '+31612345678'],
  ['+31\u00a06\u00a01234\u202f5678', undefined, '+31612345678'],
  ['\u202a+31 6 12345678\u202c', undefined, '+31612345678'],
  ['+31 (0)6-1234.5678', undefined, '+31612345678'],
  ['+44 (0) 7911 123456', undefined, '+447911123456'],
  ['+1 (415) 555–2671', undefined, '+14155552671'],
  ['0031 6 12345678', undefined, '+31612345678'],
  ['00 49 151 23456789', undefined, '+4915123456789'],
  ['tel:+31-6-1234-5678', undefined, '+31612345678'],
  ['31612345678', undefined, '+31612345678'],
  ['+٣١٦١٢٣٤٥٦٧٨', undefined, '+31612345678'],
  ['＋３１６１２３４５６７８', undefined, '+31612345678'],
  ['+31612345678', undefined, '+31612345678'],
  ['06 12345678', 'NL', '+31612345678'],
  ['06 12345678', 'nl', '+31612345678'],
  ['06 12345678', 'Netherlands', '+31612345678'],
  ['(415) 555-2671', 'US', '+14155552671'],
  ['011 31 6 12345678', 'US', '+31612345678'],
  ['0151/23456789', 'DE', '+4915123456789'],
  ['31612345678', 'NL', '+31612345678'],
  ['4915123456789', 'NL', '+4915123456789'],
  ['00316 12345678', 'NL', '+31612345678'],
  ['+4915123456789', 'US', '+4915123456789'],
  ['06 12345678', ' nl ', '+31612345678'],
  ['+31612345678', ' ', '+31612345678'],
  ['+31612345678', {}, '+31612345678'],
  ['13812345678', 'CN', '+8613812345678'],
])('reads %j (default country %s) as %s', async (typed, country, number) => {
  await expect(read(typed, country)).resolves.toBe(number);
});

test.each([
  ['not a number', undefined],
  ['', undefined],
  ['+', undefined],
  ['12', undefined],
  ['+31 6 1234', undefined],
  ['+3161234567890123456', undefined],
  ['+31612345678 or +31687654321', undefined],
  ['+31612345678, +31687654321', undefined],
  ['+31612345678 ext. 5', undefined],
  ['1-800-FLOWERS', 'US'],
  ['+999 123456789', undefined],
  ['06 12345678', undefined],
  ['++31612345678', undefined],
  ['31+612345678', undefined],
])('refuses %j, which cannot be one, naming the field and what to do', async (typed, country) => {
  await expect(read(typed, country)).rejects.toThrow(/^Phone Number: ".*" is not a complete phone number\. Use the/);
});

test('refuses ten digits that may be a North American number or a foreign one, since a guess could reach a stranger', async () => {
  await expect(read('4792345678')).rejects.toThrow('Phone Number: "4792345678"');
  await expect(read('4792345678', 'US')).resolves.toBe('+14792345678');
  await expect(read('+4792345678')).resolves.toBe('+4792345678');
});

test('refuses a default country that is none', async () => {
  await expect(read('06 12345678', 'Atlantis')).rejects.toThrow('Default Country: "Atlantis" is not a country.');
});

test('gives E.164 or a sentence, whatever is typed', async () => {
  const country = fc.option(fc.constantFrom(...getCountries()), { nil: undefined });
  const typed = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^\+?[0-9 ().-]{0,20}$/));
  await fc.assert(
    fc.asyncProperty(typed, country, async (text, from) => {
      const result = await read(text, from).catch((error: Error) => error.message);
      expect(result).toMatch(/^(\+[1-9]\d{5,14}|Phone Number: ".*" is not a complete phone number\..+)$/s);
      expect(result.length).toBeLessThan(250);
    }),
  );
});

test('the countries to choose from are those whose numbers can be read, by name and in order', () => {
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  expect(Object.keys(countries).sort()).toEqual([...getCountries()].sort());
  for (const [code, name] of Object.entries(countries)) expect(name).toBe(names.of(code));
  expect(Object.values(countries)).toEqual(Object.values(countries).toSorted((a, b) => a.localeCompare(b, 'en')));
  expect(findCountry('netherlands')).toBe('NL');
  expect(findCountry('constructor')).toBeUndefined();
});

describe('what is known of phone numbers', () => {
  const readWhole = (text: string, from: ReturnType<typeof getCountries>[number]) =>
    parsePhoneNumberFromString(text, { defaultCountry: from, extract: false });

  test('is up to date: otherwise run `npm run phone-metadata`', () => {
    expect(readFileSync(phoneMetadataFile, 'utf8')).toBe(phoneMetadata());
  });

  test.each(getCountries())('reads numbers of %s as the whole library does', (country) => {
    const example = getExampleNumber(country, examples);
    for (const typed of [example?.formatNational() ?? '', example?.formatInternational() ?? '']) {
      expect(parse(typed, country)?.number).toBe(example?.number);
      expect(parse(typed, country)?.isValid()).toBe(true);
    }
  });

  test('reads any digits as the whole library does', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[+0]?[0-9]{4,14}$/), fc.constantFrom(...getCountries()), (typed, country) => {
        const [ours, theirs] = [parse(typed, country), readWhole(typed, country)];
        expect(ours?.number).toBe(theirs?.number);
        expect(ours?.isValid()).toBe(theirs?.isValid());
      }),
      { numRuns: 2_000 },
    );
  });
});
