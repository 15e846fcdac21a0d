import { isDeepStrictEqual } from 'node:util';
import type { Definition } from './definition';
import { type Field, type FieldValue, isEmpty } from './form';
import { readRecord } from './json-record';
import { isMapped, outputKey, reference, textsOf, valueAt } from './mapping';
import type { OwnStep, Step } from './zap';

/** A step's error starts with the label of its field, so that the form can show it there. */
export const findFailedField = ({ form }: OwnStep, message: string): Problems => {
  const field = form?.fields.find(({ label }) => message.startsWith(`${label}:`) || message.startsWith(`${label} `));
  return field ? { [field.key]: message } : {};
};

/** The problems as a step keeps them, each with the value that it is about. */
export const toKeptProblems = ({ values }: OwnStep, problems: Problems): OwnStep['problems'] =>
  Object.fromEntries(Object.entries(problems).map(([key, sentence]) => [key, { sentence, value: values[key] ?? '' }]));

/** The problems that a step keeps and whose fields haven't changed since. */
export const keptProblems = (step: Step): Problems => {
  if (step.type !== 'own') return {};
  const kept = Object.entries(step.problems ?? {});
  const same = kept.filter(([key, { value }]) => isDeepStrictEqual(value, step.values[key] ?? ''));
  return Object.fromEntries(same.map(([key, { sentence }]) => [key, sentence]));
};

/** Sentences by the key of a field. */
export type Problems = Record<string, string>;

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

/**
 * Returns a sentence when a value maps data that no step before gives, or has half a reference, or undefined. `name` begins the sentence, such
 * as the label of a field. `earlierSteps` is how many steps come before.
 */
const findBrokenReference = (name: string, value: FieldValue, earlierSteps: number): string | undefined => {
  const texts = textsOf(value);
  if (texts.some((text) => removedReference.test(text))) {
    return `${name} uses data of a step that was removed. Choose other data.`;
  }
  const half = texts.flatMap((text) => findHalfReference(text) ?? [])[0];
  if (half !== undefined) {
    return `${name} has a part of a mapped value, "${half}". Delete that part and choose the value again.`;
  }
  const missing = texts
    .flatMap((text) => [...text.matchAll(reference)].map((match) => Number(match[1])))
    .find((number) => number < 1 || number > earlierSteps);
  if (missing === undefined) return undefined;
  return `${name} uses step ${missing}, which isn't an earlier step of this Zap. Choose other data.`;
};

/** Returns a sentence about the first text of a step that maps data that no step before gives, or undefined. */
export const findBrokenStep = (step: Step, earlierSteps: number): string | undefined => {
  if (step.type === 'delay') return undefined;
  const values: Record<string, FieldValue> = step.type === 'own' ? step.values : step.fields;
  for (const [key, value] of Object.entries(values)) {
    const problem = findBrokenReference(`The field ${key}`, value, earlierSteps);
    if (problem) return problem;
  }
  return findBrokenReference('The filter', step.onlyIf?.value ?? '', earlierSteps);
};

/** An earlier step, and what it gives while the Zap is built. */
interface Source {
  step: Step;
  record: unknown;
}

/** Reads what a step gives. */
export const toSource = (definition: Definition, step: Step): Source => ({ step, record: definition.exampleOf(step) });

/** Whether the JSON of another app has a problem, so it's unknown what the app gives. */
const isUnreadable = ({ step, record }: Source): boolean => step.type === 'other' && record === undefined;

/** Whether a step gives data at a path, by its example or its definition. */
const gives = (definition: Definition, { step, record }: Source, path: string): boolean => {
  if (valueAt(record, path) !== undefined) return true;
  const wanted = outputKey(path);
  const outputs = step.type === 'own' ? (definition.find(step.operation)?.outputs ?? []) : [];
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
    if (source && isUnreadable(source)) {
      return `${label} uses step ${number}, whose JSON has a problem. Open that step and correct it.`;
    }
    if (source && !gives(definition, source, path)) {
      return `${label} uses "${path}" of step ${number}, which gives no such data. Choose other data.`;
    }
  }
  return undefined;
};

/** The values that a step maps, each with the key where its form shows the problem and the name that begins it. */
const mappedValues = (step: Step): { key: string; name: string; value: FieldValue }[] => {
  if (step.type === 'delay') return [];
  const filter = { key: 'filter', name: 'The filter', value: step.onlyIf?.value ?? '' };
  const mapped =
    step.type === 'own'
      ? (step.form?.fields ?? []).map(({ key, label }) => ({ key, name: label, value: step.values[key] ?? '' }))
      : Object.entries(step.fields).map(([name, value]) => ({ key: 'fields', name: `The field ${name}`, value }));
  return [...mapped, filter];
};

/** Finds the fields of a step that map data that no earlier step gives. */
const findBrokenMappings = (definition: Definition, step: Step, earlier: readonly Step[]): Problems => {
  const problems: Problems = {};
  const sources = earlier.map((each) => toSource(definition, each));
  for (const { key, name, value } of mappedValues(step)) {
    const problem =
      findBrokenReference(name, value, earlier.length) ?? findUnknownOutput(definition, name, value, sources);
    if (problem) problems[key] ??= problem;
  }
  return problems;
};

const isNotNumber = ({ type }: Field, value: FieldValue): boolean =>
  (type === 'integer' || type === 'number') &&
  textsOf(value).some((text) => text.trim() !== '' && !isMapped(text) && !Number.isFinite(Number(text)));

/** What is wrong with the JSON of another app's step. */
const findJsonProblems = (step: Step): Problems => {
  const json = step.type === 'other' ? readRecord(step.json).problem : undefined;
  return json ? { json } : {};
};

/** Finds what a step shows at once: data that no earlier step gives, and JSON that isn't valid. */
export const findShownProblems = (definition: Definition, step: Step, earlier: readonly Step[]): Problems => ({
  ...findJsonProblems(step),
  ...findBrokenMappings(definition, step, earlier),
});

const findUnfilled = ({ form, values }: OwnStep): Problems => {
  const problems: Problems = {};
  for (const field of form?.fields ?? []) {
    const { key, label, required, type } = field;
    const value = values[key] ?? '';
    if (required && type !== 'copy' && isEmpty(value)) problems[key] = `${label} is empty. Fill it in and try again.`;
    if (isNotNumber(field, value)) {
      problems[key] = `${label} takes a number, not "${textsOf(value).join(', ').slice(0, 40)}".`;
    }
  }
  return problems;
};

/** Finds what keeps a step from running, as the editor does before it runs the step. */
export const findStepProblems = (definition: Definition, step: Step, earlier: readonly Step[]): Problems => {
  const problems = {
    ...(step.type === 'own' && findUnfilled(step)),
    ...findShownProblems(definition, step, earlier),
  };
  // A value may be of a field that the form no longer has.
  const broken = findBrokenStep(step, earlier.length);
  return Object.keys(problems).length === 0 && broken ? { operation: broken } : problems;
};
