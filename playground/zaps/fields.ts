import * as z from 'zod/mini';
import { isMapped } from './mapping';
import type { Operation } from './operations';
import { findBrokenReference, textsOf } from './references';
import { findUnknownOutput, toSource } from './unknown-outputs';
import type { FieldValue, OwnStep, Step } from './zap';

const choices = z.union([
  z.pipe(
    z.array(z.string()),
    z.transform((values) => values.map((value) => ({ value, label: value }))),
  ),
  z.pipe(
    z.record(z.string(), z.string()),
    z.transform((labels) => Object.entries(labels).map(([value, label]) => ({ value, label }))),
  ),
]);

/** A field of a form as Zapier's core gives it, with the functions in the form resolved. */
const field = z.looseObject({
  key: z.string(),
  label: z.optional(z.string()),
  type: z.optional(z.string()),
  required: z.optional(z.boolean()),
  helpText: z.optional(z.string()),
  placeholder: z.optional(z.string()),
  default: z.optional(z.string()),
  group: z.optional(z.string()),
  list: z.optional(z.boolean()),
  dict: z.optional(z.boolean()),
  dynamic: z.optional(z.string()),
  altersDynamicFields: z.optional(z.boolean()),
  choices: z.optional(z.unknown()),
  meta: z.optional(z.unknown()),
});

export type Field = z.output<typeof field> & {
  label: string;
  /** Choices that are the same for everyone. */
  options: { value: string; label: string }[] | undefined;
  /** Whether a dropdown is filled while the form is open. */
  isDropdown: boolean;
};

const hasPerform = z.object({ perform: z.unknown() });

/** Parses the fields that the app gives for a form. */
export const parseFields = (fields: unknown): Field[] =>
  z
    .array(field)
    .parse(fields)
    .map((each) => {
      const isFunction = hasPerform.safeParse(each.choices).success;
      return {
        ...each,
        label: each.label ?? each.key,
        options: isFunction || each.choices === undefined ? undefined : choices.parse(each.choices),
        isDropdown: isFunction || each.dynamic !== undefined,
      };
    });

const isEmpty = (value: FieldValue): boolean =>
  typeof value === 'string' ? value.trim() === '' : Object.keys(value).length === 0;

/** The data that an action of another app receives, by names that people choose. */
export const dataToSend: Field = {
  key: 'fields',
  label: 'Data to send',
  helpText: 'Enter a name, such as `Text`, on the left. Map the value from an earlier step on the right.',
  dict: true,
  options: undefined,
  isDropdown: false,
};

/** The values that a step maps, each with the key where the form shows its problem and the name that begins it. */
const mappedValues = (step: Step, fields: readonly Field[]): { key: string; name: string; value: FieldValue }[] => {
  if (step.type === 'delay') return [];
  const filter = { key: 'filter', name: 'The filter', value: step.onlyIf?.value ?? '' };
  if (step.type === 'own') {
    return [...fields.map(({ key, label }) => ({ key, name: label, value: step.values[key] ?? '' })), filter];
  }
  const sent = Object.entries(step.fields).map(([name, value]) => ({
    key: dataToSend.key,
    name: `The field ${name}`,
    value,
  }));
  return [...sent, filter];
};

/** Sentences by the key of each field that maps data that no earlier step gives. `fields` is the form of a step of this app. */
export const findBrokenMappings = (
  step: Step,
  fields: readonly Field[],
  earlier: readonly Step[],
): Record<string, string> => {
  const problems: Record<string, string> = {};
  const sources = earlier.map(toSource);
  for (const { key, name, value } of mappedValues(step, fields)) {
    const problem = findBrokenReference(name, value, earlier.length) ?? findUnknownOutput(name, value, sources);
    if (problem) problems[key] ??= problem;
  }
  return problems;
};

const isNotNumber = ({ type }: Field, value: FieldValue): boolean =>
  (type === 'integer' || type === 'number') &&
  textsOf(value).some((text) => text.trim() !== '' && !isMapped(text) && !Number.isFinite(Number(text)));

/** Sentences by the key of each field that has a problem, as the editor finds them before it runs a step. */
export const findProblems = (
  step: OwnStep,
  fields: readonly Field[],
  earlier: readonly Step[],
): Record<string, string> => {
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const { key, label, required, type } = field;
    const value = step.values[key] ?? '';
    if (required && type !== 'copy' && isEmpty(value)) problems[key] = `${label} is empty. Fill it in and try again.`;
    if (isNotNumber(field, value)) {
      problems[key] = `${label} takes a number, not "${textsOf(value).join(', ').slice(0, 40)}".`;
    }
  }
  return { ...problems, ...findBrokenMappings(step, fields, earlier) };
};

/** The fields by group, in the order of the form. Fields without a group are in one without a label. */
export const groupFields = (
  operation: Operation,
  fields: readonly Field[],
): { label: string | undefined; fields: Field[] }[] => {
  const known = new Set(operation.groups.map(({ key }) => key));
  const rest = fields.filter(({ group }) => !group || !known.has(group));
  const groups = operation.groups.map(({ key, label }) => ({
    label,
    fields: fields.filter(({ group }) => group === key),
  }));
  return [{ label: undefined, fields: rest }, ...groups].filter((each) => each.fields.length > 0);
};
