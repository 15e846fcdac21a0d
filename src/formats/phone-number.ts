import { halt, quote } from '../platform/errors';
import countries from './countries.json';
import { type CountryCode, findCountry } from './country';
import { readText } from './mapped-value';
import { cleanPhoneText, digitsOf, isPhoneText } from './phone-text';

/** The maximum input length, above that of any phone number with its separators. */
const maxLength = 100;

const invalidNumber = (label: string, text: string): Error =>
  halt(
    `${label}: ${quote(text)} isn't a complete phone number. Enter only the number, with the country code, such as +12025550123.`,
  );

const severalNumbers = (label: string): Error =>
  halt(`${label}: enter only one phone number. For several people, add a Looping by Zapier step before this one.`);

const localNumber = (label: string, text: string): Error =>
  halt(
    `${label}: ${quote(text)} has no plus and country code. Enter it with both, such as +12025550123, or set the Default Country of your account.`,
  );

const foreignNumber = (label: string, text: string, home: CountryCode): Error =>
  halt(
    `${label}: ${quote(text)} isn't a phone number in the Default Country, ${countries[home]}. For another country, enter a plus and the country code first, such as +12025550123.`,
  );

const ambiguousNumber = (label: string, text: string, one: string, other: string): Error =>
  halt(`${label}: ${quote(text)} can be ${one} or ${other}. Enter the right one, with its plus and country code.`);

const parseCountry = (text: string): CountryCode => {
  const country = findCountry(text);
  if (country) return country;
  throw halt(
    `Default Country: ${quote(text)} isn't in the list of countries. Choose one, or enter its two-letter code, such as NL.`,
  );
};

/** Returns why a clean text isn't a number. `text` is what the person entered. */
const explain = (label: string, text: string, number: string, home: CountryCode | undefined): Error => {
  const digits = digitsOf(number);
  if (number.startsWith('+') || digits.startsWith('00')) return invalidNumber(label, text);
  if (home) return foreignNumber(label, text, home);
  return digits.length > 6 ? localNumber(label, text) : invalidNumber(label, text);
};

/**
 * Returns a phone number in E.164, from any common format. `country` (an ISO 3166-1 code or English name) applies to a
 * number without a plus or `00`. Throws an error that names the field `label` unless the number is certain, since a
 * wrong guess would message a stranger.
 */
export const parsePhoneNumber = async (label: string, text: string, country: unknown): Promise<string> => {
  // Loaded on first use because most runs read no phone number.
  const { readPhoneNumber } = await import('./phone-reading');
  const { hasExtension, joinsNumbers, listsNumbers } = await import('./several-numbers');
  const chosen = readText(country);
  const home = chosen ? parseCountry(chosen) : undefined;
  const number = cleanPhoneText(text.slice(0, 1_000));
  if (listsNumbers(number)) throw severalNumbers(label);
  if (text.length > maxLength || !isPhoneText(number)) throw invalidNumber(label, text);
  if (joinsNumbers(number, home)) throw severalNumbers(label);
  if (hasExtension(number, home)) throw invalidNumber(label, text);
  const [one, other] = readPhoneNumber(number, home);
  if (!one) throw explain(label, text, number, home);
  if (other) throw ambiguousNumber(label, text, one.number, other.number);
  return one.number;
};
