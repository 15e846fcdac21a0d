import type { Bundle } from 'zapier-platform-core';
import { type FieldLabels, toLabel } from '../api/labels';
import type { Template } from '../api/resources';
import { readDate, readTime } from '../formats/local-time';
import { readNumber } from '../formats/number';
import { isSameText } from '../formats/text';
import { halt, quote } from '../platform/errors';
import { readDictionary, readField, readText } from './input';
import {
  freeFormVariablesField,
  labelOfVariable,
  metaOfVariable,
  templateNoteKey,
  type VariableMeta,
  variableMeta,
  variablePrefix,
} from './template-fields';
import { refuseUnfilled } from './unfilled';

type Values = Record<string, string>;
type TimeZone = string | null | undefined;

/** The variables of a template by name. */
type Variables = ReadonlyMap<string, VariableMeta>;

const unknownVariable = (name: string): VariableMeta => ({
  format: 'text',
  label: labelOfVariable({ name }),
  required: false,
});

/** Returns the variables that the form has fields for; undefined when it has none. */
const variablesOfForm = (fields: Record<string, unknown> = {}): Variables | undefined => {
  const keys = Object.keys(fields);
  if (!keys.some((key) => key === templateNoteKey || key.startsWith(variablePrefix))) return undefined;
  const names = keys.filter((key) => key.startsWith(variablePrefix)).map((key) => key.slice(variablePrefix.length));
  return new Map(
    names.map((name) => [name, variableMeta.safeParse(fields[variablePrefix + name]).data ?? unknownVariable(name)]),
  );
};

/** Returns the variables that a template lists; undefined when it has no list. */
const variablesOfTemplate = (template: Template | undefined): Variables | undefined =>
  template?.variables
    ? new Map(template.variables.map((variable) => [variable.name, metaOfVariable(variable)]))
    : undefined;

const convert = (text: string, { format, label }: VariableMeta, timeZone: TimeZone): string => {
  refuseUnfilled(label, text);
  const shown = `${label}: ${quote(text)}`;
  if (format === 'time') {
    const time = readTime(text, timeZone);
    if (!time) throw halt(`${shown} isn't a time. Enter one such as 14:30 or 2:30 pm, or map a date and time.`);
    return time;
  }
  if (format === 'date') {
    const date = readDate(text, timeZone);
    if (!date) throw halt(`${shown} isn't a clear date. Enter one such as 2026-06-12, or map a date and time.`);
    return date;
  }
  if (format === 'number') {
    const number = readNumber(text);
    if (!number) throw halt(`${shown} isn't a clear number. Enter digits with a point for decimals, such as 1250.50.`);
    return number;
  }
  if (format === 'url' && !/^https?:\/\/[^\s/]/i.test(text)) {
    throw halt(`${shown} isn't a link. Enter the full address, starting with https://.`);
  }
  return text;
};

/** Reads one variable, as no or one entry. Throws an error with its label when it's required but empty, or invalid. */
const readVariable = (
  value: unknown,
  name: string,
  meta: VariableMeta,
  timeZone: TimeZone,
): [name: string, value: string][] => {
  const field = { key: variablePrefix + name, label: meta.label, required: meta.required };
  const text = readText(readField(field, value));
  return text ? [[name, convert(text, meta, timeZone)]] : [];
};

interface Read {
  variables: Values;
  /** What the form calls the variables, by their fields in a request. */
  labels: FieldLabels;
}

/** Returns the values of the free-form field, by variable name or label. */
const readFreeForm = ({ inputData }: Bundle): [given: string, value: string][] =>
  Object.entries(readDictionary(readField(freeFormVariablesField, inputData[freeFormVariablesField.key])));

/** Whether only the template shows what to send: the name may be a label, or the value one to convert. */
const needsTemplate = ([name, value]: [string, unknown]): boolean => {
  const text = readText(value);
  if (!text) return false;
  if (!/^[a-z0-9_.-]+$/.test(name)) return true;
  const conversions = /\d/.test(text) ? [readTime(text, 'UTC'), readDate(text, 'UTC'), readNumber(text)] : [];
  return conversions.some((converted) => converted !== undefined && converted !== text);
};

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
const readGiven = (given: [string, string][], known: Variables | undefined, timeZone: TimeZone): Read => {
  const read = given.flatMap(([given, value]) => {
    const name = known ? nameOf(given, known) : given;
    return readVariable(value, name, known?.get(name) ?? unknownVariable(name), timeZone);
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
