import { isDeepStrictEqual } from 'node:util';
import type { Definition } from './definition';
import { type Field, type FieldValue, isEmpty } from './form';
import { readRecord } from './json-record';
import { isMapped, numbersIn, outputKey, reference, textsOf, valueAt } from './mapping';
import { leadingTo } from './paths';
import { comparesNumbers, type Rule, takesText } from './rules';
import { hasRules, type OtherStep, type OwnStep, type RulesStep, type Step } from './zap';

/** A step's error starts with the label of its field, so that the form can show it there. */
export const findFailedField = ({ form }: OwnStep, message: string): Problems => {
  const field = form?.fields.find(({ label }) => message.startsWith(`${label}:`) || message.startsWith(`${label} `));
  return field ? { [field.key]: message } : {};
};

/** The values of the fields that a sentence names, such as the Default Country of a phone number. */
const valuesNamedIn = (sentence: string, { form, values }: OwnStep): OwnStep['values'] => {
  const named = (form?.fields ?? []).filter(({ label }) => sentence.includes(label));
  return Object.fromEntries(named.map(({ key }) => [key, values[key] ?? '']));
};

/** The problems as a step keeps them, each with the values that it is about. */
export const toKeptProblems = (step: OwnStep, problems: Problems): OwnStep['problems'] =>
  Object.fromEntries(
    Object.entries(problems).map(([key, sentence]) => [
      key,
      { sentence, value: step.values[key] ?? '', others: valuesNamedIn(sentence, step) },
    ]),
  );

/** The problems that a step keeps and whose fields haven't changed since. */
export const keptProblems = (step: Step): Problems => {
  if (step.type !== 'own') return {};
  const isSame = ([key, value]: [string, FieldValue]) => isDeepStrictEqual(value, step.values[key] ?? '');
  const kept = Object.entries(step.problems ?? {});
  const same = kept.filter(([key, { value, others }]) => Object.entries({ ...others, [key]: value }).every(isSame));
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
    return `${name} has only part of a mapped value, "${half}". Delete that part and choose the value again.`;
  }
  const missing = numbersIn(value).find((number) => number < 1 || number > earlierSteps);
  if (missing === undefined) return undefined;
  return `${name} uses step ${missing}, which isn't an earlier step of this Zap. Choose other data.`;
};

/** A value that a step maps, with the key where its form shows a problem and the name that begins the sentence. */
interface MappedValue {
  key: string;
  name: string;
  value: FieldValue;
}

/** Every value of a step of this app, also of fields that its form no longer has. */
const ownValues = ({ values }: OwnStep): MappedValue[] =>
  Object.entries(values).map(([key, value]) => ({ key, name: `The field ${key}`, value }));

const valuesOfRule = ({ value, text }: Rule, at: number): MappedValue[] => [
  { key: `value-${at}`, name: `Rule ${at + 1}`, value },
  { key: `text-${at}`, name: `Rule ${at + 1}`, value: text },
];

/** The values that the form of a step maps. */
const mappedValues = (step: Step): MappedValue[] => {
  switch (step.type) {
    case 'own':
      return (step.form?.fields ?? []).map(({ key, label }) => ({ key, name: label, value: step.values[key] ?? '' }));
    case 'other':
      return Object.entries(step.fields).map(([name, value]) => ({ key: 'fields', name: `The field ${name}`, value }));
    case 'delay':
      return [];
    default:
      return step.rules.flatMap(valuesOfRule);
  }
};

const allValues = (step: Step): MappedValue[] => (step.type === 'own' ? ownValues(step) : mappedValues(step));

/** The numbers of the steps that a step maps data of. */
export const readsOf = (step: Step): number[] => allValues(step).flatMap(({ value }) => numbersIn(value));

/** Returns a sentence about the first text of a step that maps data that no step before gives, or undefined. */
export const findBrokenStep = (step: Step, earlierSteps: number): string | undefined => {
  for (const { name, value } of allValues(step)) {
    const problem = findBrokenReference(name, value, earlierSteps);
    if (problem) return problem;
  }
  return undefined;
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
  for (const { key, name, value } of mappedValues(step)) {
    const problem =
      findBrokenReference(name, value, earlier.length) ??
      findOtherPath(name, value, readable) ??
      findUnknownOutput(definition, name, value, sources);
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
      problems[key] = `${label} must be a number, not "${textsOf(value).join(', ').slice(0, 40)}".`;
    }
  }
  return problems;
};

const findUnfilledRules = ({ type, rules }: RulesStep): Problems => {
  if (type === 'filter' && rules.length === 0) return { operation: 'The filter has no rule. Add one and try again.' };
  const problems: Problems = {};
  for (const [at, { value, condition, text }] of rules.entries()) {
    if (value.trim() === '')
      problems[`value-${at}`] = `Rule ${at + 1} has no data to check. Choose the data and try again.`;
    if (takesText(condition) && text.trim() === '')
      problems[`text-${at}`] = `Rule ${at + 1} has no text to compare with. Enter the text and try again.`;
    else if (comparesNumbers(condition) && !isMapped(text) && !Number.isFinite(Number(text)))
      problems[`text-${at}`] = `Rule ${at + 1} takes a number, not "${text.slice(0, 40)}".`;
  }
  return problems;
};

const findUnfilledData = ({ fields }: OtherStep): Problems => {
  const [empty] = Object.entries(fields).find(([, value]) => [value].flat().join('').trim() === '') ?? [];
  return empty === undefined ? {} : { fields: `${empty} is empty. Fill it in, or clear its name to leave it out.` };
};

/** Finds what keeps a step from running, as the editor does before it runs the step. */
export const findStepProblems = (definition: Definition, step: Step, earlier: readonly Step[]): Problems => {
  const problems = {
    ...(step.type === 'own' && findUnfilled(step)),
    ...(step.type === 'other' && earlier.length > 0 && findUnfilledData(step)),
    ...(hasRules(step) && findUnfilledRules(step)),
    ...findShownProblems(definition, step, earlier),
  };
  // A value may be of a field that the form no longer has.
  const broken = findBrokenStep(step, earlier.length);
  return Object.keys(problems).length === 0 && broken ? { operation: broken } : problems;
};
