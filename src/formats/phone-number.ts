import type { PhoneNumber } from 'libphonenumber-js/min';
import { e164 } from '../api/fields';
import { readText } from '../forms/input';
import { halt, quote } from '../platform/errors';
import countries from './countries.json';
import { type CountryCode, findCountry } from './country';

/** A number that could be a local one in North America, where people often leave out the country code. */
const northAmericanNumber = /^[2-9]\d{2}[2-9]\d{6}$/;

/** The maximum input length, above that of any phone number with its separators. */
const maxLength = 100;

/** Returns a text with ASCII digits and dashes, without invisible characters. */
const toAscii = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/\p{Cf}|\p{Cc}/gu, '')
    .replace(/\p{Pd}/gu, '-');

/** Removes invisible characters and link prefixes such as `tel:`. Moves a plus out of parentheses. */
const clean = (text: string): string =>
  toAscii(text)
    .trim()
    .replace(/^(tel|sms|whatsapp|callto):(\/\/)?/i, '')
    .replace(/^\(\+/, '+(')
    // Spreadsheets add these to keep or make a number. An empty value after a number leaves a comma.
    .replace(/^'|\.0$|[\s,;]+$/g, '');

const invalidNumber = (label: string, text: string): Error =>
  halt(
    `${label}: ${quote(text)} isn't a complete phone number. Enter only the number, with the country code, such as +12025550123.`,
  );

const severalNumbers = (label: string): Error =>
  halt(`${label}: enter only one phone number. For several people, add a Looping by Zapier step before this one.`);

const localNumber = (label: string, text: string): Error =>
  halt(
    `${label}: ${quote(text)} has no country code. Enter it with one, such as +12025550123, or set the Default Country of your account.`,
  );

const foreignNumber = (label: string, text: string, home: CountryCode): Error =>
  halt(
    `${label}: ${quote(text)} isn't a phone number in the Default Country, ${countries[home]}. For another country, enter a plus and the country code first, such as +12025550123.`,
  );

const digitsOf = (text: string): string => text.replace(/\D/g, '');

const countDigits = (text: string): number => digitsOf(text).length;

/** Whether the last slash is before the last digits of a second number, such as in `030 123456/57`. */
const hasAlternativeEnding = (text: string): boolean => {
  const at = text.lastIndexOf('/');
  const ending = countDigits(text.slice(at + 1));
  return at !== -1 && countDigits(text.slice(0, at)) > 6 && ending > 0 && ending < 4;
};

/** Whether a text contains more than one phone number. */
const hasSeveralNumbers = (text: string): boolean => {
  const start = text.slice(0, 1_000).replace('(0)', '');
  const parts = start.split(/[^\d\p{Zs}]/u);
  return parts.filter((part) => countDigits(part) > 6).length > 1 || hasAlternativeEnding(start);
};

/** Returns a valid phone number; undefined for any other text. */
type ReadNumber = (text: string, country?: CountryCode) => PhoneNumber | undefined;

const loadReader = async (): Promise<ReadNumber> => {
  // Loaded on first use because most runs read no phone number.
  const { parsePhoneNumberFromString } = await import('./phone-library');
  return (text, defaultCountry) => {
    const parsed = parsePhoneNumberFromString(text, { defaultCountry, extract: false });
    // The library takes numbers of some countries that are longer than E.164 allows, such as two numbers with a space.
    return parsed?.isValid() && e164.test(parsed.number) ? parsed : undefined;
  };
};

/**
 * Whether a text is two numbers with a space between them, such as `0301234 0304567`. Both together can be a stranger's
 * number.
 */
const isPair = (text: string, read: ReadNumber, home: CountryCode | undefined): boolean =>
  [...text.matchAll(/\s(?=\(?0)/g)].some(({ index }) => {
    const [start, end] = [text.slice(0, index), text.slice(index)];
    if (countDigits(start) < 7 || countDigits(end) < 7) return false;
    const first = read(start, home);
    return first !== undefined && read(end, first.country) !== undefined;
  });

/** Whether a text ends in an extension, such as `030 1234567 (12)`. Both together can be a stranger's number. */
const hasExtension = (text: string): boolean => {
  const at = text.lastIndexOf('(');
  return at !== -1 && countDigits(text.slice(0, at)) > 6;
};

/** Returns the number that a text means. Without `home`, digits may begin with a country code. */
const interpret = (text: string, read: ReadNumber, home: CountryCode | undefined): PhoneNumber | undefined => {
  const digits = digitsOf(text);
  if (text.startsWith('+')) return read(`+${digits}`);
  const national = home && read(text, home);
  if (national) return national;
  const isInternational = digits.startsWith('00') || !(home || northAmericanNumber.test(digits));
  return isInternational ? read(`+${digits.replace(/^00/, '')}`) : undefined;
};

const parseCountry = (text: string): CountryCode => {
  const country = findCountry(text);
  if (country) return country;
  throw halt(
    `Default Country: ${quote(text)} isn't in the list of countries. Choose one, or enter its two-letter code, such as NL.`,
  );
};

/**
 * Returns a phone number in E.164, from any common format. `country` (an ISO 3166-1 code or English name) applies to a
 * number without a plus or `00`. Throws an error that names the field `label` unless the number is certain, since a
 * wrong guess would message a stranger.
 */
export const parsePhoneNumber = async (label: string, text: string, country: unknown): Promise<string> => {
  const read = await loadReader();
  const chosen = readText(country);
  const home = chosen ? parseCountry(chosen) : undefined;
  if (hasSeveralNumbers(text)) throw severalNumbers(label);
  if (text.length > maxLength) throw invalidNumber(label, text);
  const number = clean(text);
  if (!/^\+?[\d\s().\-/]+$/.test(number)) throw invalidNumber(label, text);
  if (isPair(number, read, home)) throw severalNumbers(label);
  if (hasExtension(number)) throw invalidNumber(label, text);
  const found = interpret(number, read, home);
  if (found) return found.number;
  if (number.startsWith('+')) throw invalidNumber(label, text);
  if (home) throw foreignNumber(label, text, home);
  throw countDigits(number) > 6 && !digitsOf(number).startsWith('00')
    ? localNumber(label, text)
    : invalidNumber(label, text);
};
