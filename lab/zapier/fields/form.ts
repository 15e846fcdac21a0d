import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';

export const fieldValue = z.union([z.string(), z.array(z.string()), z.record(z.string(), z.string())]);
/** A value of a field: text, the items of a list, or the entries of a dictionary. Texts may hold `{{1.path}}`. */
export type FieldValue = z.output<typeof fieldValue>;

export const isEmpty = (value: FieldValue): boolean =>
  typeof value === 'string' ? value.trim() === '' : Object.keys(value).length === 0;

/** A value as one text. */
export const describeValue = (value: FieldValue): string => {
  if (typeof value === 'string') return value;
  const texts = Array.isArray(value) ? value : Object.entries(value).map(([name, text]) => `${name}: ${text}`);
  return texts.join(', ');
};

const common = {
  key: z.string(),
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
  /** The fields whose change empties this one. */
  dependsOn: z.optional(z.array(z.string())),
  /** What Zapier passes to a run of the step. */
  meta: z.optional(z.unknown()),
};

const field = z.object({
  ...common,
  label: z.string(),
  /** Choices that are the same for everyone. */
  options: z.optional(z.array(z.object({ value: z.string(), label: z.string() }))),
  /** Whether a dropdown is filled while the form is open. */
  isDropdown: z.boolean(),
});
/** A field of a form. */
export type Field = z.output<typeof field>;

/** A field that people type or map a value into. */
export const textField = (key: string, label: string, more: Partial<Field> = {}): Field => ({
  key,
  label,
  isDropdown: false,
  ...more,
});

/** A field with choices that are the same for everyone: what people read, by value. */
export const choiceField = (
  key: string,
  label: string,
  labels: Readonly<Record<string, string>>,
  more: Partial<Field> = {},
): Field => textField(key, label, { options: choicesOf(labels), ...more });

export const form = z.object({
  fields: z.array(field),
  /** The values of the fields that alter others, from which the app computed the form. */
  computedFrom: z.record(z.string(), fieldValue),
  /** Whether fields may be missing, because the service didn't tell the app about them. */
  isPartial: z.optional(z.boolean()),
});
/** The form of a step, as the app gave it. */
export type Form = z.output<typeof form>;

/** A field as Zapier's core gives it, with the functions in the form resolved. */
const givenField = z.object({ ...common, label: z.optional(z.string()), choices: z.optional(z.unknown()) });

const sameForAll = z.union([
  z.array(z.object({ value: z.string(), label: z.string() })),
  z.pipe(
    z.array(z.string()),
    z.transform((values) => values.map((value) => ({ value, label: value }))),
  ),
  z.pipe(
    z.record(z.string(), z.string()),
    z.transform((labels) => Object.entries(labels).map(([value, label]) => ({ value, label }))),
  ),
]);

const listing = z.object({ choices: z.object({ perform: z.unknown() }) });

/** Whether a function lists the choices of a field. */
export const hasListedChoices = (given: unknown): boolean => listing.safeParse(given).success;

/** Returns the choices of a field, as far as they are the same for everyone. */
export const choicesOf = (choices: unknown): z.output<typeof sameForAll> => sameForAll.safeParse(choices).data ?? [];

const parseFields = (fields: unknown): Field[] =>
  z
    .array(givenField)
    .parse(fields)
    .map(({ choices, label, ...each }) => {
      const isFunction = hasListedChoices({ choices });
      return {
        ...each,
        label: label ?? each.key,
        options: isFunction || choices === undefined ? undefined : sameForAll.parse(choices),
        isDropdown: isFunction || each.dynamic !== undefined,
      };
    });

type Values = Readonly<Record<string, FieldValue>>;

/** The values of the fields that alter others. Another value asks for another form. */
const alteringValues = (fields: readonly Field[], values: Values): Form['computedFrom'] =>
  Object.fromEntries(
    fields.flatMap(({ key, altersDynamicFields }) => {
      const value = values[key] ?? '';
      return altersDynamicFields && !isEmpty(value) ? [[key, value]] : [];
    }),
  );

/** Whether a form is the whole form for these values. */
export const isFormFor = (values: Values, { fields, computedFrom, isPartial }: Form): boolean =>
  !isPartial && isDeepStrictEqual(computedFrom, alteringValues(fields, values));

/** Parses the form that the app gives for these values. `isPartial` is whether fields of it may be missing. */
export const parseForm = (values: Values, given: unknown, isPartial: boolean): Form => {
  const fields = parseFields(given);
  return { fields, computedFrom: alteringValues(fields, values), ...(isPartial && { isPartial }) };
};
