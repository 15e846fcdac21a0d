import type { Bundle } from 'zapier-platform-core';
import type { FieldLabels } from '../api/labels';
import type { Template } from '../api/resources';
import { readText } from '../formats/mapped-value';
import type { TimeZone } from '../formats/time-zone';
import { halt, quote } from '../platform/errors';
import { convertVariable, dependsOnFormat } from './convert-variable';
import { readField, readInput } from './input';
import {
  type ListedVariables,
  labelsOf,
  nameFinder,
  variableNames,
  variablesOfForm,
  variablesOfVersions,
} from './listed-variables';
import { freeFormVariablesField } from './template-fields';
import type { TemplateKey } from './template-key';
import { metaOfVariable, type VariableMeta, variablePrefix } from './variable-meta';
import { readOrder } from './variable-order';

/** The values of a message's variables, with their names. */
type Values = [name: string, value: string][];

/** What a form or a template has for the variables of a message. */
interface ReadVariables {
  variables: Record<string, string>;
  /** What the form calls the variables, by their fields in a request. */
  labels: FieldLabels;
  /** The names of the template's variables in its order, for a service that takes the values by position. */
  template?: readonly string[] | undefined;
}

/** Reads one variable, as no or one entry. Throws an error with its label when it's required but empty, or invalid. */
const readVariable = (name: string, value: unknown, meta: VariableMeta, timeZone: TimeZone): Values => {
  const text = readText(readField({ key: variablePrefix + name, label: meta.label, required: meta.required }, value));
  return text ? [[name, convertVariable(text, meta, timeZone)]] : [];
};

/** Reads the fields of a form for a template. Ignores values that are left over from another template. */
const readFields = ({ inputData, meta }: Bundle, known: ListedVariables): ReadVariables => {
  const values = [...known].flatMap(([name, variable]) =>
    readVariable(name, inputData[variablePrefix + name], variable, meta?.timezone),
  );
  // The form has no field for all variables together.
  return { variables: Object.fromEntries(values), labels: { ...labelsOf(known), variables: undefined } };
};

const severalValues = (one: string, other: string): Error =>
  halt(
    `${freeFormVariablesField.label}: ${quote(one)} and ${quote(other)} are the same variable of this template. Remove one of them.`,
  );

/** Reads the values of the free-form field by variable name, or by label where the variables are known. */
const readFreeForm = (given: Values, known: ListedVariables | undefined, timeZone: TimeZone): ReadVariables => {
  const findName = known ? nameFinder(known) : String;
  const keys = new Map<string, string>();
  const values = new Map<string, string>();
  for (const [key, entered] of given) {
    const name = findName(key);
    const meta = known?.get(name) ?? metaOfVariable({ name });
    for (const [, value] of readVariable(name, entered, meta, timeZone)) {
      if ((values.get(name) ?? value) !== value) throw severalValues(keys.get(name) ?? name, key);
      keys.set(name, key);
      values.set(name, value);
    }
  }
  const labels = { variables: freeFormVariablesField.label, ...(known && labelsOf(known)) };
  return { variables: Object.fromEntries(values), labels };
};

/** Whether only the template shows what to send: the key may be a label, or the value one to convert. */
const needsTemplate = ([key, value]: Values[number]): boolean => !/^[a-z0-9_.-]+$/.test(key) || dependsOnFormat(value);

/** Reads the values. Calls `fetchVersions` only for what the form doesn't say about them. */
const readValues = async (
  bundle: Bundle,
  fetchVersions: () => Promise<readonly Template[] | undefined>,
  key?: TemplateKey,
): Promise<ReadVariables> => {
  const formVariables = variablesOfForm(bundle.meta?.inputFields, key);
  if (formVariables) return readFields(bundle, formVariables);
  const given = Object.entries(readInput([freeFormVariablesField], bundle.inputData).variables ?? {});
  const needsLookup = given.length > 0 ? given.some(needsTemplate) : variableNames(bundle.inputData).length > 0;
  const known = needsLookup ? variablesOfVersions(await fetchVersions()) : undefined;
  return known && given.length === 0 ? readFields(bundle, known) : readFreeForm(given, known, bundle.meta?.timezone);
};

/**
 * Returns the variables of a message as text by name, and what the form calls them. Times are `HH:MM`, dates
 * `YYYY-MM-DD` and numbers like `12.50`. calls `fetchVersions` only for what the form doesn't say about them. Throws an
 * error that names the field when a variable is missing or invalid.
 */
export const readVariables = async (
  bundle: Bundle,
  fetchVersions: () => Promise<readonly Template[] | undefined>,
  key?: TemplateKey,
): Promise<ReadVariables> => {
  let versions: ReturnType<typeof fetchVersions> | undefined;
  const fetchOnce = () => {
    versions ??= fetchVersions();
    return versions;
  };
  const read = await readValues(bundle, fetchOnce, key);
  return { ...read, template: await readOrder(read.variables, fetchOnce) };
};
