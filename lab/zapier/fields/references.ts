import type { FieldValue } from './form';
import { numbersIn, reference, textsOf } from './mapping';

/** A reference to a step that was removed, such as `{{removed.contact.phone}}`. */
const removedReference = /\{\{removed\.[^{}]{1,200}\}\}/;

/** Opening braces that begin no reference, or a reference without its first brace. */
const halfReference = /\{\{|\{\d{1,4}\.[^{}]{1,200}\}\}/;

const maxShownLength = 40;

/** Returns what is left of a broken reference, from its first brace, or undefined. */
const findHalfReference = (text: string): string | undefined => {
  const rest = text.replaceAll(reference, '\n');
  const found = rest.match(halfReference)?.index;
  return found === undefined ? undefined : rest.slice(found, found + maxShownLength).split('\n')[0];
};

/** A value that a step maps. */
export interface MappedValue {
  /** The field that shows a problem with it. Undefined when the form has no such field. */
  key: string | undefined;
  /** What begins a sentence about it, such as the label of the field. */
  name: string;
  value: FieldValue;
}

/**
 * Returns a sentence when a value maps data that no step before gives, or has half a reference, or undefined.
 * `earlierSteps` is how many steps come before.
 */
export const findBrokenReference = ({ name, value }: MappedValue, earlierSteps: number): string | undefined => {
  const texts = textsOf(value);
  if (texts.some((text) => removedReference.test(text))) {
    return `${name} uses data of a step that was removed. Choose other data.`;
  }
  const half = texts.flatMap((text) => findHalfReference(text) ?? [])[0];
  if (half !== undefined) {
    return `${name} has only part of a mapped value, "${half}". Delete that part and choose the value again.`;
  }
  const missing = numbersIn(value).find((number) => number < 1 || number > earlierSteps);
  if (missing === undefined) return undefined;
  return `${name} uses step ${missing}, which isn't an earlier step of this Zap. Choose other data.`;
};
