import { halt, quote } from '../platform/errors';

/** A value that another app or an earlier step was supposed to fill in. */
const unfilled = /\{\{[^{}]{1,100}\}\}|^(null|undefined|NaN|\[object Object\])$/;

/** Throws an error that names the field when its text shows that a value is missing, such as `{{name}}` or `null`. */
export const refuseUnfilled = (label: string, text: string | undefined): void => {
  if (text !== undefined && unfilled.test(text)) {
    throw halt(
      `${label}: ${quote(text)} isn't filled in, so this step did nothing. Map the value again, or check the earlier step.`,
    );
  }
};
