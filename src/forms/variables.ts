/** The values of a message's variables. */
import type { Bundle } from 'zapier-platform-core';
import { field } from '../api/fields';
import { type FieldLabels, toLabel } from '../api/labels';
import type { Template } from '../api/resources';
import { isByPosition } from '../api/wire';
import { type Certain, type Doubt, readDate, readTime } from '../formats/local-time';
import { readText } from '../formats/mapped-value';
import { readNumber, withoutNoise } from '../formats/number';
import { foldCase } from '../formats/text';
import type { TimeZone } from '../formats/time-zone';
import { halt, quote } from '../platform/errors';
import { readField, readInput } from './input';
import {
  isOfAnotherTemplate,
  labelOfVariable,
  metaOfVariable,
  sharedVariables,
  type TemplateKey,
  type Variable,
  type VariableMeta,
  variableMeta,
  variablePrefix,
} from './template';
import { freeFormVariablesField, templateNoteKey } from './template-form';
import { refuseUnfilled } from './unfilled';

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

/** What to do about a text that gives no certain date or time. Each follows the text. */
const momentAdvice: Record<Exclude<Doubt, 'unclear'>, string> = {
  'unlikely year':
    'has a year that nobody means, so nothing was sent. Programs write it in place of a missing date. Check the earlier step.',
  'two days':
    "is one day as a date and another in your Zap's time zone, so nothing was sent. Map a date without a time, or convert it with Formatter by Zapier first.",
  'no time':
    'may be a date without a time, so nothing was sent. Map the time of day itself, such as 14:30, or convert it with Formatter by Zapier first.',
  'no zone': 'is in UTC, and this run has no time zone. Enter the local date and time without the Z.',
};

const unclearAdvice = {
  time: "isn't a time. Enter one such as 14:30 or 2:30 pm, or map a date and time.",
  date: 'is an invalid or ambiguous date. Enter one such as 2026-06-12, or map a date and time.',
};

/** Returns a date or time of which the text is certain. Throws an error that says why it isn't. */
const certainMoment = ({ value, doubt }: Certain, format: 'time' | 'date', shown: string): string => {
  if (value !== undefined) return value;
  throw halt(`${shown} ${doubt === 'unclear' ? unclearAdvice[format] : momentAdvice[doubt]}`);
};

/**
 * Returns the value of a variable as the API takes it. `timeZone` (IANA) applies to dates and times with another zone.
 * Throws an error with the variable's label when the value doesn't have its format.
 */
export const convertVariable = (text: string, { format, label }: VariableMeta, timeZone: TimeZone): string => {
  refuseUnfilled(label, text);
  const shown = `${label}: ${quote(text)}`;
  if (format === 'time') return certainMoment(readTime(text, timeZone), format, shown);
  if (format === 'date') return certainMoment(readDate(text, timeZone), format, shown);
  if (format === 'number') {
    const number = readNumber(text);
    if (!number)
      throw halt(
        `${shown} is an invalid or ambiguous number. Enter digits with a point for decimals, such as 1250.50.`,
      );
    return number;
  }
  if (format === 'url' && !/^https?:\/\/[^\s/]\S*$/i.test(text)) {
    throw halt(`${shown} isn't a link. Enter the full address, starting with https://.`);
  }
  return withoutNoise(text);
};

/** Matches a text that starts like a time or a date and isn't a decimal number, or that contains a time. */
const maybeMoment = /^\d+(?!\.\d+$)\D|^\d{8}|\d\s?[:h]\s?\d/i;

/** Whether only the variable's format tells what to send: a text may need a conversion, or may be no time or date. */
export const dependsOnFormat = (text: string): boolean => {
  const [time, date, number] = [readTime(text, 'UTC').value, readDate(text, 'UTC').value, readNumber(text)];
  if (text === time || text === date) return false;
  return maybeMoment.test(text) || [time, date, number].some((each) => each !== undefined && each !== text);
};

const { label } = freeFormVariablesField;

/** Whether these are the numbers from 1 on. A number is the position itself. */
const areNumbers = (names: readonly string[]): boolean =>
  names.every((_, index) => names.includes(String(index + 1))) && new Set(names).size === names.length;

const numbersOf = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index + 1));

const orderOf = (variables: readonly Variable[]): string[] => {
  const names = variables.map(({ name }) => name);
  return areNumbers(names) ? numbersOf(names.length) : names;
};

/** Returns the order that all versions have. Throws when they differ, because the service chooses the version. */
const sharedOrder = (lists: readonly (readonly Variable[])[]): string[] => {
  const orders = new Set(lists.map((variables) => JSON.stringify(orderOf(variables))));
  if (orders.size === 1) return orderOf(lists[0] ?? []);
  throw halt(
    "Template: its languages don't have the same variables in the same order, so nothing was sent. Choose another template.",
  );
};

const requireValue = (variable: Variable, values: Record<string, string>): void => {
  if (values[variable.name] || variable.required === false) return;
  throw halt(`${labelOfVariable(variable)} is empty, so nothing was sent. Map a value.`);
};

/**
 * Returns the names of the template's variables in its order; undefined for a service that takes the values by name. Throws
 * an error when the order is unknown, or when values and positions don't match.
 */
export const readOrder = async (
  values: Record<string, string>,
  fetchVersions: () => Promise<readonly Template[] | undefined>,
): Promise<readonly string[] | undefined> => {
  if (!isByPosition(field.variables)) return undefined;
  const versions = (await fetchVersions()) ?? [];
  const lists = versions.map(({ variables }) => variables);
  const listed = lists.filter((variables) => Array.isArray(variables));
  const given = Object.keys(values);
  if (versions.length === 0 || listed.length < lists.length) {
    if (areNumbers(given)) return numbersOf(given.length);
    throw halt(
      `${label}: the variables of this template aren't known, so nothing was sent. Number them on the left: 1 for the first one in the text, 2 for the second, and so on.`,
    );
  }
  const order = sharedOrder(listed);
  const unknown = given.find((name) => !order.includes(name));
  if (unknown !== undefined) {
    throw halt(`${label}: this template has no variable ${quote(unknown)}, so nothing was sent. Remove it.`);
  }
  for (const variable of listed.flat()) requireValue(variable, values);
  return order;
};

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
