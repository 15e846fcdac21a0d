import type { Definition } from '../core/definition';
import type { FieldValue } from '../fields/form';
import { readRecord } from '../fields/json-record';
import { numbersIn, outputKey, reference, textsOf, valueAt } from '../fields/mapping';
import { findBrokenReference } from '../fields/references';
import type { Problems } from '../fields/values';
import { kindOf, type Step } from '../kinds';
import { leadingTo } from '../zap/paths';
import { exampleOf, findBrokenStep, hasRecord } from '../zap/steps';

/** A step's error starts with the label of its field, so that the form can show it there. Of two labels, the longer one. */
export const findFailedField = (step: Step, message: string): Problems => {
  const named = kindOf(step)
    .fields(step)
    .filter(({ label }) => message.startsWith(`${label}:`) || message.startsWith(`${label} `))
    .sort((one, other) => other.label.length - one.label.length);
  return named[0] ? { [named[0].key]: message } : {};
};

/** An earlier step, and what it gives while the Zap is built. */
interface Source {
  step: Step;
  record: unknown;
}

/** Reads what a step gives. */
export const toSource = (definition: Definition, step: Step): Source => ({ step, record: exampleOf(definition, step) });

/** Whether a step gives data at a path, by its example or its definition. */
const gives = (definition: Definition, { step, record }: Source, path: string): boolean => {
  if (valueAt(record, path) !== undefined) return true;
  const wanted = outputKey(path);
  const outputs = kindOf(step).outputs(step, definition);
  return outputs.some(({ key }) => wanted === key || wanted.startsWith(`${key}__`));
};

/**
 * Returns a sentence when a value maps data that its step doesn't give, such as after the step got another operation.
 * `label` begins the sentence.
 */
export const findUnknownOutput = (
  definition: Definition,
  label: string,
  value: FieldValue,
  earlier: readonly Source[],
): string | undefined => {
  for (const [, number, path = ''] of textsOf(value).flatMap((text) => [...text.matchAll(reference)])) {
    const source = earlier[Number(number) - 1];
    if (source && source.record === undefined) {
      return `${label} uses step ${number}, whose JSON has a problem. Open that step and correct it.`;
    }
    if (source && !gives(definition, source, path)) {
      return `${label} uses "${path}" of step ${number}, but that step has no such data. Choose other data.`;
    }
  }
  return undefined;
};

/** Returns a sentence when a value maps data of a step that isn't among those that lead here, or undefined. */
const findOtherPath = (name: string, value: FieldValue, readable: readonly number[]): string | undefined => {
  const other = numbersIn(value).find((number) => !readable.includes(number - 1));
  return other === undefined ? undefined : `${name} uses step ${other}, which is on another path. Choose other data.`;
};

/** Finds the fields of a step that map data that no earlier step gives. */
const findBrokenMappings = (definition: Definition, step: Step, earlier: readonly Step[]): Problems => {
  const problems: Problems = {};
  const sources = earlier.map((each) => toSource(definition, each));
  const readable = leadingTo([...earlier, step], earlier.length);
  for (const mapped of kindOf(step).mapped(step)) {
    const { key, name, value } = mapped;
    if (key === undefined) continue;
    const problem =
      findBrokenReference(mapped, earlier.length) ??
      findOtherPath(name, value, readable) ??
      findUnknownOutput(definition, name, value, sources);
    if (problem) problems[key] ??= problem;
  }
  return problems;
};

const findInvalidRecord = (step: Step): Problems => {
  const { problem } = hasRecord(step) ? readRecord(step.json) : {};
  return problem ? { json: problem } : {};
};

/** Finds what a step shows at once: data that no earlier step gives, and JSON that isn't valid. */
export const findShownProblems = (definition: Definition, step: Step, earlier: readonly Step[]): Problems => ({
  ...findInvalidRecord(step),
  ...findBrokenMappings(definition, step, earlier),
});

/** Finds what keeps a step from running, as the editor does before it runs the step. */
export const findStepProblems = (definition: Definition, step: Step, earlier: readonly Step[]): Problems => {
  const problems = {
    ...kindOf(step).unfilled(step, definition, earlier.length === 0),
    ...findShownProblems(definition, step, earlier),
  };
  // A value may be of a field that the form no longer has.
  const broken = findBrokenStep(step, earlier.length);
  return Object.keys(problems).length === 0 && broken ? { operation: broken } : problems;
};
