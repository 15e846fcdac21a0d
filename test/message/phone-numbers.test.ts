/** Phone numbers: the right number or a refusal, never another number. */

import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import {
  type CountryCode,
  getCountries,
  getExampleNumber,
  isValidPhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json';
import * as z from 'zod/mini';
import { countryCodes, findCountry, nameOfCountry } from '../../src/message/country';
import { parsePhoneNumber } from '../../src/message/phone';
import { expectHalt } from '../support/halt';
import { isWide } from '../support/width';

describe('examples', () => {
  const read = (text: string, country?: unknown): Promise<string> => parsePhoneNumber('Phone Number', text, country);

  test.each([
    ['+31\u00a06\u00a01234\u202f5678', undefined, '+31612345678'],
    ['+31 (0)6-1234.5678', undefined, '+31612345678'],
    ['+81 90ー1234ー5678', undefined, '+819012345678'],
    ['+31612345678', 'Atlantis', '+31612345678'],
    ['whatsapp:+31612345678', undefined, '+31612345678'],
    ["'+31612345678", undefined, '+31612345678'],
    ['14155552671.0', 'US', '+14155552671'],
    ['＋３１６１２３４５６７８', undefined, '+31612345678'],
    ['06 12345678', 'NL', '+31612345678'],
    ['06 12345678', 'The Netherlands', '+31612345678'],
    ['050 123 4567', 'UAE', '+971501234567'],
    ['011 31 6 12345678', 'US', '+31612345678'],
    ['0151/23456789', 'DE', '+4915123456789'],
    ['+31612345678', ' ', '+31612345678'],
    ['06 12345678, ', 'NL', '+31612345678'],
    ['+49 (0)5121 / 1234567', undefined, '+4951211234567'],
    ['+1/202/555/0123', undefined, '+12025550123'],
    ['(+1) 202 555 0123', undefined, '+12025550123'],
    ['06 12 34 05 67', 'FR', '+33612340567'],
    ['0664 023 051 004', 'AT', '+43664023051004'],
    ['020 0946 0958', 'GB', '+442009460958'],
    ['098765 01234', 'IN', '+919876501234'],
    ['491570006', 'AU', '+61491570006'],
    ['49 (0)151 23456789', 'DE', '+4915123456789'],
    ['4915123456789.0', 'DE', '+4915123456789'],
    ['8 495 123-45-67', 'RU', '+74951234567'],
    ['06 20 123 4567', 'HU', '+36201234567'],
    ['011 15 2345-6789', 'AR', '+5491123456789'],
    ['+39 06 69812345', undefined, '+390669812345'],
    ['+39 (0)6 69812345', undefined, '+390669812345'],
    ['030 1234567-12', 'DE', '+4930123456712'],
    ['\n+31612345678\r\n', undefined, '+31612345678'],
  ])('reads %j (default country %s) as %s', async (typed, country, number) => {
    await expect(read(typed, country)).resolves.toBe(number);
  });

  test.each([
    ['not a number', undefined],
    ['+', undefined],
    ['12', undefined],
    ['+33 6 1234', undefined],
    ['+33 061234567', undefined],
    ['+31612345678 ext. 5', undefined],
    ['1-800-FLOWERS', 'US'],
    ['+999 123456789', undefined],
    ['++31612345678', undefined],
  ])('refuses %j and names the field', async (typed, country) => {
    await expect(read(typed, country)).rejects.toThrow(
      /^Phone Number: ".*" isn't a complete phone number\. Enter only the number/,
    );
  });

  test.each(['06 12345678', '31612345678', '011 31 6 12345678'])(
    'refuses %j, which has no plus, when there is no default country',
    async (typed) => {
      await expect(read(typed)).rejects.toThrow(
        `Phone Number: "${typed}" has no plus and country code. Enter it with both, such as +12025550123, or set the Default Country of your account.`,
      );
    },
  );

  test.each([
    ['79111234567', 'GB', 'United Kingdom'],
    ['0151/23456789', 'NL', 'Netherlands'],
    ['12', 'US', 'United States'],
  ])('refuses %j, which has no plus and is not a number of the default country %s', async (typed, country, name) => {
    await expectHalt(
      read(typed, country),
      `Phone Number: "${typed}" isn't a phone number in the Default Country, ${name}. For another country, enter a plus and the country code first, such as +12025550123.`,
    );
  });

  test.each([
    // A number in Emden without its zero, or one in Düsseldorf without its plus.
    ['4921123456', 'DE', '+494921123456', '+4921123456'],
    // The same with too few digits for a mobile number.
    ['491512345678', 'DE', '+49491512345678', '+491512345678'],
    // A German mobile number without its zero, or one in Texas without its plus.
    ['15123456789', 'DE', '+4915123456789', '+15123456789'],
    // An Australian mobile number without its zero, or a number in Vienna without its plus.
    ['431234567', 'AU', '+61431234567', '+431234567'],
    ['278318470', 'ZA', '+27278318470', '+278318470'],
    ['483033642', 'PL', '+48483033642', '+483033642'],
    ['846964923', 'VN', '+84846964923', '+846964923'],
    // Longer than Italian mobile numbers, so rather a French one.
    ['33612345678', 'IT', '+3933612345678', '+33612345678'],
  ])('refuses %j with the default country %s, because it can be %s or %s', async (typed, country, one, other) => {
    await expectHalt(
      read(typed, country),
      `Phone Number: "${typed}" can be ${one} or ${other}. Enter the right one, with its plus and country code.`,
    );
  });

  test.each([
    ['0057 321 1234567', 'CO', '+573211234567'],
    ['00 1 202 555 0123', 'TH', '+12025550123'],
  ])('takes 00 for a plus in %j, although it means something else in %s', async (typed, country, number) => {
    await expect(read(typed, country)).resolves.toBe(number);
  });

  test.each([
    ['0011 49 151 23456789', 'AU', "isn't a complete phone number"],
    ['010 49 151 23456789', 'JP', "isn't a phone number in the Default Country"],
    // Buenos Aires has the area code 011.
    ['011 4930 1234', 'US', "isn't a phone number in the Default Country"],
  ])('refuses %j, whose prefix for calls abroad from %s can mean something else', async (typed, country, reason) => {
    await expect(read(typed, country)).rejects.toThrow(reason);
  });

  test.each(['+447700900123', '+44 (0)7700 900123'])(
    'takes %j, whose length is possible, although the library does not know the number',
    async (typed) => {
      await expect(read(typed)).resolves.toBe('+447700900123');
    },
  );

  test.each(['\n', '\r\n', '\t', '\v', '\f', '\u0000', '\u0085', '\u2028', '\u2029'])(
    'never joins the digits before and after %j',
    async (separator) => {
      await expect(read(`030 1234567${separator}12`, 'DE')).rejects.toThrow("isn't a complete phone number");
      await expect(read(`+3161234${separator}5678`)).rejects.toThrow("isn't a complete phone number");
    },
  );

  test('takes no sign that only contains a digit for one, such as a footnote', async () => {
    // Higher ones are ideographs.
    const codes = Array.from({ length: 0x2_0000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
    const signs = codes
      .map((code) => String.fromCodePoint(code))
      .filter((sign) => /[0-9]/.test(sign.normalize('NFKC')) && !/\p{Nd}/u.test(sign));
    expect(signs).toEqual(expect.arrayContaining(['²', '₂', '①', '⑴', '½', '⒈']));
    for (const sign of signs.filter((_, index) => isWide || index % 5 === 0)) {
      await expect(read(`030 1234567${sign}`, 'DE')).rejects.toThrow("isn't a complete phone number");
      await expect(read(`+3161234${sign}678`)).rejects.toThrow("isn't a complete phone number");
    }
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
          /^(\+[1-9]\d{6,14}|Phone Number: ".*" (isn't a (complete )?phone number|has no plus|can be \+\d+ or \+).+|Phone Number: enter only one phone number.+)$/s,
        );
        expect(result.length).toBeLessThan(250);
      }),
    );
  });

  test('lists every country of the phone number library by name, in order', () => {
    const names = new Intl.DisplayNames(['en'], { type: 'region' });
    expect([...countryCodes].sort()).toEqual([...getCountries()].sort());
    for (const code of countryCodes) expect(nameOfCountry(code)).toBe(names.of(code));
    const inOrder = countryCodes.map(nameOfCountry);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a.localeCompare(b, 'en')));
    expect(findCountry('netherlands')).toBe('NL');
    expect(findCountry('constructor')).toBeUndefined();
  });

  test('reads national and international numbers of each country', async () => {
    for (const country of getCountries()) {
      const example = getExampleNumber(country, examples);
      await expect(read(example?.formatNational() ?? '', country)).resolves.toBe(example?.number);
      await expect(read(example?.formatInternational() ?? '')).resolves.toBe(example?.number);
    }
  });

  test.each([
    '+31612345678, +31687654321',
    '+31612345678 +31687654321',
    '0612345678 and 0687654321',
    '06 12345678 / 06 87654321',
    'private 0612345678 work 0687654321',
    '030 123456/57',
    '06 12345678 / 9',
    '0612345678-0687654321',
    // A direct dial number looks like this too, but a list of two Austrian numbers may as well.
    '+43 1 71100-8001234',
    '+49 30 123456/57-8',
    '+49 301234-5 0304567',
  ])('refuses several numbers in one value and names the way out: %j', async (text) => {
    await expectHalt(
      read(text, 'NL'),
      'Phone Number: enter only one phone number. For several people, add a Looping by Zapier step before this one.',
    );
  });

  test('refuses a number that is longer than E.164 allows', async () => {
    await expect(read('030123456789012345', 'DE')).rejects.toThrow(
      "isn't a phone number in the Default Country, Germany",
    );
  });

  test.each(['030 1234567 (12)', '0151 23456789 12', '+49 151 23456789-12'])(
    'refuses an extension: %j',
    async (text) => {
      await expect(read(text, 'DE')).rejects.toThrow("isn't a complete phone number. Enter only the number");
    },
  );

  test.each([
    ...['/', ' - ', '.', '\t', '\r', '\u2028'].map((separator) => [`040 12345${separator}040 54321`, 'DE']),
    ['01/58858 58859', 'AT'],
    ['0158858 58859', 'AT'],
    ['01 5885 0043 1 5886', 'AT'],
    ['0043 1 5885 0043 1 5886', 'AT'],
    ['40141 40142', 'LU'],
    ['0301234 0304567', 'DE'],
    ['(030) 1234 (030) 4321', 'DE'],
    ['+49 30 1234 030 4321', 'DE'],
    ['0176 12345678 0151 12345678', 'DE'],
    ['3012345 3012346', 'DE'],
    ['0171 1234567 1234568', 'DE'],
    ['030 12345/123456', 'DE'],
    ['030 1234 / 5678', 'DE'],
    ['+49 30 12345 12346', 'DE'],
    ['49 30 1234 49 30 4321', 'DE'],
    // Numbers that the library doesn't know.
    ['+49 19 1234 019 1235', 'DE'],
    ['+49 1511 23456 23457', 'DE'],
  ])('never joins two numbers of one country or area: %j (default country %s)', async (text, country) => {
    await expect(read(`${text}`, country)).rejects.toThrow('enter only one phone number');
  });
});

