import { readE164 } from '../api/fields';

/**
 * The same mobile number in two spellings: with a 1 after +52 or a 9 after +54 and ten digits, with a 9 after +55 and the area
 * code, or without it. Brazilian landlines begin with 2 to 5.
 */
const optionalDigit = /^\+(?:(52)1(?=\d{10}$)|(54)9(?=\d{10}$)|(55\d\d)9(?=[6-9]\d{7}$))/;

/**
 * Returns the one form of a phone number by which numbers are compared, and to which nothing is sent; undefined for a
 * text that is no number. Messaging apps write Mexican, Argentine and Brazilian mobile numbers in two ways.
 */
export const numberIdentity = (text: string | null | undefined): string | undefined =>
  readE164(text)?.replace(optionalDigit, '+$1$2$3');
