import * as z from 'zod/mini';
import { isMapped, missingStep } from './mapping';
import type { Operation } from './operations';
import type { FieldValue } from './zap';

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
  dependsOn: z.optional(z.array(z.string())),
  altersDynamicFields: z.optional(z.boolean()),
  choices: z.optional(z.unknown()),
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

const isEmpty = (value: FieldValue | undefined): boolean =>
  value === undefined || (typeof value === 'string' ? value.trim() === '' : Object.keys(value).length === 0);

/** Sentences by the key of the field that has a problem, as the editor finds them before it runs a step. */
export const findProblems = (
  fields: readonly Field[],
  values: Record<string, FieldValue>,
  earlierSteps: number,
): Record<string, string> => {
  const problems: Record<string, string> = {};
  for (const { key, label, required, type } of fields) {
    const value = values[key];
    const missing = value !== undefined && isMapped(value) ? missingStep(value, earlierSteps) : undefined;
    if (missing !== undefined) {
      problems[key] = `${label} uses step ${missing}, which isn't an earlier step of this Zap. Choose another value.`;
    } else if (required && type !== 'copy' && isEmpty(value)) {
      problems[key] = `${label} is empty. Fill it in and try again.`;
    }
  }
  return problems;
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
