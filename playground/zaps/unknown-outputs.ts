import { outputKey, valueAt } from './mapping';
import { findOperation } from './operations';
import { reference, textsOf } from './references';
import { exampleRecord } from './run-step';
import type { FieldValue, Step } from './zap';

/** Whether a step gives data at a path, by its example or its definition. */
const gives = (step: Step, path: string): boolean => {
  if (valueAt(exampleRecord(step), path) !== undefined) return true;
  const wanted = outputKey(path);
  const outputs = step.type === 'own' ? (findOperation(step.place)?.outputs ?? []) : [];
  return outputs.some(({ key }) => wanted === key || wanted.startsWith(`${key}__`));
};

/**
 * Returns a sentence when a value maps data that its step doesn't give, such as after the step got another operation.
 * `label` begins the sentence.
 */
export const findUnknownOutput = (label: string, value: FieldValue, earlier: readonly Step[]): string | undefined => {
  for (const [, number, path = ''] of textsOf(value).flatMap((text) => [...text.matchAll(reference)])) {
    const step = earlier[Number(number) - 1];
    if (step && !gives(step, path)) {
      return `${label} uses "${path}" of step ${number}, which gives no such data. Choose other data.`;
    }
  }
  return undefined;
};
