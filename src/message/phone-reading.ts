/**
 * Which numbers a text can mean, and whether it joins more than one. Their digits together can be a stranger's number.
 * `npm run build` writes this file and the library of phone numbers into a bundle that is loaded on first use, because
 * it's half of the app, and most runs read no number.
 */
import examples from 'libphonenumber-js/examples.mobile.json';
import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json';
import { e164 } from '../api/e164';
import { digitsOf } from '../text/fold';
import type { CountryCode } from './country';

/** Returns the number in a text, valid or not; undefined if its country isn't known or E.164 doesn't allow its length. */
export const parseDigits = (text: string, defaultCountry?: CountryCode): PhoneNumber | undefined => {
  const number = parsePhoneNumberFromString(text, { defaultCountry, extract: false });
  return number && e164.test(number.number) ? number : undefined;
};

/** Whether a number is a mobile one, or one of a country where landlines have the same form. */
export const isMobile = (number: PhoneNumber): boolean => number.getType()?.endsWith('MOBILE') ?? false;

/** Whether people in its country write a number with these digits. They are wrong if its first zero is missing. */
const isUsual = (number: PhoneNumber, digits: string): boolean =>
  [true, false].some((nationalPrefix) => digitsOf(number.formatNational({ nationalPrefix })) === digits);

/** Whether digits begin with what people dial before a number in its country, mostly a zero. */
export const hasPrefix = (number: PhoneNumber, digits: string): boolean =>
  digits.length > number.nationalNumber.length && isUsual(number, digits);

/** Whether a number is longer than a typical mobile number of a country. Landlines are shorter or as long. */
export const isLong = ({ nationalNumber }: PhoneNumber, home: CountryCode): boolean =>
  nationalNumber.length > (getExampleNumber(home, examples)?.nationalNumber.length ?? 0);

/** Whether a number fits the plan of its country, even if the library doesn't know what kind of number it is. */
const isInPlan = ({ country, nationalNumber }: PhoneNumber): boolean =>
  country !== undefined && new RegExp(`^(?:${metadata.countries[country]?.[2]})$`).test(nationalNumber);

/** Where the library keeps what people dial before a number inside its country; 0 for nothing. */
const nationalPrefixAt = 5;

/** Whether people in the country of a number dial a zero before it, which is then no part of it. */
const hasTrunkZero = ({ country }: PhoneNumber): boolean =>
  country === undefined || [metadata.countries[country]].flat()[nationalPrefixAt] === '0';

/** Where the library keeps the patterns of a country's kinds of numbers, such as mobile ones. */
const kindsAt = 11;

const hasNumber = (country: ReturnType<typeof getCountries>[number], digits: string): boolean => {
  const kinds: unknown = metadata.countries[country]?.[kindsAt];
  return [kinds].flat().some((kind) => Array.isArray(kind) && new RegExp(`^(?:${kind[0]})$`).test(digits));
};

const unsafeKinds: readonly (string | undefined)[] = ['PREMIUM_RATE', 'SHARED_COST', 'PERSONAL_NUMBER'];

/** Returns numbers with the same beginning that are up to two digits shorter or longer. */
const variantsOf = ({ number }: PhoneNumber): (PhoneNumber | undefined)[] =>
  [number.slice(0, -2), number.slice(0, -1), `${number}0`, `${number}00`].map((text) => parseDigits(text));

/**
 * Whether a number earns money for whoever gave it, or belongs to no country, as those of satellite phones. The library
 * knows no kind of a number with too few or too many digits, but that of one with the right length.
 */
export const isUnsafe = (number: PhoneNumber): boolean => {
  if (number.isNonGeographic() || unsafeKinds.includes(number.getType())) return true;
  return !number.isValid() && variantsOf(number).some((variant) => unsafeKinds.includes(variant?.getType()));
};

/**
 * Returns the countries that a number can be in. Some share numbers, such as the United Kingdom and the Isle of Man, for
 * which the library names only one of them.
 */
export const countriesOf = ({ country, countryCallingCode, nationalNumber }: PhoneNumber): string[] =>
  getCountries()
    .filter((each) => getCountryCallingCode(each) === countryCallingCode)
    .filter((each) => each === country || hasNumber(each, nationalNumber));

/** North America's `00`. Before fewer digits it's an area code of another country, such as the one of Buenos Aires. */
const northAmericanPrefix = /^011(?=[1-9]\d{9})/;

/** Returns the digits after a plus, or after digits that stand for one; undefined when there is no country code. */
const digitsAfterPlus = (text: string, home: CountryCode | undefined): string | undefined => {
  const digits = digitsOf(text);
  if (text.startsWith('+')) return digits;
  if (digits.startsWith('00')) return digits.slice(2);
  const isFromNorthAmerica = home && getCountryCallingCode(home) === '1' && northAmericanPrefix.test(digits);
  return isFromNorthAmerica ? digits.slice(3) : undefined;
};

