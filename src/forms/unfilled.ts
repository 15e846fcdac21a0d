import { halt, quote } from '../platform/errors';

/** How programs and spreadsheets write that a value is missing. */
export const unfilledWords = [
  ...[
    'null',
    'NULL',
    '(null)',
    'undefined',
    'NaN',
    '[object Object]',
    'Invalid date',
    'Invalid Date',
    'Loading...',
    'Loading…',
  ],
  ...[
    '#N/A',
    '#REF!',
    '#VALUE!',
    '#DIV/0!',
    '#NAME?',
    '#NUM!',
    '#NULL!',
    '#SPILL!',
    '#CALC!',
    '#ERROR!',
    '#n/a',
    '#GETTING_DATA',
    '#BLOCKED!',
    '#FIELD!',
    '#CONNECT!',
  ],
];

/** How people write it, where one value for all would do harm. */
export const peopleWords = ['N/A', 'n/a', '-', '–', 'None', 'none'];

const escapeAll = (words: readonly string[]): string =>
  words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|');

/** One such word, or several, as of a first and a last name. */
const onlyUnfilled = new RegExp(`^(?:${escapeAll(unfilledWords)})(?:[\\s,]{1,5}(?:${escapeAll(unfilledWords)})){0,9}$`);

/** What another app was supposed to replace by a value: `{{name}}`, `*|FNAME|*` and `%FIRSTNAME%`. */
const placeholder = /\{\{[^{}]{1,100}\}\}|\*\|[^\s|*]{1,60}\|\*|(?<![\w%])%[A-Z][A-Z\d_]{2,40}%(?!\w)/;

/**
 * Throws an error that names the field when its text shows that a value is missing, such as `{{name}}`, `#N/A` or one of
 * the other words.
 */
export const refuseUnfilled = (label: string, text: string | undefined, otherWords: readonly string[] = []): void => {
  if (text !== undefined && (placeholder.test(text) || onlyUnfilled.test(text) || otherWords.includes(text))) {
    throw halt(
      `${label}: ${quote(text)} is a placeholder, not a value, so this step did nothing. Map the field again, or check the earlier step.`,
    );
  }
};
