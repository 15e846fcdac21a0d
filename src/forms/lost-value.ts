/** Whether a field has the value that it had when the person mapped it. */
import type { Bundle, PlainInputField } from 'zapier-platform-core';
import { readText } from '../formats/mapped-value';
import { halt } from '../platform/errors';
import { unfilledWords } from './unfilled';

/** A value that the person mapped, as the form keeps it. */
const mapping = /\{\{.{0,1000}?\}\}/s;

/** What a run may have in place of a missing value. */
const missing = ['', ...unfilledWords];

const unseen = /[\s\p{Cc}\p{Cf}]+/gu;

/** Returns text without what can't be seen, since Zapier trims it and a blank value is empty. */
const compact = (text: string): string => text.replace(unseen, '');

/** Returns text with a space for what can't be seen. It may be all that separates two values. */
const spaced = (text: string): string => text.replace(unseen, ' ');

/** Whether a text has these parts in this order, from its start to its end, and anything between them. */
const consistsOf = (text: string, [first = '', ...others]: readonly string[]): boolean => {
  const last = others.pop();
  if (last === undefined) return text === first;
  const end = text.length - last.length;
  let at = first.length;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= end;
};

/**
 * Whether a mapped value may be missing in the text of this run. `around` is the text of the form around its mappings,
 * which shows that, as `see` sees it. Between two values without text between them, only both being missing shows.
 */
const mayLackValue = (around: readonly string[], text: string, see: (text: string) => string): boolean => {
  const parts = around.map(see).filter((part, index) => part || index === 0 || index === around.length - 1);
  const seen = see(text);
  return parts.slice(1).some((after, index) => {
    const [before, later] = [parts.slice(0, index), parts.slice(index + 2)];
    return missing.some((word) => consistsOf(seen, [...before, `${parts[index]}${see(word)}${after}`, ...later]));
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