/** Whether digits are a Mexican mobile number as messaging apps still write it, with a 1 after the country code. */
const isOldMexican = (digits: string): boolean =>
  /^521\d{10}$/.test(digits) && parseDigits(`+52${digits.slice(3)}`)?.isValid() === true;

/**
 * Returns the number with those digits after its plus, without a zero that is only for calls inside its country. Its length
 * must be possible. It needn't be valid, because the library doesn't know the latest numbers.
 */
const readInternational = (digits: string): PhoneNumber | undefined => {
  const number = parseDigits(`+${digits}`);
  if (!number) return undefined;
  if (isOldMexican(digits)) return number;
  const { countryCallingCode, nationalNumber } = number;
  const typed = digits.slice(countryCallingCode.length);
  // The library drops other prefixes too, even from numbers that are valid with them.
  if (typed !== nationalNumber && typed !== `0${nationalNumber}`) return undefined;
  // People type a zero by habit, also where it's neither dialed nor part of a number.
  const isZeroKnown = isInPlan(number) && !hasTrunkZero(number);
  const isPossible = number.isPossible() && (!nationalNumber.startsWith('0') || isZeroKnown);
  return isPossible || number.isValid() ? number : undefined;
};

/**
 * Returns the valid number that digits without a country code are in a country. After a zero or another prefix, it's enough
 * that the number fits the country's plan.
 */
const readNational = (digits: string, home: CountryCode): PhoneNumber | undefined => {
  const number = parseDigits(digits, home);
  const code = getCountryCallingCode(home);
  // The library takes some digits for the prefix of a call to another country.
  if (number?.countryCallingCode !== code) return undefined;
  // It also drops a country code, even together with a prefix.
  const dropped = digits.slice(0, -number.nationalNumber.length);
  if (dropped.startsWith(code) && digits.endsWith(number.nationalNumber)) return undefined;
  const fits = hasPrefix(number, digits) && isInPlan(number) && !isLong(number, home);
  return fits || number.isValid() ? number : undefined;
};

/**
 * Returns the number that a number is if its country code stands there twice, such as +31612345678 for +31 31 6 12345678;
 * undefined if that would be none, or a landline in place of a valid number.
 */
export const withoutRepeatedCode = (given: PhoneNumber): PhoneNumber | undefined => {
  const { countryCallingCode, nationalNumber } = given;
  if (!nationalNumber.startsWith(countryCallingCode)) return undefined;
  const number = parseDigits(`+${nationalNumber}`);
  const isNumber = number?.countryCallingCode === countryCallingCode && number.isValid();
  return isNumber && (isMobile(number) || !given.isValid()) ? number : undefined;
};

interface Readings {
  digits: string;
  national: PhoneNumber;
  international: PhoneNumber;
}

/** Returns the certain reading of digits that begin with the country code of `home`; undefined when neither is. */
const chooseAtHome = ({ digits, national, international }: Readings, home: CountryCode): PhoneNumber | undefined => {
  if (!international.isValid() && isUsual(national, digits)) return national;
  const isInternational = isMobile(international) && !isMobile(national) && isLong(national, home);
  return isInternational ? international : undefined;
};

/** Returns the certain reading of digits that begin with the code of another country; undefined when neither is. */
const chooseAbroad = ({ digits, national, international }: Readings, home: CountryCode): PhoneNumber | undefined => {
  if (!international.isValid() || hasPrefix(national, digits)) return national;
  const isLikely = isMobile(national) || !(isMobile(international) || isLong(national, home));
  return isUsual(national, digits) && isLikely ? national : undefined;
};

/** Returns what digits without a plus can mean in a country: no number, one, or two if neither is certain. */
const readAtHome = (digits: string, home: CountryCode): PhoneNumber[] => {
  const national = readNational(digits, home);
  const international = readInternational(digits);
  if (!international || national?.number === international.number) return national ? [national] : [];
  const isHome = international.countryCallingCode === getCountryCallingCode(home);
  if (!national) return isHome && international.isValid() ? [international] : [];
  const readings = { digits, national, international };
  const certain = isHome ? chooseAtHome(readings, home) : chooseAbroad(readings, home);
  return certain ? [certain] : [national, international];
};

/**
 * Returns the numbers that a clean text can mean: none, the only one, or two if neither is certain. Without `home`, a
 * number needs its country code after a plus or `00`.
 */
export const readPhoneNumber = (text: string, home: CountryCode | undefined): PhoneNumber[] => {
  const international = digitsAfterPlus(text, home);
  if (international === undefined) return home ? readAtHome(digitsOf(text), home) : [];
  const number = readInternational(international);
  return number ? [number] : [];
};

