import { readText } from '../forms/input';
import { halt, quote } from '../platform/errors';
import { type CountryCode, findCountry } from './country';

/** Ten digits that could be a local number in North America, where people leave out the country code most often. */
const northAmerican = /^[2-9]\d{2}[2-9]\d{6}$/;

/** Longer than any phone number, with all that people write around it. */
const maxLength = 100;

/** The digits and signs of any script as those of a keyboard, without what cannot be seen. */
const toAscii = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/\p{Cf}|\p{Cc}/gu, '')
    .replace(/\p{Pd}/gu, '-');

/** Takes out what phone books and web pages put around and between the digits. */
const tidy = (text: string): string => {
  // Most numbers are plain, and looking Unicode up costs more than all the rest.
  const plain = /^[ -~]*$/.test(text) ? text : toAscii(text);
  return plain
    .trim()
    .replace(/^(tel|sms|whatsapp|callto):(\/\/)?/i, '')
    .trim();
};

const refuse = (label: string, text: string): Error =>
  halt(
    `${label}: ${quote(text)} is not a complete phone number. Use the international form, such as +31612345678, or choose a Default Country.`,
  );

/** Whether a text holds more than one phone number. */
const holdsSeveral = (text: string): boolean => {
  const parts = text.slice(0, 1_000).split(/[,;|+\n]|\s(?:and|or|&|\/)\s/i);
  return parts.filter((part) => part.replace(/\D/g, '').length > 6).length > 1;
};

const parseCountry = (text: string): CountryCode => {
  const country = findCountry(text);
  if (country) return country;
  throw halt(
    `Default Country: ${quote(text)} is not a country. Choose one from the list, or use its code, such as NL.`,
  );
};

/**
 * Reads a phone number in any format that people type and returns it in E.164. A number without a country code is read
 * as one of `country`, an ISO 3166-1 code or a name. Throws a sentence that names the field `label` when it isn't certain
 * which number is meant, since a guess would write to a stranger.
 */
export const parsePhoneNumber = async (label: string, text: string, country: unknown): Promise<string> => {
  // Loaded on first use because most runs have no phone number to read.
  const { parsePhoneNumberFromString } = await import('./phone-library');
  const chosen = readText(country);
  const home = chosen ? parseCountry(chosen) : undefined;
  if (holdsSeveral(text)) {
    throw halt(`${label}: enter one phone number. For several people, add a Looping by Zapier step before this one.`);
  }
  if (text.length > maxLength) throw refuse(label, text);
  const number = tidy(text);
  if (!/^\+?[\d\s().\-/]+$/.test(number)) throw refuse(label, text);
  const read = (candidate: string, defaultCountry?: CountryCode): string | undefined => {
    const parsed = parsePhoneNumberFromString(candidate, { defaultCountry, extract: false });
    return parsed?.isValid() ? parsed.number : undefined;
  };
  const digits = number.replace(/\D/g, '');
  if (number.startsWith('+')) {
    const international = read(`+${digits}`);
    if (international) return international;
    throw refuse(label, text);
  }
  const national = home && read(number, home);
  if (national) return national;
  const abroad = digits.startsWith('00') ? digits.slice(2) : digits;
  const international = !home && northAmerican.test(digits) ? undefined : read(`+${abroad}`);
  if (international) return international;
  throw refuse(label, text);
};
