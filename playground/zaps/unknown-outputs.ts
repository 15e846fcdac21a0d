import { outputKey, valueAt } from './mapping';
import { findOperation } from './operations';
import { reference, textsOf } from './references';
import { exampleRecord } from './run-step';
import type { FieldValue, Step } from './zap';

/** An earlier step, and what it gives while the Zap is built. */
export interface Source {
  step: Step;
  record: unknown;
}

/** Reads what a step gives. */
export const toSource = (step: Step): Source => ({ step, record: exampleRecord(step) });

/** Whether the JSON of another app has a problem, so it's unknown what the app gives. */
const isUnreadable = ({ step, record }: Source): boolean => step.type === 'other' && record === undefined;

/** Whether a step gives data at a path, by its example or its definition. */
const gives = ({ step, record }: Source, path: string): boolean => {
  if (valueAt(record, path) !== undefined) return true;
  const wanted = outputKey(path);
  const outputs = step.type === 'own' ? (findOperation(step.place)?.outputs ?? []) : [];
  return outputs.some(({ key }) => wanted === key || wanted.startsWith(`${key}__`));
};

/**
 * Returns a sentence when a value maps data that its step doesn't give, such as after the step got another operation.
 * `label` begins the sentence.
 */
export const findUnknownOutput = (label: string, value: FieldValue, earlier: readonly Source[]): string | undefined => {
  for (const [, number, path = ''] of textsOf(value).flatMap((text) => [...text.matchAll(reference)])) {
    const source = earlier[Number(number) - 1];
    if (source && isUnreadable(source)) {
      return `${label} uses step ${number}, whose JSON has a problem. Open that step and correct it.`;
    }
    if (source && !gives(source, path)) {
      return `${label} uses "${path}" of step ${number}, which gives no such data. Choose other data.`;
    }
  }
  return undefined;
};
