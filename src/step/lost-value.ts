/** Whether a value is missing in a run: by a word for it, by a placeholder, or by the form in which it was mapped. */
import type { Bundle, PlainInputField } from 'zapier-platform-core';
import { readText } from '../text/fold';
import { halt, quote } from './errors';

/** How programs and spreadsheets write that a value is missing. */
export const unfilledWords = [
  ...['null', 'NULL', '(null)', 'undefined', 'NaN', '[object Object]'],
  ...['Invalid date', 'Invalid Date', 'Loading...', 'Loading…'],
  ...['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NUM!', '#NULL!', '#SPILL!'],
  ...['#CALC!', '#ERROR!', '#n/a', '#GETTING_DATA', '#BLOCKED!', '#FIELD!', '#CONNECT!'],
];

/** How people write it in any case, where one value for all would do harm. */
export const peopleWords = ['n/a', '-', '–', 'none', 'null', 'nil'];

const escapeAll = (words: readonly string[]): string =>
  words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|');

/**
 * A name in brackets or between other signs, as tools mark a value that is missing: `{first_name}`, `${name}`, `[First Name]`,
 * `<<name>>` or `%NAME%`.
 */
const mark = String.raw`[$#@%*]?[{[<|%]{1,3}[=$!.#:?~^&@\s]{0,3}[\p{L}\p{N}_][^{}[\]<>%@]{0,99}[}\]>|%]{1,3}[*]?`;

/** Nothing but such a mark or word, or several, as of a first and a last name. */
const empty = `(?:${mark}|${escapeAll(unfilledWords)})`;
const onlyUnfilled = new RegExp(`^${empty}(?:[\\s,]{1,5}${empty}){0,9}$`, 'u');

/** Marks that are no text of a person, wherever they stand. */
const placeholder = /\{\{[^{}]{1,100}\}\}|\*\|[^\s|*]{1,60}\|\*|(?<![\w%])%[A-Z][A-Z\d_]{2,40}%(?!\w)/;

/** Returns a text without the percent-encoding of ASCII, in which a link may have a mark. */
const decodeAscii = (text: string): string =>
  text.replace(/%([2-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/**
 * Throws an error that names the field when its text shows that a value is missing, such as `{{name}}`, `#N/A` or one of
 * the other words.
 */
export const refuseUnfilled = (label: string, text: string | undefined, otherWords: readonly string[] = []): void => {
  if (text === undefined) return;
  const isUnfilled = [text, decodeAscii(text)].some((each) => placeholder.test(each) || onlyUnfilled.test(each));
  if (isUnfilled || otherWords.includes(text.toLowerCase())) {
    throw halt(
      `${label}: ${quote(text)} is a placeholder, not a value, so this step did nothing. Map the field again, or check the earlier step.`,
    );
  }
};

/** Whether a form's value is mapped from an earlier step, so that only a run has it. */
export const isMapped = (value: unknown): boolean => readText(value)?.includes('{{') ?? false;

/** A value that the person mapped, as the form keeps it. */
const mapping = /\{\{[^{}]{0,1000}\}\}/;

const unseen = /[\s\p{Cc}\p{Cf}]+/gu;

/** Returns text without what can't be seen, since Zapier trims it and a blank value is empty. */
const compact = (text: string): string => text.replace(unseen, '');

/** Returns text with a space for what can't be seen. It may be all that separates two values. */
const spaced = (text: string): string => text.replace(unseen, ' ').trim();

const missingWords = [...unfilledWords, ...peopleWords].map((word) => word.toLowerCase());

/** How texts are compared, each with what a run may have in place of a missing value. */
const views = [compact, spaced].map((see) => ({ see, missing: ['', ...missingWords].map(see) }));

/** Stand for the start and the end of a text. Both are unseen, so no text that is compared has them. */
const [start, end] = ['\u0002', '\u0003'];

/** Returns the earliest end of each part in a text that has them in this order, as far as it does. */
const earliestEnds = (text: string, parts: readonly string[]): number[] => {
  let at = 0;
  return parts.map((part) => {
    const found = text.indexOf(part, at);
    at = found === -1 ? Number.POSITIVE_INFINITY : found + part.length;
    return at;
  });
};

const backwards = (text: string): string => text.split('').reverse().join('');

/** Returns the latest start of each part in a text that has them in this order, as far as it does. */
const latestStarts = (text: string, parts: readonly string[]): number[] =>
  earliestEnds(backwards(text), parts.map(backwards).reverse())
    .map((distance) => text.length - distance)
    .reverse();

/**
 * Whether the text of a run can be its form with a `missing` word in place of one mapped value, and anything in place of the
 * others. Of two values without text between them, only both being missing shows.
 */
const mayLackValue = (form: string, given: string, missing: readonly string[]): boolean => {
  const text = start + given + end;
  const parts = (start + form + end).split(mapping).filter(Boolean);
  const [ends, starts] = [earliestEnds(text, parts), latestStarts(text, parts)];
  return parts.slice(1).some((after, index) => {
    // The parts before and after these two need the rest of the text.
    const room = text.slice(ends[index - 1] ?? 0, starts[index + 2]);
    return missing.some((word) => room.includes(`${parts[index]}${word}${after}`));
  });
};

/** Whether the text of a run can have a value that can be seen at every mapping of its form. */
const canHaveValues = (form: string, text: string): boolean => {
  const [first = '', ...others] = form.split(mapping);
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

const isValueLost = (form: string, text: string): boolean =>
  views.some(({ see, missing }) => mayLackValue(see(form), see(text), missing)) ||
  !canHaveValues(spaced(form), spaced(text));

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
  if (form !== undefined && text !== undefined && isValueLost(form.toLowerCase(), text.toLowerCase())) {
    throw halt(
      `${label}: a value mapped here is empty in this run, so nothing was sent. Check the earlier step that it comes from, or remove the value from the field.`,
    );
  }
};
