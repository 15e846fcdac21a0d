/** The values of a message's variables: where they come from, and how the API takes them. */
import type { Bundle } from 'zapier-platform-core';
import type { FieldLabels } from '../api/labels';
import type { Template } from '../api/resources';
import { halt, quote } from '../step/errors';
import { isBlank, readField, readInput } from '../step/input';
import type { TimeZone } from '../step/time-zone';
import { readText } from '../text/fold';
import { isOfTemplate, type TemplateKey } from './template';
import { freeFormVariablesField } from './template-fields';
import { readFormat, readPlain, refuseLinkEnd } from './values';
import {
  labelOfVariable,
  labelsOf,
  nameFinder,
  type Variable,
  type VariableMeta,
  type Variables,
  variablePrefix,
  variablesOf,
} from './variables';

/**
 * Returns the value of a variable as the API takes it. `timeZone` (IANA) applies to dates and times with another zone.
 * Throws an error with the variable's label when the value doesn't have its format.
 */
export const convertVariable = (
  text: string,
  { format, label, channel, links = [] }: Omit<VariableMeta, 'required'> & Partial<Pick<Variable, 'links'>>,
  timeZone: TimeZone,
): string => {
  const shown = readPlain(label, text, channel === 'sms');
  const read = readFormat(shown, format, timeZone);
  if (!('value' in read)) throw halt(`${label}: ${quote(shown)} ${read.problem}`);
  refuseLinkEnd(label, read.value, links);
  return read.value;
};

/** A value for a variable: `nameOrLabel` is what the form or the caller calls the variable. */
interface Entry {
  nameOrLabel: string;
  value: unknown;
}

const { label: freeFormLabel } = freeFormVariablesField;

const fieldEntries = ({ inputData }: Bundle): Entry[] =>
  Object.entries(inputData)
    .filter(([key, value]) => key.startsWith(variablePrefix) && !isBlank(value))
    .map(([key, value]) => ({ nameOrLabel: key.slice(variablePrefix.length), value }));

const freeFormEntries = ({ inputData }: Bundle): Entry[] =>
  Object.entries(readInput([freeFormVariablesField], inputData).variables ?? {}).map(([nameOrLabel, value]) => ({
    nameOrLabel,
    value,
  }));

/**
 * Returns the values that count. A form has either a field for each variable or Template Variables, and may keep values of a
 * template that was chosen before. Without a form, such as in an agent's call, every value counts.
 */
const readEntries = (bundle: Bundle, key: TemplateKey | undefined, variables: Variables | undefined): Entry[] => {
  const inFields = fieldEntries(bundle);
  const current = inFields.filter(({ nameOrLabel }) => variables?.has(nameOrLabel));
  if (isOfTemplate(bundle.meta?.inputFields, key)) return current;
  const inFreeForm = freeFormEntries(bundle);
  if (!bundle.inputDataRaw) return [...inFreeForm, ...inFields];
  return inFreeForm.length > 0 ? inFreeForm : current;
};

const unknownName = (nameOrLabel: string, variables: Variables): Error => {
  const labels = [...variables.values()].map(({ label }) => label).join('; ');
  return halt(
    `${freeFormLabel}: this template has no variable ${quote(nameOrLabel)}. ${labels ? `Use one of these: ${labels}.` : 'It has no variables, so leave the field empty.'}`,
  );
};

const finderIn = (variables: Variables): ((nameOrLabel: string) => Variable) => {
  const findNames = nameFinder(variables);
  return (nameOrLabel) => {
    const names = findNames(nameOrLabel);
    const variable = variables.get(names[0] ?? '');
    if (!variable) throw unknownName(nameOrLabel, variables);
    if (names.length === 1) return variable;
    throw halt(
      `${freeFormLabel}: ${quote(nameOrLabel)} can mean several variables of this template. Use one of these names: ${names.join('; ')}.`,
    );
  };
};

const unknownVariable = (name: string): VariableMeta & { name: string } => ({
  name,
  format: 'text',
  label: labelOfVariable({ name }),
  required: false,
});

const severalValues = (one: string, other: string): Error =>
  halt(
    `${freeFormLabel}: ${quote(one)} and ${quote(other)} are the same variable of this template. Remove one of them.`,
  );

const requireValues = (variables: Variables, values: ReadonlyMap<string, unknown>): void => {
  const missing = [...variables.values()].filter(({ name, required }) => required && !values.has(name));
  if (missing.length === 0) return;
  const labels = missing.map(({ label }) => label).join(', ');
  throw halt(
    `${labels} ${missing.length === 1 ? 'is' : 'are'} empty, so nothing was sent. Fill in a value, or check the earlier step that it comes from.`,
  );
};

interface VariableValues {
  variables: Record<string, string>;
  /** What the form calls the variables, by their fields in a request. */
  labels: FieldLabels;
}

const readEach = (
  entries: readonly Entry[],
  { meta }: Bundle,
  find: (nameOrLabel: string) => VariableMeta & Partial<Variable> & { name: string },
): Map<string, string> => {
  const values = new Map<string, { nameOrLabel: string; text: string }>();
  for (const { nameOrLabel, value } of entries) {
    const { name, ...variable } = find(nameOrLabel);
    const raw = readText(readField({ key: variablePrefix + name, label: variable.label }, value));
    const text = raw && convertVariable(raw, variable, meta?.timezone);
    if (!text) continue;
    const other = values.get(name);
    if (other && other.text !== text) throw severalValues(other.nameOrLabel, nameOrLabel);
    values.set(name, { nameOrLabel, text });
  }
  return new Map([...values].map(([name, { text }]) => [name, text]));
};

/**
 * Returns the variables of a message as text by name, and what the form calls them. `versions` are those of the template that
 * can be sent; undefined when nobody can know them, and then every value is sent as it is. Throws an error when a variable of
 * the template has no value, when a value has no variable, or when a value is invalid.
 */
export const readVariables = (
  bundle: Bundle,
  versions: readonly Template[] | undefined,
  key: TemplateKey | undefined,
): VariableValues => {
  const variables = versions && variablesOf(versions);
  const find = variables ? finderIn(variables) : unknownVariable;
  const entries = readEntries(bundle, key, variables);
  const channel = versions?.[0]?.channel ?? key?.channel;
  const values = readEach(entries, bundle, (nameOrLabel) => ({ ...find(nameOrLabel), channel }));
  if (variables) requireValues(variables, values);
  // Sorted, so that a repeat has the same body.
  const byName = Object.fromEntries([...values].sort());
  // A form with a field for each variable has no field for all of them.
  const hasFields = Object.keys(bundle.meta?.inputFields ?? {}).some((each) => each.startsWith(variablePrefix));
  const all = hasFields ? undefined : freeFormLabel;
  const labels = { variables: all, ...(variables && labelsOf(variables)) };
  return { variables: byName, labels };
};
