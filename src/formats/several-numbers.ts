/** Finds texts that join more than one number. Their digits together can be a stranger's number. */
import type { CountryCode } from './country';
import type { PhoneNumber } from './numbering-plan';
import { readPhoneNumber } from './phone-reading';
import { digitsOf } from './phone-text';

const countDigits = (text: string): number => digitsOf(text).length;

type Read = (text: string, home: CountryCode | undefined) => PhoneNumber | undefined;

const readValid: Read = (text, home) => readPhoneNumber(text, home).find((number) => number.isValid());

const readPossible: Read = (text, home) => readPhoneNumber(text, home)[0];

/** Returns how to read the parts of a text. If the library doesn't know the whole number, it may not know its parts. */
const partReader = (text: string, home: CountryCode | undefined): Read =>
  readValid(text, home) ? readValid : readPossible;

/** Returns the two parts of a text at each of its separators. */
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
const isPair = (text: string, home: CountryCode | undefined, read: Read): boolean =>
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
const endsInSibling = (text: string, home: CountryCode | undefined, read: Read): boolean => {
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
