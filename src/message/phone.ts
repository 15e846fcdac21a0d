/** Phone numbers: how their text is cleaned and compared, and the one number that it certainly is. */

import type { PhoneNumber } from 'libphonenumber-js/max';
import { readE164 } from '../api/e164';
import { halt, quote } from '../step/errors';
import { digitsOf, readText } from '../text/fold';
import { type CountryCode, findCountry, nameOfCountry } from './country';

/**
 * Returns a text as people type phone numbers: ASCII digits, plain spaces and dashes, without invisible characters. Line
 * breaks and tabs stay, since they separate. So do footnote digits, such as `²`, since they aren't part of the number.
 */
const toAscii = (text: string): string =>
  text
    .replace(/\P{No}+/gu, (part) => part.normalize('NFKC'))
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/\p{Cf}/gu, '')
    // The dashes of Japanese keyboards, and the minus of mathematics.
    .replace(/[\p{Pd}\u30fc\uff70\u2212]/gu, '-')
    .replace(/[\u00b7\u30fb\u2022]/g, ' ');

/**
 * Returns a text in ASCII digits and separators, without what surrounds a number: white space, `tel:`, and what
 * spreadsheets add. A plus comes first, also if it was in parentheses.
 */
const cleanPhoneText = (text: string): string =>
  toAscii(text)
    .trim()
    .replace(/^(tel|sms|whatsapp|callto):(\/\/)?/i, '')
    .replace(/^\(\+/, '+(')
    // Spreadsheets add these to keep or make a number. An empty value after a number leaves a comma.
    .replace(/^'|[\s,;]+$/g, '')
    .replace(/^(\+?\d{7,})\.00?$/, '$1');

/** Whether a clean text has only the characters of a phone number, in an order that one can have. */
const isPhoneText = (text: string): boolean => /^\+?(?:[\d ./-]|\([\d .-]+\))+$/.test(text);

/**
 * The digit that the same mobile number may have or lack after its country code, or in Brazil after the area code, and what
 * follows it. Brazilian landlines begin with 2 to 5.
 */
const optionalDigits = [
  { before: '\\+52', digit: '1', after: '\\d{10}' },
  { before: '\\+54', digit: '9', after: '\\d{10}' },
  { before: '\\+55\\d\\d', digit: '9', after: '[6-9]\\d{7}' },
].map(({ before, digit, after }) => ({
  long: new RegExp(`^(${before})${digit}(${after})$`),
  short: new RegExp(`^(${before})(${after})$`),
  digit,
}));

/**
 * Returns the one form of a phone number by which numbers are compared, and to which nothing is sent; undefined for a
 * text that is no number. Messaging apps write Mexican, Argentine and Brazilian mobile numbers in two ways.
 */
export const numberIdentity = (text: string | null | undefined): string | undefined =>
  optionalDigits.reduce((number, { long }) => number?.replace(long, '$1$2'), readE164(text));

/** Returns the spellings in which a service may have a phone number in E.164. */
export const spellingsOf = (number: string): string[] => {
  const short = numberIdentity(number) ?? number;
  return [...new Set([number, short, ...optionalDigits.map((each) => short.replace(each.short, `$1${each.digit}$2`))])];
};

/** The maximum input length, above that of any phone number with its separators. */
const maxLength = 100;

const invalidNumber = (label: string, text: string): Error =>
  halt(
    `${label}: ${quote(text)} isn't a complete phone number. Enter only the number, with the country code, such as +12025550123.`,
  );

/** The id that a messaging app has for a person or a group, such as `US.13491208655302741918` or `1349120865@lid` on WhatsApp. */
const isAppId = (text: string): boolean => /^[a-z]{2}(\.ent)?\.[a-z\d]{1,128}$|^[\w:-]{1,128}@(lid|g\.us)$/i.test(text);

const hiddenNumber = (label: string, text: string): Error =>
  halt(
    `${label}: ${quote(text)} is an app's ID for a person who hides their phone number. Messages go to phone numbers only, so answer this person at Message Link. To look them up, use Contact ID.`,
  );

/** A name that people have in an app in place of a number, such as `@lotte.p`. */
const isUsername = (text: string): boolean => /^@[\p{L}\p{N}._-]{1,64}$/u.test(text);

const usernameOnly = (label: string, text: string): Error =>
  halt(
    `${label}: ${quote(text)} is a username, not a phone number. Messages go to phone numbers only, so answer this person at Message Link.`,
  );

const severalNumbers = (label: string): Error =>
  halt(`${label}: enter only one phone number. For several people, add a Looping by Zapier step before this one.`);

const localNumber = (label: string, text: string): Error =>
  halt(
    `${label}: ${quote(text)} has no plus and country code. Enter it with both, such as +12025550123, or set the Default Country of your account.`,
  );

const foreignNumber = (label: string, text: string, home: CountryCode): Error =>
  halt(
    `${label}: ${quote(text)} isn't a phone number in the Default Country, ${nameOfCountry(home)}. For another country, enter a plus and the country code first, such as +12025550123.`,
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

/** Returns the Default Country. One that can't be read holds up no number that has its own country code. */
const readHome = (number: string, country: unknown): CountryCode | undefined => {
  const chosen = readText(country);
  const hasOwnCode = /^(\+|00)/.test(number);
  if (!chosen) return undefined;
  return hasOwnCode ? findCountry(chosen) : parseCountry(chosen);
};

/** Returns why a clean text isn't a number. `text` is what the person entered. */
const explain = (label: string, text: string, number: string, home: CountryCode | undefined): Error => {
  const digits = digitsOf(number);
  if (number.startsWith('+') || digits.startsWith('00')) return invalidNumber(label, text);
  if (home) return foreignNumber(label, text, home);
  return digits.length > 6 ? localNumber(label, text) : invalidNumber(label, text);
};

const unsafeNumber = (label: string, text: string): Error =>
  halt(
    `${label}: ${quote(text)} is a premium, shared-cost, personal or satellite number, so nothing was sent. A message to it could cost a lot. Enter the person's own mobile number.`,
  );

const countryNotAllowed = (label: string, text: string, country: string | undefined): Error => {
  const known = findCountry(country ?? '');
  const place = known ? nameOfCountry(known) : (country ?? 'no known country');
  return halt(
    `${label}: ${quote(text)} is a number in ${place}, which Send Only To Countries of the account doesn't include, so nothing was sent. Check the number, or add the country there.`,
  );
};

const readCertain = async (label: string, text: string, country: unknown): Promise<PhoneNumber> => {
  // Loaded on first use because most runs read no phone number.
  const { hasExtension, joinsNumbers, listsNumbers, readPhoneNumber, withoutRepeatedCode } = await import(
    './phone-reading'
  );
  const number = cleanPhoneText(text.slice(0, 1_000));
  if (isAppId(number)) throw hiddenNumber(label, text);
  if (isUsername(number)) throw usernameOnly(label, text);
  if (listsNumbers(number)) throw severalNumbers(label);
  if (text.length > maxLength || !isPhoneText(number)) throw invalidNumber(label, text);
  const home = readHome(number, country);
  if (joinsNumbers(number, home)) throw severalNumbers(label);
  if (hasExtension(number, home)) throw invalidNumber(label, text);
  const [one, other] = readPhoneNumber(number, home);
  if (!one) throw explain(label, text, number, home);
  const second = other ?? withoutRepeatedCode(one);
  if (second) throw ambiguousNumber(label, text, one.number, second.number);
  return one;
};

/**
 * Returns a phone number in E.164, from any common format. `country` (an ISO 3166-1 code or English name) applies to a
 * number without a plus or `00`. Throws an error that names the field `label` unless the number is certain, since a
 * wrong guess would message a stranger.
 */
export const parsePhoneNumber = async (label: string, text: string, country: unknown): Promise<string> =>
  (await readCertain(label, text, country)).number;

/**
 * Like `parsePhoneNumber`, for a number that gets a message. Also throws for a number that strangers could earn by, and
 * outside the countries in `allowed`, unless that is empty.
 */
export const parseRecipient = async (
  label: string,
  text: string,
  country: unknown,
  allowed: readonly string[],
): Promise<string> => {
  const number = await readCertain(label, text, country);
  const { countriesOf, isUnsafe } = await import('./phone-reading');
  if (isUnsafe(number)) throw unsafeNumber(label, text);
  const isAllowed = allowed.length === 0 || countriesOf(number).some((each) => allowed.includes(each));
  if (!isAllowed) throw countryNotAllowed(label, text, number.country);
  return number.number;
};
