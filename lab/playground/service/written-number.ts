import { findCountry, nameOfCountry } from '../../../src/message/country';
import { parseDigits } from '../../../src/message/phone-reading';

/** A phone number as people write it. */
export interface WrittenNumber {
  /** With spaces, such as `+1 202 555 0123`. */
  text: string;
  country: string | undefined;
}

/** Writes a number in E.164 as people do, and names its country. Returns undefined when it isn't one. */
export const writeNumber = (number: string): WrittenNumber | undefined => {
  const parsed = parseDigits(number);
  if (!parsed) return undefined;
  const country = findCountry(parsed.country ?? '');
  return { text: parsed.formatInternational(), country: country && nameOfCountry(country) };
};
