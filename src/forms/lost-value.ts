/** Whether a field has the value that it had when the person mapped it. */
import type { Bundle, PlainInputField } from 'zapier-platform-core';
import { readText } from '../formats/mapped-value';
import { halt } from '../platform/errors';
import { unfilledWords } from './unfilled';

/** A value that the person mapped, as the form keeps it. */
const mapping = /\{\{.{0,1000}?\}\}/s;

/** What a run may have in place of a missing value. */
const missing = ['', ...unfilledWords];

/** Returns text without what can't be seen, since Zapier trims it and a blank value is empty. */
const compact = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, '');

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
 * Whether a mapped value may be empty in the text of this run. `form` is the text with its mappings. The text around a
 * value shows that. Between two values without text between them, only both being empty shows.
 */
const mayLackValue = (form: string, text: string): boolean => {
  const around = form.toWellFormed().split(mapping).map(compact);
  const parts = around.filter((part, index) => part || index === 0 || index === around.length - 1);
  const seen = compact(text);
  return parts.slice(1).some((after, index) => {
    const [before, later] = [parts.slice(0, index), parts.slice(index + 2)];
    return missing.some((word) => consistsOf(seen, [...before, `${parts[index]}${compact(word)}${after}`, ...later]));
  });
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
  if (form !== undefined && text !== undefined && mayLackValue(form, text)) {
    throw halt(
      `${label}: a value mapped here is empty in this run, so nothing was sent. Check the earlier step that it comes from, or remove the value from the field.`,
    );
  }
};