const countDigits = (text: string): number => digitsOf(text).length;

type PhoneReader = (text: string, home: CountryCode | undefined) => PhoneNumber | undefined;

const readValid: PhoneReader = (text, home) => readPhoneNumber(text, home).find((number) => number.isValid());

const readPossible: PhoneReader = (text, home) => readPhoneNumber(text, home)[0];

/** Returns how to read the parts of a text. If the library doesn't know the whole number, it may not know its parts. */
const partReader = (text: string, home: CountryCode | undefined): PhoneReader =>
  readValid(text, home) ? readValid : readPossible;

const partsOf = (text: string): [start: string, end: string][] =>
  [...text.matchAll(/[ ./()-]+/g)].map(({ index }) => [text.slice(0, index), text.slice(index)]);

/** Whether the last slash is before the last digits of a second number, such as in `030 123456/57`. */
const hasAlternativeEnding = (text: string): boolean => {
  const at = text.lastIndexOf('/');
  const ending = countDigits(text.slice(at + 1));
  return at !== -1 && countDigits(text.slice(0, at)) > 6 && ending > 0 && ending < 4;
};

/** Whether a clean text has more than one part that is as long as a phone number. */
export const listsNumbers = (text: string): boolean => {
  const written = text.replace('(0)', '');
  const parts = written.split(/[^\d ]/);
  return parts.filter((part) => countDigits(part) > 6).length > 1 || hasAlternativeEnding(written);
};

/**
 * Whether a text is one number after another, such as `0301234 0304567`. The second one begins with a zero, or as the
 * first one does.
 */
const isPair = (text: string, home: CountryCode | undefined, read: PhoneReader): boolean =>
  partsOf(text).some(([start, end]) => {
    const [before, after] = [digitsOf(start), digitsOf(end)];
    if (before.length < 6 || after.length < 6) return false;
    const first = read(start, home);
    if (!first) return false;
    if (/^0[^0]/.test(after)) return read(`+${first.countryCallingCode}${after}`, home) !== undefined;
    // People who repeat a country code repeat its plus.
    const beginning = /^(\+|00)/.test(start) ? '00' : before.replace(/^0/, '').slice(0, 2);
    const beginsAnew = after.startsWith('00') || after.startsWith(beginning);
    return beginsAnew && read(end, first.country ?? home) !== undefined;
  });

/** Whether a number shares at least a part of its area code, and not only a country code or a zero, with another one. */
const isSibling = (number: PhoneNumber | undefined, shared: string, digits: string): boolean =>
  number !== undefined && (shared === '' || number.nationalNumber.length > digits.length);

/**
 * Whether the last digits can replace those before them, such as in `030/12345 12346` or `030 1234 / 1235`. After a
 * separator that also groups the digits of one number, there must be five on either side.
 */
const endsInSibling = (text: string, home: CountryCode | undefined, read: PhoneReader): boolean => {
  const [, start = '', separator = '', digits = ''] = /^(.*\d)(\D+)(\d+)\D*$/.exec(text) ?? [];
  const [previous = ''] = /\d+$/.exec(start) ?? [];
  const groups = /^[ .-]$/.test(separator) || start.includes(separator);
  const isTooShort = digits.length < 4 || (groups && Math.min(previous.length, digits.length) < 5);
  if (isTooShort || !read(start, home)) return false;
  const area = start.slice(0, -previous.length);
  const sameLength = start.replace(new RegExp(`(\\d\\D*){${digits.length}}$`), '');
  return [area, sameLength].some((shared) => isSibling(read(shared + digits, home), shared, digits));
};

/** Whether a clean text can be more than one number in a row. `home` applies as in `readPhoneNumber`. */
export const joinsNumbers = (text: string, home: CountryCode | undefined): boolean => {
  const read = partReader(text, home);
  return isPair(text, home, read) || endsInSibling(text, home, read);
};

/**
 * Whether a clean text ends in an extension: in parentheses, such as `030 1234567 (12)`, a few digits after many, such as
 * `030 1234567 12`, or any digits after a number that is valid only without them. Direct dialing with a dash, such as
 * `030 1234567-12`, is one number.
 */
export const hasExtension = (text: string, home: CountryCode | undefined): boolean => {
  const at = text.lastIndexOf('(');
  if (at !== -1 && countDigits(text.slice(0, at)) > 6) return true;
  const [, beforeFew] = /^(.*\d{7}) \d{1,3}$/.exec(text) ?? [];
  if (beforeFew && partReader(text, home)(beforeFew, home)) return true;
  return !readValid(text, home) && partsOf(text).some(([start]) => readValid(start, home) !== undefined);
};
