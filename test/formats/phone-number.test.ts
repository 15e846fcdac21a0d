import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getExampleNumber } from 'libphonenumber-js/min';
import countries from '../../src/formats/countries.json';
import { findCountry } from '../../src/formats/country';
import { parsePhoneNumber } from '../../src/formats/phone-number';

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
  ['whatsapp:+31612345678', undefined, '+31612345678'],
  ["'+31612345678", undefined, '+31612345678'],
  ['14155552671.0', 'US', '+14155552671'],
  ['31612345678', undefined, '+31612345678'],
  ['+٣١٦١٢٣٤٥٦٧٨', undefined, '+31612345678'],
  ['＋３１６１２３４５６７８', undefined, '+31612345678'],
  ['+31612345678', undefined, '+31612345678'],
  ['06 12345678', 'NL', '+31612345678'],
  ['06 12345678', 'nl', '+31612345678'],
  ['06 12345678', 'The Netherlands', '+31612345678'],
  ['050 123 4567', 'UAE', '+971501234567'],
  ['(415) 555-2671', 'US', '+14155552671'],
  ['011 31 6 12345678', 'US', '+31612345678'],
  ['0031 6 12345678', 'US', '+31612345678'],
  ['0151/23456789', 'DE', '+4915123456789'],
  ['31612345678', 'NL', '+31612345678'],
  ['00316 12345678', 'NL', '+31612345678'],
  ['+4915123456789', 'US', '+4915123456789'],
  ['06 12345678', ' nl ', '+31612345678'],
  ['+31612345678', ' ', '+31612345678'],
  ['+31612345678', {}, '+31612345678'],
  ['13812345678', 'CN', '+8613812345678'],
  ['06 12345678, ', 'NL', '+31612345678'],
  ['+49 (0)5121 / 1234567', undefined, '+4951211234567'],
  ['+49 (0)5121/123', undefined, '+495121123'],
  ['030 123456 /', 'DE', '+4930123456'],
  ['+1/202/555/0123', undefined, '+12025550123'],
  ['(+1) 202 555 0123', undefined, '+12025550123'],
  ['0711 685-83456', 'DE', '+4971168583456'],
  ['06 12 34 05 67', 'FR', '+33612340567'],
  ['+33 6 12 34 05 67', undefined, '+33612340567'],
  ['0049 151 0234 0567', 'DE', '+4915102340567'],
  ['0664 023 051 004', 'AT', '+43664023051004'],
  ['020 0946 0958', 'GB', '+442009460958'],
  ['098765 01234', 'IN', '+919876501234'],
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
  ['+31612345678 ext. 5', undefined],
  ['1-800-FLOWERS', 'US'],
  ['+999 123456789', undefined],
  ['00999 123456789', undefined],
  ['++31612345678', undefined],
  ['31+612345678', undefined],
])('refuses %j and names the field', async (typed, country) => {
  await expect(read(typed, country)).rejects.toThrow(
    /^Phone Number: ".*" isn't a complete phone number\. Enter only the number/,
  );
});

test('says how to read a local number when there is no default country', async () => {
  await expect(read('06 12345678')).rejects.toThrow(
    'Phone Number: "06 12345678" has no country code. Enter it with one, such as +12025550123, or set the Default Country',
  );
});

test.each([
  ['79111234567', 'GB', 'United Kingdom'],
  ['4915123456789', 'NL', 'Netherlands'],
  ['0151/23456789', 'NL', 'Netherlands'],
  ['12', 'US', 'United States'],
])('refuses %j, which has no plus and is not a number of the default country %s', async (typed, country, name) => {
  await expect(read(typed, country)).rejects.toMatchObject({
    name: 'HaltedError',
    message: `Phone Number: "${typed}" isn't a phone number in the Default Country, ${name}. For another country, enter a plus and the country code first, such as +12025550123.`,
  });
});

test('refuses ten digits that could be a North American or a foreign number', async () => {
  await expect(read('4792345678')).rejects.toThrow('Phone Number: "4792345678"');
  await expect(read('4792345678', 'US')).resolves.toBe('+14792345678');
  await expect(read('+4792345678')).resolves.toBe('+4792345678');
});

