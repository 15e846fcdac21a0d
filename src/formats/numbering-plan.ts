/** What the library of phone numbers knows about the numbers of a country. */
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
import type { CountryCode } from './country';
import { digitsOf } from './phone-text';

export { getCountryCallingCode, type PhoneNumber } from 'libphonenumber-js/max';

/** Returns the number in a text, valid or not; undefined if its country isn't known or E.164 doesn't allow its length. */
export const parseDigits = (text: string, defaultCountry?: CountryCode): PhoneNumber | undefined => {
  const number = parsePhoneNumberFromString(text, { defaultCountry, extract: false });
  return number && e164.test(number.number) ? number : undefined;
};

/** Whether a number is a mobile one, or one of a country where landlines have the same form. */
export const isMobile = (number: PhoneNumber): boolean => number.getType()?.endsWith('MOBILE') ?? false;

/** Whether people in its country write a number with these digits. They are wrong if its first zero is missing. */
export const isUsual = (number: PhoneNumber, digits: string): boolean =>
  [true, false].some((nationalPrefix) => digitsOf(number.formatNational({ nationalPrefix })) === digits);

/** Whether digits begin with what people dial before a number in its country, mostly a zero. */
export const hasPrefix = (number: PhoneNumber, digits: string): boolean =>
  digits.length > number.nationalNumber.length && isUsual(number, digits);

/** Whether a number is longer than a typical mobile number of a country. Landlines are shorter or as long. */
export const isLong = ({ nationalNumber }: PhoneNumber, home: CountryCode): boolean =>
  nationalNumber.length > (getExampleNumber(home, examples)?.nationalNumber.length ?? 0);

/** Whether a number fits the plan of its country, even if the library doesn't know what kind of number it is. */
export const isInPlan = ({ country, nationalNumber }: PhoneNumber): boolean =>
  country !== undefined && new RegExp(`^(?:${metadata.countries[country]?.[2]})$`).test(nationalNumber);

/** Where the library keeps what people dial before a number inside its country; 0 for nothing. */
const nationalPrefixAt = 5;

/** Whether people in the country of a number dial a zero before it, which is then no part of it. */
export const hasTrunkZero = ({ country }: PhoneNumber): boolean =>
  country === undefined || [metadata.countries[country]].flat()[nationalPrefixAt] === '0';

/** Where the library keeps the patterns of a country's kinds of numbers, such as mobile ones. */
const kindsAt = 11;

/** Whether a country has a kind of number with these digits. */
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
