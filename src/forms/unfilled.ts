import { halt, quote } from '../platform/errors';

/** How other apps write that a value is missing. */
export const unfilledWords = ['null', 'undefined', 'NaN', '[object Object]'];

/** A value that another app or an earlier step was supposed to fill in. */
const placeholder = /\{\{[^{}]{1,100}\}\}/;

/** Throws an error that names the field when its text shows that a value is missing, such as `{{name}}` or `null`. */
export const refuseUnfilled = (label: string, text: string | undefined): void => {
  if (text !== undefined && (placeholder.test(text) || unfilledWords.includes(text))) {
    throw halt(
      `${label}: ${quote(text)} is a placeholder, not a value, so this step did nothing. Map the field again, or check the earlier step.`,
    );
  }
};