test('refuses an unknown default country', async () => {
  await expect(read('06 12345678', 'Atlantis')).rejects.toThrow(
    'Default Country: "Atlantis" isn\'t in the list of countries.',
  );
});

test('returns E.164 or an error message for any text', async () => {
  const country = fc.option(fc.constantFrom(...getCountries()), { nil: undefined });
  const typed = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^\+?[0-9 ().-]{0,20}$/));
  await fc.assert(
    fc.asyncProperty(typed, country, async (text, from) => {
      const result = await read(text, from).catch((error: Error) => error.message);
      expect(result).toMatch(
        /^(\+[1-9]\d{5,14}|Phone Number: ".*" (isn't a (complete )?phone number|has no country code).+|Phone Number: enter only one phone number.+)$/s,
      );
      expect(result.length).toBeLessThan(250);
    }),
  );
});

test('lists every country of the phone number library by name, in order', () => {
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  expect(Object.keys(countries).sort()).toEqual([...getCountries()].sort());
  for (const [code, name] of Object.entries(countries)) expect(name).toBe(names.of(code));
  expect(Object.values(countries)).toEqual(Object.values(countries).toSorted((a, b) => a.localeCompare(b, 'en')));
  expect(findCountry('netherlands')).toBe('NL');
  expect(findCountry('constructor')).toBeUndefined();
});

test.each(getCountries())('reads national and international numbers of %s', async (country) => {
  const example = getExampleNumber(country, examples);
  await expect(read(example?.formatNational() ?? '', country)).resolves.toBe(example?.number);
  await expect(read(example?.formatInternational() ?? '')).resolves.toBe(example?.number);
});

test.each([
  '+31612345678, +31687654321',
  '+31612345678;+31687654321',
  '+31612345678 +31687654321',
  '0612345678 and 0687654321',
  '06 12345678 / 06 87654321',
  '0612345678\n0687654321',
  '0612345678 of 0687654321',
  'private 0612345678 work 0687654321',
  '030 123456/57',
  '06 12345678 / 9',
  '06 12345678 06 87654321',
  '0612345678-0687654321',
  '+31612345678-31687654321',
  // A direct dial number looks like this too, but a list of two Austrian numbers may as well.
  '+43 1 71100-8001234',
  '+49 30 123456/57-8',
  '+49 30 123.4567890-8',
  '+49 301234-5 0304567',
])('refuses several numbers in one value and names the way out: %j', async (text) => {
  await expect(read(text, 'NL')).rejects.toMatchObject({
    name: 'HaltedError',
    message:
      'Phone Number: enter only one phone number. For several people, add a Looping by Zapier step before this one.',
  });
});

test.each(['/', ' - ', '.', '\t', '\r', '\u2028'])(
  'never joins two short numbers with %j between them',
  async (separator) => {
    await expect(read(`040 12345${separator}040 54321`, 'DE')).rejects.toThrow('enter only one phone number');
  },
);

test.each(['3012345 3012346', '030.12345.030.12346', '0171 1234567 1234568'])(
  'refuses a number that is longer than E.164 allows: %j',
  async (text) => {
    await expect(read(text, 'DE')).rejects.toThrow("isn't a phone number in the Default Country, Germany");
  },
);

test.each(['030 1234567 (12)', '+49 30 1234567 (12)'])('refuses an extension in parentheses: %j', async (text) => {
  await expect(read(text, 'DE')).rejects.toThrow("isn't a complete phone number. Enter only the number");
});

test('never joins a number with its country code and a second one without', async () => {
  await expect(read('+49 30 1234 030 4321', undefined)).rejects.toThrow('enter only one phone number');
});

test.each([
  '0301234 0304567',
  '0301234\u00a00304567',
  '040 12345 040 54321',
  '(030) 1234 (030) 4321',
  '030/1234 030/4321',
  '+49 30 1234 030 4321',
  '0176 12345678 0151 12345678',
  '0301234-0304567',
])('never joins two numbers with the same country: %j', async (text) => {
  await expect(read(text, 'DE')).rejects.toThrow('enter only one phone number');
});