describe('properties', () => {
  interface Plan {
    country: CountryCode;
    code: string;
    /** What people in the country dial before a number, mostly 0. */
    prefix: string;
    /** Whether the country has local numbers that need more than a prefix and a code, such as those without an area code. */
    hasOtherForms: boolean;
    /** What the library drops before a number of the country, such as the code of a carrier. */
    dropped: fc.Arbitrary<string>;
    mobiles: fc.Arbitrary<string>;
    landlines: fc.Arbitrary<string>;
  }

  const textOrNothing = z.catch(z.string(), '');

  const planOf = (country: CountryCode): Plan => {
    const plan = metadata.countries[country] ?? [];
    const code = z.string().parse(plan[0]);
    const [landline, mobile] = [0, 1].map((kind) => textOrNothing.parse(plan[11]?.[kind]?.[0]));
    const numbers = (pattern: string | undefined) =>
      fc
        .stringMatching(new RegExp(`^(?:${pattern})$`))
        .filter((digits) => /^\d{7,15}$/.test(code + digits) && isValidPhoneNumber(`+${code}${digits}`));
    return {
      country,
      code,
      prefix: textOrNothing.parse(plan[5]),
      hasOtherForms: Boolean(plan[7]),
      dropped: fc.stringMatching(new RegExp(`^(?:${textOrNothing.parse(plan[7]) || '0'})$`)),
      mobiles: numbers(mobile || landline),
      landlines: numbers(landline || mobile),
    };
  };

  /** Those whose numbers are written in a way of their own, and an eighth of the others in `npm test`. */
  const peculiar = 'AR AT BR CI CN CO DE IT LU MX NL RW TJ US'.split(' ');
  const plans = getCountries()
    .filter((country, index) => isWide || index % 8 === 0 || peculiar.includes(country))
    .map(planOf);
  const countries = fc.constantFrom(...getCountries());

  /** Runs a check with random numbers of each country, written without the country code. */
  const forEachCountry = async (
    numRuns: number,
    check: (plan: Plan, numbers: { mobile: string; landline: string; other: CountryCode }) => Promise<void>,
  ): Promise<void> => {
    for (const plan of plans) {
      const numbers = fc.record({ mobile: plan.mobiles, landline: plan.landlines, other: countries });
      await fc.assert(
        fc.asyncProperty(numbers, (each) => check(plan, each)),
        { numRuns },
      );
    }
  };

  const refused = 'refused';

  /** Returns the number, or `refused` if the step would stop. */
  const read = (text: string, country?: CountryCode): Promise<string> =>
    parsePhoneNumber('Phone Number', text, country).catch((error: Error) => {
      expect(String(error)).toMatch(
        /^HaltedError: Phone Number: (enter only one phone number\.|".+" (isn't a|has no plus|can be|is a username|is an app's ID))/,
      );
      return refused;
    });

  /** What each text is read as, in a form that shows the text when a test fails. */
  const readAll = async (texts: string[], country?: CountryCode): Promise<[text: string, number: string][]> =>
    Promise.all(texts.map(async (text): Promise<[string, string]> => [text, await read(text, country)]));

  const group = (digits: string, separator: string): string => digits.replace(/\d{3}(?=\d{2})/g, `$&${separator}`);

  const spellings = (start: string, digits: string): string[] => [
    `${start}${digits}`,
    ...[' ', '-', '.', ' - '].map((separator) => `${start}${separator}${group(digits, separator)}`),
    `${start}\u00a0(${digits.slice(0, 2)}) ${group(digits.slice(2), ' ')}`,
  ];

  test('reads every number with a plus or 00 as exactly that number, whatever Default Country is', async () => {
    await forEachCountry(1, async ({ country, code }, { mobile, landline, other }) => {
      for (const [start, home] of [
        [`+${code}`],
        [`+${code}`, other],
        [`00${code}`, country],
        [`00${code}`, other],
      ] as const) {
        const texts = spellings(start, mobile);
        expect(await readAll(texts, home)).toEqual(texts.map((text) => [text, `+${code}${mobile}`]));
        expect(await read(`${start}${landline}`, home)).toBe(`+${code}${landline}`);
      }
    });
  });

  test('takes a number as the service writes it, also an old Mexican one, and one whose zero belongs to it', async () => {
    await forEachCountry(1, async ({ country, code }, { mobile }) => {
      const written = [`+${code}${mobile}`, ...(country === 'MX' ? [`+521${mobile}`] : [])];
      expect(await readAll(written)).toEqual(written.map((text) => [text, text]));
    });
    const typed = [
      '+48 (0)51 234 56 78',
      '+420 (0)601 123 456',
      '+30 (0)691 234 5678',
      '+852 0 5123 4567',
      '+974 0 3312 3456',
    ];
    expect(await readAll(typed)).toEqual(typed.map((text) => [text, refused]));
    const belonging = ['+2250310620768', '+24109123456', '+242091234567', '+390612345678'];
    expect(await readAll(belonging, 'NL')).toEqual(belonging.map((text) => [text, text]));
  });

  test('stops at a country code that is there twice, since the number without it is a mobile one too', async () => {
    await forEachCountry(1, async ({ code }, { mobile }) => {
      const isMobile = parsePhoneNumberFromString(`+${code}${mobile}`)?.getType()?.endsWith('MOBILE');
      const read = await readAll(isMobile ? spellings(`+${code} ${code}`, mobile) : []);
      expect(read).toEqual(read.map(([text]) => [text, refused]));
    });
    await expect(parsePhoneNumber('Phone Number', '+31 31 6 12345678', undefined)).rejects.toThrow(
      'Phone Number: "+31 31 6 12345678" can be +3131612345678 or +31612345678. Enter the right one, with its plus and country code.',
    );
    const landlines = ['+852 852 2123 4580', '+31 31 20 123 4567', '+971 971 4 312 3456'];
    expect(await readAll(landlines)).toEqual(landlines.map((text) => [text, refused]));
    const single = ['+919160912345', '+494921123456', '+393912345678'];
    expect(await readAll(single)).toEqual(single.map((text) => [text, text]));
  });

  /** Numbers of a country with digits that are too many, such as a carrier's code, or too few. */
  const miscounted = ({ code, mobiles, landlines, dropped }: Plan): fc.Arbitrary<string> => {
    const more = fc.oneof(
      dropped,
      fc.stringMatching(/^\d{1,6}$/),
      fc.constantFrom(code, `0${code}`, '0', '00', '011', '1'),
    );
    const changes = fc.oneof(
      fc.record({ at: fc.constant(0), added: more, removed: fc.nat(0) }),
      fc.record({ at: fc.nat(12), added: more, removed: fc.nat(3) }),
      fc.record({ at: fc.nat(12), added: fc.constant(''), removed: fc.integer({ min: 1, max: 4 }) }),
    );
    return fc
      .tuple(fc.oneof(mobiles, landlines), changes)
      .map(([digits, { at, added, removed }]) => digits.slice(0, at) + added + digits.slice(at + removed));
  };

  test('takes every digit after a plus or 00 as it is, also too many or too few, but for a zero after the country code', async () => {
    for (const plan of plans) {
      const { code } = plan;
      const check = async (digits: string, start: string): Promise<void> => {
        const right = [refused, `+${code}${digits}`, `+${code}${digits.replace(/^0/, '')}`];
        expect(right).toContain(await read(`${start}${code}${digits}`, plan.country));
      };
      await fc.assert(fc.asyncProperty(miscounted(plan), fc.constantFrom('+', '00'), check), { numRuns: 12 });
    }
    // The library takes 11318 for a carrier's code.
    expect(await read('+86113184006275')).toBe(refused);
  });

  test('reads a mobile number of the Default Country as people there write it', async () => {
    await forEachCountry(1, async ({ country, code, prefix }, { mobile }) => {
      // The library has a 0 for Colombia too, but Colombian mobile numbers don't take it.
      const start = country === 'CO' ? '' : prefix;
      // 00 is a plus, as in some numbers of Tajikistan. Italian numbers that begin with 39 have two readings.
      const isClear = !`${start}${mobile}`.startsWith('00') && !mobile.startsWith(code);
      const texts = isClear ? spellings(start, mobile) : [];
      expect(await readAll(texts, country)).toEqual(texts.map((text) => [text, `+${code}${mobile}`]));
    });
  });

  test('never reads another number of the Default Country when a zero or a plus is missing', async () => {
    await forEachCountry(1, async ({ country, code, prefix }, { mobile, landline }) => {
      // The patterns have German landlines such as 4915123456789, but nobody has one that is longer than mobile numbers.
      const isReal = !landline.startsWith(code) || landline.length <= examples[country].length;
      for (const digits of isReal ? [mobile, landline] : [mobile]) {
        const starts = ['', prefix, code, ...(prefix === '0' ? [`${code}0`, `+${code}0`, `+${code} (0)`] : [])];
        const texts = [...starts.map((start) => `${start}${digits}`), ...spellings(code, digits)];
        // 00 is a plus.
        const local = texts.filter((text) => !text.startsWith('00'));
        for (const [text, number] of await readAll(local, country)) {
          const right = [`+${code}${digits}`, refused].map((result) => [text, result]);
          expect(right).toContainEqual([text, number]);
        }
      }
    });
  });

  test('reads no number without a plus, 00 and Default Country', async () => {
    await forEachCountry(1, async ({ code, prefix }, { mobile }) => {
      const texts = ['', prefix, code].map((start) => `${start}${mobile}`).filter((text) => !text.startsWith('00'));
      expect(await readAll(texts)).toEqual(texts.map((text) => [text, refused]));
    });
  });

  /** Returns the numbers of a country that people write with those digits: with a prefix, or mobile ones without. */
  const usualNumbers = (digits: string, { code, prefix }: Plan): string[] =>
    [digits, digits.replace(new RegExp(`^${prefix}`), '')].flatMap((national) => {
      const number = parsePhoneNumberFromString(`+${code}${national}`);
      const usual = [true, false].map((nationalPrefix) =>
        number?.formatNational({ nationalPrefix }).replace(/\D/g, ''),
      );
      const isLikely = national !== digits || number?.getType()?.endsWith('MOBILE');
      return number && isLikely && usual.includes(digits) ? [number.number] : [];
    });

  test('takes a number of another country for one of the Default Country only if people there write that one so', async () => {
    const homes = fc.uniqueArray(fc.constantFrom(...plans), { minLength: 20, maxLength: 20 });
    for (const { code, mobiles } of plans) {
      const check = async (mobile: string, others: Plan[]): Promise<void> => {
        const digits = `${code}${mobile}`;
        for (const home of others.filter((each) => each.code !== code)) {
          const allowed = [refused, `+${digits}`, ...usualNumbers(digits, home)];
          expect(allowed).toContain(await read(digits, home.country));
        }
      };
      await fc.assert(fc.asyncProperty(mobiles, homes, check), { numRuns: 1 });
    }
  });

  test('adds only a country code to digits, and drops only what people dial before a number', async () => {
    const check = async (typed: string, plan: Plan): Promise<void> => {
      const number = await read(typed, plan.country);
      const { code, prefix } = plan;
      const [, abroad] = (code === '1' ? /^(?:00|011(?=\d{10}))(.+)/ : /^00(.+)/).exec(typed) ?? [];
      const isHome = !abroad && number.startsWith(`+${code}`);
      const isOtherForm = isHome && plan.hasOtherForms && typed.endsWith(number.slice(-5));
      const national = [typed, ...(typed.startsWith(prefix) ? [typed.slice(prefix.length)] : [])];
      const numbers = abroad ? [abroad] : [typed, ...national.map((digits) => `${code}${digits}`)];
      const withoutZero = numbers.map((digits) => digits.replace(/^(\d{1,3}?)0/, '$1'));
      const right = [...numbers, ...withoutZero].map((digits) => `+${digits}`);
      const allowed = right.filter((each) => abroad || each.startsWith(`+${code}`));
      expect([refused, ...(isOtherForm ? [number] : allowed)]).toContain(number);
    };
    const digits = fc.oneof(fc.stringMatching(/^[0-9]{5,14}$/), fc.stringMatching(/^0[0-9]{5,12}$/));
    await fc.assert(fc.asyncProperty(digits, fc.constantFrom(...plans), check), { numRuns: 3_000 });
  });

  test('never joins two numbers', async () => {
    const separators = fc.constantFrom(' ', '/', '-', '.', ' / ', ' - ', '\u00a0', '\n', '\t', ' (', ';', ', ');
    for (const { country, code, prefix, mobiles, landlines } of plans) {
      const check = async ([one, other]: [string, string], separator: string): Promise<void> => {
        // With the 0 of Rwanda, its landlines begin with 00, which is a plus.
        const starts = one.startsWith('0') && prefix === '0' ? [code] : [prefix, code];
        for (const start of [...starts, `+${code}`, `00${code}`]) {
          const text = `${start}${one}${separator}${start}${other}`;
          expect([text, await read(text, country)]).toEqual([text, refused]);
        }
      };
      // In Luxembourg, numbers of four digits exist. They look like a part of a longer one.
      const isLong = ({ length }: string) => country !== 'LU' || length > 4;
      const [oneMobile, oneLandline] = [mobiles.filter(isLong), landlines.filter(isLong)];
      const pairs = fc.oneof(fc.tuple(oneMobile, oneMobile), fc.tuple(oneLandline, oneLandline));
      await fc.assert(fc.asyncProperty(pairs, separators, check), { numRuns: 2 });
    }
  });
});

test.each([
  ['nl', 'NL'],
  ['the Netherlands', 'NL'],
  ['Deutschland', undefined],
  ['u.s.a.', 'US'],
  ['UK', 'GB'],
  ['Turkey', 'TR'],
  ['Atlantis', undefined],
  ['', undefined],
])('the country %j is %s', (text, code) => {
  expect(findCountry(text)).toBe(code);
});
