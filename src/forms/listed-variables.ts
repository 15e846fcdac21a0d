/** The variables that a form or a template lists. */
import { type FieldLabels, toLabel } from '../api/labels';
import type { Template } from '../api/resources';
import { foldCase } from '../formats/text';
import { halt, quote } from '../platform/errors';
import { freeFormVariablesField, templateNoteKey } from './template-fields';
import { metaOfVariable, type VariableMeta, variableMeta, variablePrefix } from './variable-meta';

/** What is known about each variable, by name. */
export type ListedVariables = ReadonlyMap<string, VariableMeta>;

/** Returns the names of the variables that have a value or a field of the form. */
export const variableNames = (fields: Record<string, unknown>): string[] =>
  Object.keys(fields)
    .filter((key) => key.startsWith(variablePrefix))
    .map((key) => key.slice(variablePrefix.length));

/** Returns the variables that the form has fields for; undefined when the form is for no template. */
export const variablesOfForm = (fields: Record<string, unknown> = {}): ListedVariables | undefined => {
  const names = variableNames(fields);
  if (names.length === 0 && !(templateNoteKey in fields)) return undefined;
  return new Map(
    names.map((name) => [name, variableMeta.safeParse(fields[variablePrefix + name]).data ?? metaOfVariable({ name })]),
  );
};

/** Returns the variables that a template lists; undefined when it has no list. */
export const variablesOfTemplate = (template: Template | undefined): ListedVariables | undefined =>
  template?.variables
    ? new Map(template.variables.map((variable) => [variable.name, metaOfVariable(variable)]))
    : undefined;

/** Returns what a form calls the variables, by their fields in a request. */
export const labelsOf = (variables: ListedVariables): FieldLabels =>
  Object.fromEntries([...variables].map(([name, { label }]) => [`variables.${name}`, label]));

/** Returns the names of the variables by what people may call them. If several share a label, the first one has it. */
const namesByText = (variables: ListedVariables): ReadonlyMap<string, string> => {
  const texts = [...variables].flatMap(([name, { label }]) =>
    [name, toLabel(name), label].map((text) => [foldCase(text), name] as const),
  );
  return new Map(texts.reverse());
};

/**
 * Returns a function that finds the name of the variable that a person means by its name or label. It throws an error
 * when there is none.
 */
export const nameFinder = (variables: ListedVariables): ((given: string) => string) => {
  const names = namesByText(variables);
  return (given) => {
    const name = variables.has(given) ? given : names.get(foldCase(given));
    if (name !== undefined) return name;
    const labels = [...variables.values()].map(({ label }) => label).join('; ');
    throw halt(
      `${freeFormVariablesField.label}: this template has no variable ${quote(given)}. ${labels ? `Use one of these: ${labels}.` : 'It has no variables, so leave the field empty.'}`,
    );
  };
};
