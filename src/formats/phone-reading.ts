/** Which numbers digits can mean. */
import type { CountryCode } from './country';
import {
  getCountryCallingCode,
  hasPrefix,
  hasTrunkZero,
  isInPlan,
  isLong,
  isMobile,
  isUsual,
  type PhoneNumber,
  parseDigits,
} from './numbering-plan';
import { digitsOf } from './phone-text';

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
 * Returns the mobile number that a number is if its country code stands there twice, such as +31612345678 for
 * +31 31 6 12345678; undefined if that would be none.
 */
export const withoutRepeatedCode = ({ countryCallingCode, nationalNumber }: PhoneNumber): PhoneNumber | undefined => {
  if (!nationalNumber.startsWith(countryCallingCode)) return undefined;
  const number = parseDigits(`+${nationalNumber}`);
  return number?.countryCallingCode === countryCallingCode && number.isValid() && isMobile(number) ? number : undefined;
};

/** What digits mean in a country, and what they mean after a plus. */
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
