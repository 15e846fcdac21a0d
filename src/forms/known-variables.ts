/** The variables of a template, as far as the form or the template itself tells them. */
import { type FieldLabels, toLabel } from '../api/labels';
import type { Template } from '../api/resources';
import { isSameText } from '../formats/text';
import { halt, quote } from '../platform/errors';
import { freeFormVariablesField, templateNoteKey } from './template-fields';
import { metaOfVariable, type VariableMeta, variableMeta, variablePrefix } from './variable';

/** What is known about each variable, by name. */
export type KnownVariables = ReadonlyMap<string, VariableMeta>;

/** Returns the names of the variables that have a value or a field of the form. */
export const variableNames = (fields: Record<string, unknown>): string[] =>
  Object.keys(fields)
    .filter((key) => key.startsWith(variablePrefix))
    .map((key) => key.slice(variablePrefix.length));

/** Returns the variables that the form has fields for; undefined when the form is for no template. */
export const variablesOfForm = (fields: Record<string, unknown> = {}): KnownVariables | undefined => {
  const names = variableNames(fields);
  if (names.length === 0 && !(templateNoteKey in fields)) return undefined;
  return new Map(
    names.map((name) => [name, variableMeta.safeParse(fields[variablePrefix + name]).data ?? metaOfVariable({ name })]),
  );
};

/** Returns the variables that a template lists; undefined when it has no list. */
export const variablesOfTemplate = (template: Template | undefined): KnownVariables | undefined =>
  template?.variables
    ? new Map(template.variables.map((variable) => [variable.name, metaOfVariable(variable)]))
    : undefined;

/** Returns what a form calls the variables, by their fields in a request. */
export const labelsOf = (variables: KnownVariables): FieldLabels =>
  Object.fromEntries([...variables].map(([name, { label }]) => [`variables.${name}`, label]));

/** Returns the name of the variable that a person means by its name or label. Throws an error when there is none. */
export const nameOf = (given: string, variables: KnownVariables): string => {
  if (variables.has(given)) return given;
  for (const [name, { label }] of variables) {
    if ([name, toLabel(name), label].some((each) => isSameText(each, given))) return name;
  }
  const labels = [...variables.values()].map(({ label }) => label).join('; ');
  throw halt(
    `${freeFormVariablesField.label}: this template has no variable ${quote(given)}. ${labels ? `It has: ${labels}.` : 'It has no variables, so leave the field empty.'}`,
  );
};
