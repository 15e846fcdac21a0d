/** The order of a template's variables, for a service that takes their values by position. */
import { field } from '../api/fields';
import type { Template } from '../api/resources';
import { isByPosition } from '../api/wire';
import { halt, quote } from '../platform/errors';
import { freeFormVariablesField } from './template-fields';
import { labelOfVariable, type Variable } from './variable-meta';

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
