/** Whether a value is missing in a run: by a word for it, by a placeholder, or by the form in which it was mapped. */
import type { Bundle, PlainInputField } from 'zapier-platform-core';
import { readText } from '../formats/text';
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

/** Whether a form's value is mapped from an earlier step, so that only a run has it. */
export const isMapped = (value: unknown): boolean => readText(value)?.includes('{{') ?? false;

/** A value that the person mapped, as the form keeps it. */
const mapping = /\{\{[^{}]{0,1000}\}\}/;

/** What a run may have in place of a missing value. The words of people would be one value for all. */
const missing = ['', ...unfilledWords, ...peopleWords];

const unseen = /[\s\p{Cc}\p{Cf}]+/gu;

/** Returns text without what can't be seen, since Zapier trims it and a blank value is empty. */
const compact = (text: string): string => text.replace(unseen, '');

/** Returns text with a space for what can't be seen. It may be all that separates two values. */
const spaced = (text: string): string => text.replace(unseen, ' ');

/** Returns the earliest place where each part can begin, after the parts before it. The first part starts the text. */
const earliest = (text: string, parts: readonly string[]): number[] => {
  const places = [0];
  for (const [index, part] of parts.entries()) {
    const found = text.indexOf(part, places[index]);
    const isThere = index === 0 ? text.startsWith(part) : found !== -1;
    places.push(isThere ? found + part.length : Number.POSITIVE_INFINITY);
  }
  return places;
};

/** Returns the latest place where the text before each part can end. The last part ends the text. */
const latest = (text: string, parts: readonly string[]): number[] => {
  const places = [text.length];
  for (const [index, part] of parts.toReversed().entries()) {
    const at = (places[index] ?? 0) - part.length;
    const isThere = index === 0 ? text.endsWith(part) : at >= 0;
    const found = index === 0 ? at : text.lastIndexOf(part, at);
    places.push(isThere && found !== -1 ? found : Number.NEGATIVE_INFINITY);
  }
  return places.toReversed();
};

/**
 * Whether a mapped value may be missing in the text of this run. `around` is the text of the form around its mappings,
 * which shows that, as `see` sees it. Between two values without text between them, only both being missing shows.
 */
const mayLackValue = (around: readonly string[], text: string, see: (text: string) => string): boolean => {
  const parts = around.map(see).filter((part, index) => part || index === 0 || index === around.length - 1);
  const seen = see(text);
  const [starts, ends] = [earliest(seen, parts), latest(seen, parts)];
  return parts.slice(1).some((after, index) => {
    const [from = 0, to = 0] = [starts[index], ends[index + 2]];
    if (from > to) return false;
    const [isFirst, isLast] = [index === 0, index + 2 === parts.length];
    return missing.some((word) => {
      const gap = `${parts[index]}${see(word)}${after}`;
      const between = seen.slice(from, to);
      if (isFirst && isLast) return between === gap;
      if (isFirst) return between.startsWith(gap);
      return isLast ? between.endsWith(gap) : between.includes(gap);
    });
  });
};

/** Whether a text can have a value at every mapping. `around` is the text of the form around them. */
const canHaveValues = (around: readonly string[], text: string): boolean => {
  const [first = '', ...others] = around;
  const last = others.pop();
  if (last === undefined) return true;
  let rest = text.slice(first.length);
  for (const part of others) {
    // After the first character that can be seen.
    const found = rest.indexOf(part, rest.search(/\S/) + 1);
    if (found <= 0) return false;
    rest = rest.slice(found + part.length);
  }
  return rest.length > last.length && /\S/.test(rest.slice(0, rest.length - last.length));
};

/** Whether a value that the form maps is missing in the text of this run. */
const isValueLost = (form: string, text: string): boolean => {
  const typed = form.toWellFormed().split(mapping);
  // The text of a run is trimmed.
  const around = typed.map(spaced).with(0, spaced(typed[0] ?? '').trimStart());
  const trimmed = around.with(-1, around.at(-1)?.trimEnd() ?? '');
  const seen = spaced(text).trim();
  return mayLackValue(typed, text, compact) || mayLackValue(trimmed, seen, spaced) || !canHaveValues(trimmed, seen);
};

/**
 * Throws an error that names the field when it's filled in, but a value in it is empty in this run. For fields that
 * prevent harm: without its value, the step would do what the person wanted to prevent.
 */
export const refuseLostValue = ({ key, label }: PlainInputField, { inputData, inputDataRaw }: Bundle): void => {
  const text = readText(inputData[key]);
  const form = readText(inputDataRaw?.[key]);
  // Without the form, such as when an AI agent runs the step, only the value itself tells.
  const isFilledIn = inputDataRaw ? form !== undefined : key in inputData;
  if (isFilledIn && text === undefined) {
    throw halt(
      `${label}: the value for this run is empty, so nothing was sent. Check the earlier step that it comes from, or clear the field.`,
    );
  }
  if (form !== undefined && text !== undefined && isValueLost(form, text)) {
    throw halt(
      `${label}: a value mapped here is empty in this run, so nothing was sent. Check the earlier step that it comes from, or remove the value from the field.`,
    );
  }
};
