/** The variables that a form or a template lists. */
import { type FieldLabels, toLabel } from '../api/labels';
import type { Template } from '../api/resources';
import { foldCase } from '../formats/text';
import { halt, quote } from '../platform/errors';
import { freeFormVariablesField } from './template-fields';
import { isOfAnotherTemplate, type TemplateKey } from './template-key';
import { templateNoteKey } from './template-notes';
import { sharedVariables } from './template-versions';
import { metaOfVariable, type VariableMeta, variableMeta, variablePrefix } from './variable-meta';

/** What is known about a variable: `labels` are all that the versions of a template call it. */
type ListedVariable = VariableMeta & { labels?: readonly string[] };

/** What is known about each variable, by name. */
export type ListedVariables = ReadonlyMap<string, ListedVariable>;

/** Returns the names of the variables that have a value or a field of the form. */
export const variableNames = (fields: Record<string, unknown>): string[] =>
  Object.keys(fields)
    .filter((key) => key.startsWith(variablePrefix))
    .map((key) => key.slice(variablePrefix.length));

/**
 * Returns the variables that the form has fields for; undefined when the form is for no template, or for another one than
 * `key`, such as after an earlier step changed the channel.
 */
export const variablesOfForm = (
  fields: Record<string, unknown> = {},
  key?: TemplateKey,
): ListedVariables | undefined => {
  const names = variableNames(fields);
  if (names.length === 0 && !(templateNoteKey in fields)) return undefined;
  if (key && isOfAnotherTemplate(fields, key)) return undefined;
  return new Map(
    names.map((name) => [name, variableMeta.safeParse(fields[variablePrefix + name]).data ?? metaOfVariable({ name })]),
  );
};

/** Returns the variables that the versions of a template list; undefined when one has no list. */
export const variablesOfVersions = (versions: readonly Template[] | undefined): ListedVariables | undefined => {
  const shared = versions && sharedVariables(versions);
  return shared && new Map(shared.map((variable) => [variable.name, variable]));
};

/** Returns what a form calls the variables, by their fields in a request. */
export const labelsOf = (variables: ListedVariables): FieldLabels =>
  Object.fromEntries([...variables].map(([name, { label }]) => [`variables.${name}`, label]));

/** Returns the names of the variables by what people may call them. Several may share a label. */
const namesByText = (variables: ListedVariables): ReadonlyMap<string, ReadonlySet<string>> => {
  const texts = [...variables].flatMap(([name, { label, labels = [] }]) =>
    [name, toLabel(name), label, ...labels].map((text) => ({ text: foldCase(text), name })),
  );
  const groups = Map.groupBy(texts, ({ text }) => text);
  return new Map([...groups].map(([text, each]) => [text, new Set(each.map(({ name }) => name))]));
};

/**
 * Returns a function that finds the name of the variable that a person means by its name or label. It throws an error
 * when there is none, or more than one.
 */
export const nameFinder = (variables: ListedVariables): ((given: string) => string) => {
  const names = namesByText(variables);
  return (given) => {
    if (variables.has(given)) return given;
    const [name, ...others] = names.get(foldCase(given)) ?? [];
    if (name !== undefined && others.length === 0) return name;
    if (name !== undefined) {
      throw halt(
        `${freeFormVariablesField.label}: ${quote(given)} can mean several variables of this template. Use one of these names: ${[name, ...others].join('; ')}.`,
      );
    }
    const labels = [...variables.values()].map(({ label }) => label).join('; ');
    throw halt(
      `${freeFormVariablesField.label}: this template has no variable ${quote(given)}. ${labels ? `Use one of these: ${labels}.` : 'It has no variables, so leave the field empty.'}`,
    );
  };
};
