import { halt, quote } from '../platform/errors';

/** How programs and spreadsheets write that a value is missing. */
export const unfilledWords = [
  ...[
    'null',
    '(null)',
    'undefined',
    'NaN',
    '[object Object]',
    'Invalid date',
    'Invalid Date',
    'Loading...',
    'Loading…',
  ],
  ...['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NUM!', '#NULL!', '#SPILL!', '#CALC!', '#ERROR!'],
];

const escapeAll = (words: readonly string[]): string =>
  words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|');

/** One such word, or several, as of a first and a last name. */
const onlyUnfilled = new RegExp(`^(?:${escapeAll(unfilledWords)})(?:\\s{1,5}(?:${escapeAll(unfilledWords)})){0,9}$`);

/** What another app was supposed to replace by a value: `{{name}}`, `*|FNAME|*` and `%FIRSTNAME%`. */
const placeholder = /\{\{[^{}]{1,100}\}\}|\*\|[^\s|*]{1,60}\|\*|%[A-Z][A-Z\d_]{2,40}%/;

/** Throws an error that names the field when its text shows that a value is missing, such as `{{name}}` or `#N/A`. */
export const refuseUnfilled = (label: string, text: string | undefined): void => {
  if (text !== undefined && (placeholder.test(text) || onlyUnfilled.test(text))) {
    throw halt(
      `${label}: ${quote(text)} is a placeholder, not a value, so this step did nothing. Map the field again, or check the earlier step.`,
    );
  }
};
