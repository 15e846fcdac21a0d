import type { Bundle } from 'zapier-platform-core';
import { type FieldLabels, toLabel } from '../api/labels';
import type { Template } from '../api/resources';
import type { TimeZone } from '../formats/local-time';
import { isSameText } from '../formats/text';
import { halt, quote } from '../platform/errors';
import { readField, readInput, readText } from './input';
import { freeFormVariablesField, templateNoteKey } from './template-fields';
import {
  convertVariable,
  isConvertible,
  metaOfVariable,
  type VariableMeta,
  variableMeta,
  variablePrefix,
} from './variable';

/** The variables of a template by name. */
type Variables = ReadonlyMap<string, VariableMeta>;

/** Returns the variables that the form has fields for; undefined when it has none. */
const variablesOfForm = (fields: Record<string, unknown> = {}): Variables | undefined => {
  const keys = Object.keys(fields);
  if (!keys.some((key) => key === templateNoteKey || key.startsWith(variablePrefix))) return undefined;
  const names = keys.filter((key) => key.startsWith(variablePrefix)).map((key) => key.slice(variablePrefix.length));
  return new Map(
    names.map((name) => [name, variableMeta.safeParse(fields[variablePrefix + name]).data ?? metaOfVariable({ name })]),
  );
};

/** Returns the variables that a template lists; undefined when it has no list. */
const variablesOfTemplate = (template: Template | undefined): Variables | undefined =>
  template?.variables
    ? new Map(template.variables.map((variable) => [variable.name, metaOfVariable(variable)]))
    : undefined;

/** Reads one variable, as no or one entry. Throws an error with its label when it's required but empty, or invalid. */
const readVariable = (
  value: unknown,
  name: string,
  meta: VariableMeta,
  timeZone: TimeZone,
): [name: string, value: string][] => {
  const field = { key: variablePrefix + name, label: meta.label, required: meta.required };
  const text = readText(readField(field, value));
  return text ? [[name, convertVariable(text, meta, timeZone)]] : [];
};

interface Read {
  variables: Record<string, string>;
  /** What the form calls the variables, by their fields in a request. */
  labels: FieldLabels;
}

/** Returns the values of the free-form field, by variable name or label. */
const readFreeForm = ({ inputData }: Bundle): [given: string, value: string][] =>
  Object.entries(readInput([freeFormVariablesField], inputData).variables ?? {});

/** Whether only the template shows what to send: the name may be a label, or the value one to convert. */
const needsTemplate = ([given, value]: [string, string]): boolean =>
  !/^[a-z0-9_.-]+$/.test(given) || isConvertible(value);

const unknownName = (given: string, variables: Variables): Error => {
  const labels = [...variables.values()].map(({ label }) => label).join('; ');
  return halt(
    `${freeFormVariablesField.label}: this template has no variable ${quote(given)}. ${labels ? `It has: ${labels}.` : 'It has no variables, so leave the field empty.'}`,
  );
};

/** Returns the name of the variable that a person means by its name or label. Throws when there is none. */
const nameOf = (given: string, variables: Variables): string => {
  if (variables.has(given)) return given;
  const match = [...variables].find(([name, { label }]) =>
    [name, toLabel(name), label].some((each) => isSameText(each, given)),
  );
  if (!match) throw unknownName(given, variables);
  return match[0];
};

const labelsOf = (variables: Variables): FieldLabels =>
  Object.fromEntries([...variables].map(([name, { label }]) => [`variables.${name}`, label]));

/** Reads the fields of a form for a template. Ignores values that are left over from another template. */
const readFields = ({ inputData, meta }: Bundle, known: Variables): Read => {
  const read = [...known].flatMap(([name, variable]) =>
    readVariable(inputData[variablePrefix + name], name, variable, meta?.timezone),
  );
  // The form has no field for all variables together.
  return { variables: Object.fromEntries(read), labels: { ...labelsOf(known), variables: undefined } };
};

/** Reads the values of the free-form field. `known` is undefined when the template isn't needed. */
const readGiven = (values: [string, string][], known: Variables | undefined, timeZone: TimeZone): Read => {
  const read = values.flatMap(([given, value]) => {
    const name = known ? nameOf(given, known) : given;
    return readVariable(value, name, known?.get(name) ?? metaOfVariable({ name }), timeZone);
  });
  return { variables: Object.fromEntries(read), labels: known ? labelsOf(known) : {} };
};

const hasVariableFields = ({ inputData }: Bundle): boolean =>
  Object.keys(inputData).some((key) => key.startsWith(variablePrefix));

/**
 * Returns the variables of a message as text by name, and what the form calls them. Times are `HH:MM`, dates
 * `YYYY-MM-DD` and numbers like `12.50`. Without the form's details about them, `findTemplate` may be needed to convert
 * them. Throws an error that names the field when a variable is missing or invalid.
 */
export const readVariables = async (
  bundle: Bundle,
  findTemplate: () => Promise<Template | undefined>,
): Promise<Read> => {
  const formVariables = variablesOfForm(bundle.meta?.inputFields);
  if (formVariables) return readFields(bundle, formVariables);
  const given = readFreeForm(bundle);
  const needsLookup = given.length > 0 ? given.some(needsTemplate) : hasVariableFields(bundle);
  const known = needsLookup ? variablesOfTemplate(await findTemplate()) : undefined;
  return known && given.length === 0 ? readFields(bundle, known) : readGiven(given, known, bundle.meta?.timezone);
};
