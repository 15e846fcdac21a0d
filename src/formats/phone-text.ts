/** Phone numbers as text, without the library that knows the world's numbers. */
import { readE164 } from '../api/e164';

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
export const cleanPhoneText = (text: string): string =>
  toAscii(text)
    .trim()
    .replace(/^(tel|sms|whatsapp|callto):(\/\/)?/i, '')
    .replace(/^\(\+/, '+(')
    // Spreadsheets add these to keep or make a number. An empty value after a number leaves a comma.
    .replace(/^'|[\s,;]+$/g, '')
    .replace(/^(\+?\d{7,})\.00?$/, '$1');

/** Whether a clean text has only the characters of a phone number, in an order that one can have. */
export const isPhoneText = (text: string): boolean => /^\+?(?:[\d ./-]|\([\d .-]+\))+$/.test(text);

/** Returns the digits in a text. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '');

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
