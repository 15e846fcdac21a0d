/**
 * The right number or a refusal, for every country. The numbers come from the patterns in libphonenumber's metadata, so a
 * test knows what each spelling means without the app's code.
 */
import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { type CountryCode, getCountries, isValidPhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json';
import * as z from 'zod/mini';
import { parsePhoneNumber } from '../../src/formats/phone-number';

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

const plans = getCountries().map(planOf);
const countries = fc.constantFrom(...getCountries());

/** Runs a check with random numbers of each of today's countries, written without the country code. */
const forTodaysCountries = async (
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
    expect(error.name).toBe('HaltedError');
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
  await forTodaysCountries(1, async ({ country, code }, { mobile, landline, other }) => {
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
  await forTodaysCountries(1, async ({ country, code, prefix }, { mobile }) => {
    // The library has a 0 for Colombia too, but Colombian mobile numbers don't take it.
    const start = country === 'CO' ? '' : prefix;
    // 00 is a plus, as in some numbers of Tajikistan. Italian numbers that begin with 39 have two readings.
    if (`${start}${mobile}`.startsWith('00') || mobile.startsWith(code)) return;
    const texts = spellings(start, mobile);
    expect(await readAll(texts, country)).toEqual(texts.map((text) => [text, `+${code}${mobile}`]));
  });
});

test('never reads another number of the Default Country when a zero or a plus is missing', async () => {
  await forTodaysCountries(1, async ({ country, code, prefix }, { mobile, landline }) => {
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
  await forTodaysCountries(1, async ({ code, prefix }, { mobile }) => {
    const texts = ['', prefix, code].map((start) => `${start}${mobile}`).filter((text) => !text.startsWith('00'));
    expect(await readAll(texts)).toEqual(texts.map((text) => [text, refused]));
  });
});

/** Returns the numbers of a country that people write with those digits: with a prefix, or mobile ones without. */
const usualNumbers = (digits: string, { code, prefix }: Plan): string[] =>
  [digits, digits.replace(new RegExp(`^${prefix}`), '')].flatMap((national) => {
    const number = parsePhoneNumberFromString(`+${code}${national}`);
    const usual = [true, false].map((nationalPrefix) => number?.formatNational({ nationalPrefix }).replace(/\D/g, ''));
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
    if (number === refused || (isHome && plan.hasOtherForms && typed.endsWith(number.slice(-5)))) return;
    const national = [typed, ...(typed.startsWith(prefix) ? [typed.slice(prefix.length)] : [])];
    const numbers = abroad ? [abroad] : [typed, ...national.map((digits) => `${code}${digits}`)];
    const withoutZero = numbers.map((digits) => digits.replace(/^(\d{1,3}?)0/, '$1'));
    expect([...numbers, ...withoutZero].map((digits) => `+${digits}`)).toContain(number);
    if (!abroad) expect(number).toMatch(new RegExp(`^\\+${code}`));
  };
  const digits = fc.oneof(fc.stringMatching(/^[0-9]{5,14}$/), fc.stringMatching(/^0[0-9]{5,12}$/));
  await fc.assert(fc.asyncProperty(digits, fc.constantFrom(...plans), check), { numRuns: 3_000 });
});

test('never joins two numbers', async () => {
  const separators = fc.constantFrom(' ', '/', '-', '.', ' / ', ' - ', '\u00a0', '\n', '\t', ' (', ';', ', ');
  for (const { country, code, prefix, mobiles, landlines } of plans) {
    const check = async ([one, other]: [string, string], separator: string): Promise<void> => {
      // In Luxembourg, numbers of four digits exist. They look like a part of a longer one.
      if (country === 'LU' && Math.min(one.length, other.length) < 5) return;
      // With the 0 of Rwanda, its landlines begin with 00, which is a plus.
      const starts = one.startsWith('0') && prefix === '0' ? [code] : [prefix, code];
      for (const start of [...starts, `+${code}`, `00${code}`]) {
        const text = `${start}${one}${separator}${start}${other}`;
        expect([text, await read(text, country)]).toEqual([text, refused]);
      }
    };
    const pairs = fc.oneof(fc.tuple(mobiles, mobiles), fc.tuple(landlines, landlines));
    await fc.assert(fc.asyncProperty(pairs, separators, check), { numRuns: 2 });
  }
});
