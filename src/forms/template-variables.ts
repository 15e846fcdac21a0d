import type { Bundle } from 'zapier-platform-core';
import type { Template } from '../api/resources';
import { readDate, readTime } from '../formats/local-time';
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

type Values = Record<string, string>;
type TimeZone = string | null | undefined;

/** What is known of the variables of a template, by name. */
type Variables = ReadonlyMap<string, VariableMeta>;

const unknownVariable = (name: string): VariableMeta => ({
  format: 'text',
  label: labelOfVariable({ name }),
  required: false,
});

/** Returns what the form knows of its variables; undefined when the form has no fields for them. */
const variablesOfForm = (fields: Record<string, unknown> = {}): Variables | undefined => {
  const keys = Object.keys(fields);
  if (!keys.some((key) => key === templateNoteKey || key.startsWith(variablePrefix))) return undefined;
  const names = keys.filter((key) => key.startsWith(variablePrefix)).map((key) => key.slice(variablePrefix.length));
  return new Map(
    names.map((name) => [name, variableMeta.safeParse(fields[variablePrefix + name]).data ?? unknownVariable(name)]),
  );
};

const variablesOfTemplate = (template: Template | undefined): Variables | undefined =>
  template && new Map((template.variables ?? []).map((variable) => [variable.name, metaOfVariable(variable)]));

const convert = (text: string, { format, label }: VariableMeta, timeZone: TimeZone): string => {
  const shown = `${label}: ${quote(text)}`;
  if (format === 'time') {
    const time = readTime(text, timeZone);
    if (!time) throw halt(`${shown} isn't a time. Enter one such as 14:30 or 2:30 pm, or map a date and time.`);
    return time;
  }
  if (format === 'date') {
    const date = readDate(text, timeZone);
    if (!date) throw halt(`${shown} isn't a date. Enter one such as 2026-06-12, or map a date and time.`);
    return date;
  }
  if (format === 'number' && !/^[+-]?\d[\d.,\s']*$/.test(text)) throw halt(`${shown} isn't a number. Use digits.`);
  if (format === 'url' && !/^https?:\/\/[^\s/]/i.test(text)) {
    throw halt(`${shown} isn't a link. Enter the whole address, starting with https://.`);
  }
  return text;
};

/** Reads the field of one variable. Throws a sentence that names it when it's empty but required, or can't be read. */
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

const readFields = ({ inputData, meta }: Bundle, variables: Variables): Values =>
  Object.fromEntries(
    [...variables].flatMap(([name, known]) =>
      readVariable(inputData[variablePrefix + name], name, known, meta?.timezone),
    ),
  );

/** What was filled in where the form had no fields for the template: names or labels and their values. */
const readUnnamed = ({ inputData }: Bundle): Record<string, unknown> => {
  const freeForm = readDictionary(readField(freeFormVariablesField, inputData[freeFormVariablesField.key]));
  if (Object.keys(freeForm).length > 0) return freeForm;
  const fields = Object.entries(inputData).filter(([key]) => key.startsWith(variablePrefix));
  return Object.fromEntries(fields.map(([key, value]) => [key.slice(variablePrefix.length), value]));
};

/** Whether the template decides what is sent: a name may be a label, or a value a time or date to convert. */
const needsTemplate = ([name, value]: [string, unknown]): boolean => {
  const text = readText(value);
  if (!text) return false;
  if (!/^[a-z0-9_.-]+$/.test(name)) return true;
  const conversions = /\d/.test(text) ? [readTime(text, 'UTC'), readDate(text, 'UTC')] : [];
  return conversions.some((converted) => converted !== undefined && converted !== text);
};

const nameOf = (given: string, variables: Variables): string => {
  if (variables.has(given)) return given;
  const match = [...variables].find(([name, { label }]) => [name, label].some((each) => isSameText(each, given)));
  return match?.[0] ?? given;
};

/**
 * Reads the variables of a message, name to text, times and dates as the template wants them. The form knows its fields;
 * where it doesn't, such as for a mapped template or in Zapier's test tools, `findTemplate` is called, but only when the
 * template decides what is sent. Throws a sentence that names the field when one is missing or can't be read.
 */
export const readVariables = async (
  bundle: Bundle,
  findTemplate: () => Promise<Template | undefined>,
): Promise<Values> => {
  const ofForm = variablesOfForm(bundle.meta?.inputFields);
  if (ofForm) return readFields(bundle, ofForm);
  const given = Object.entries(readUnnamed(bundle));
  const variables = given.some(needsTemplate) ? variablesOfTemplate(await findTemplate()) : undefined;
  const read = given.flatMap(([name, value]) => {
    const known = variables ? nameOf(name, variables) : name;
    return readVariable(value, known, variables?.get(known) ?? unknownVariable(known), bundle.meta?.timezone);
  });
  return Object.fromEntries(read);
};
