/** The details of a template's variable in a form. */
import * as zod from 'zod/mini';
import { toLabel } from '../api/labels';
import type { Template } from '../api/resources';

export type Variable = NonNullable<Template['variables']>[number];

/** The prefix in the key of each variable's field. */
export const variablePrefix = 'variable_';

/** A variable's details in a form. Zapier passes them to the step with the field, which saves a request. */
export const variableMeta = zod.object({ format: zod.string(), label: zod.string(), required: zod.boolean() });
export type VariableMeta = zod.output<typeof variableMeta>;

/** Returns the label of a variable. Some templates number their variables instead of naming them. */
export const labelOfVariable = ({ name, label }: Variable): string =>
  (label || (/^\d+$/.test(name) ? `Variable ${name}` : toLabel(name))).slice(0, 64);

/** Returns the details that the form keeps about a variable. */
export const metaOfVariable = (variable: Variable): VariableMeta => ({
  format: variable.format ?? 'text',
  label: labelOfVariable(variable),
  required: variable.required ?? false,
});
