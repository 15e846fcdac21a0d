import { readE164 } from '../api/e164';

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
