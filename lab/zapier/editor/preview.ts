import { describeValue, type FieldValue } from '../fields/form';
import { isMapped, resolveToText } from '../fields/mapping';
import { changeValue, type Entered, mapEntries } from '../fields/values';
import { kindOf, type Step } from '../kinds';

const maxLength = 300;

const fill = (value: FieldValue, outputs: readonly unknown[]): FieldValue =>
  changeValue(value, (text) => resolveToText(text, outputs));

/** What the fields of a step would have with these outputs of the steps before, by field. */
export const fillIn = (step: Step, outputs: readonly unknown[]): Entered =>
  mapEntries(kindOf(step).entered(step), (value) => fill(value, outputs));

/** What the fields of a step that map data would have, by field and as short texts. */
export const previewOf = (step: Step, outputs: readonly unknown[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(kindOf(step).entered(step))
      .filter(([, value]) => isMapped(value))
      .map(([key, value]) => [key, describeValue(fill(value, outputs)).slice(0, maxLength)]),
  );
