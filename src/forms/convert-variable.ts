/** The value of a template's variable as the API takes it. */
import { readDate, readTime } from '../formats/local-time';
import { readNumber } from '../formats/number';
import type { TimeZone } from '../formats/time-zone';
import { halt, quote } from '../platform/errors';
import { refuseUnfilled } from './unfilled';
import type { VariableMeta } from './variable-meta';

/**
 * Returns the value of a variable as the API takes it. `timeZone` (IANA) applies to dates and times with another zone.
 * Throws an error with the variable's label when the value doesn't have its format.
 */
export const convertVariable = (text: string, { format, label }: VariableMeta, timeZone: TimeZone): string => {
  refuseUnfilled(label, text);
  const shown = `${label}: ${quote(text)}`;
  if (format === 'time') {
    const time = readTime(text, timeZone);
    if (!time) throw halt(`${shown} isn't a time. Enter one such as 14:30 or 2:30 pm, or map a date and time.`);
    return time;
  }
  if (format === 'date') {
    const date = readDate(text, timeZone);
    if (!date)
      throw halt(`${shown} is an invalid or ambiguous date. Enter one such as 2026-06-12, or map a date and time.`);
    return date;
  }
  if (format === 'number') {
    const number = readNumber(text);
    if (!number)
      throw halt(
        `${shown} is an invalid or ambiguous number. Enter digits with a point for decimals, such as 1250.50.`,
      );
    return number;
  }
  if (format === 'url' && !/^https?:\/\/[^\s/]/i.test(text)) {
    throw halt(`${shown} isn't a link. Enter the full address, starting with https://.`);
  }
  return text;
};

/** Matches a text that starts like a time or a date and isn't a decimal number, or that contains a time. */
const maybeMoment = /^\d+(?!\.\d+$)\D|^\d{8}|\d\s?[:h]\s?\d/i;

/** Whether only the variable's format tells what to send: a text may need a conversion, or may be no time or date. */
export const dependsOnFormat = (text: string): boolean => {
  const [time, date, number] = [readTime(text, 'UTC'), readDate(text, 'UTC'), readNumber(text)];
  if (text === time || text === date) return false;
  return maybeMoment.test(text) || [time, date, number].some((each) => each !== undefined && each !== text);
};
