import * as z from 'zod/mini';
import { isTime } from '../../src/api/fields';
import { nameOnWire, wordsOnWire } from '../../src/api/wire';

type Schema = z.core.$ZodType;

/** How what a service sent compares with a schema: where it differs, and the fields that the schema does not know. */
export interface Comparison {
  differences: Set<string>;
  unknown: Set<string>;
}

const unwrap = (schema: Schema): Schema =>
  schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable ? unwrap(schema.def.innerType) : schema;

const isNullable = (schema: Schema): boolean =>
  schema instanceof z.ZodMiniNullable || (schema instanceof z.ZodMiniOptional && isNullable(schema.def.innerType));

/** Reading takes an answer without a field that may be null, but the contract says that the service sends it. */
const mayBeAbsent = (schema: Schema): boolean => schema instanceof z.ZodMiniOptional && !isNullable(schema);

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'boolean') return 'true or false';
  return typeof value === 'number' ? 'a number' : 'text';
};

const kindWanted = (schema: Schema): string => {
  if (schema instanceof z.ZodMiniObject) return 'an object';
  if (schema instanceof z.ZodMiniArray) return 'a list';
  if (schema instanceof z.ZodMiniNumber) return 'a number';
  return schema instanceof z.ZodMiniBoolean ? 'true or false' : 'text';
};

const isObject = (value: unknown): value is Record<string, unknown> => kindOf(value) === 'an object';

const compareText = (schema: Schema, value: string, at: string, { differences }: Comparison): void => {
  const words = wordsOnWire(schema);
  if (words && !words.includes(value)) differences.add(`\`${at}\` has the unknown word "${value.slice(0, 40)}"`);
  if (isTime(schema) && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) {
    differences.add(`\`${at}\` is not a time in ISO 8601 with Z`);
  }
};

const compareFields = (
  schema: z.ZodMiniObject,
  value: Record<string, unknown>,
  at: string,
  comparison: Comparison,
): void => {
  const fields = Object.entries(schema.def.shape).map(([key, field]) => ({ name: nameOnWire(key, field), field }));
  const pathOf = (name: string): string => (at ? `${at}.${name}` : name);
  for (const { name, field } of fields) {
    if (Object.hasOwn(value, name)) compareValue(field, value[name], pathOf(name), comparison);
    else if (!mayBeAbsent(field)) comparison.differences.add(`\`${pathOf(name)}\` is missing`);
  }
  // An object without fields of its own holds whatever it was given, each of the same kind.
  if (fields.length === 0) {
    for (const item of Object.values(value))
      compareValue(schema.def.catchall ?? z.unknown(), item, pathOf('*'), comparison);
    return;
  }
  const known = new Set(fields.map(({ name }) => name));
  for (const name of Object.keys(value)) if (!known.has(name)) comparison.unknown.add(`\`${pathOf(name)}\``);
};

const compareValue = (outer: Schema, value: unknown, at: string, comparison: Comparison): void => {
  const schema = unwrap(outer);
  if (schema instanceof z.ZodMiniUnknown || (value === null && isNullable(outer))) return;
  if (kindOf(value) !== kindWanted(schema)) {
    comparison.differences.add(`${at ? `\`${at}\`` : 'the answer'} is ${kindOf(value)}, not ${kindWanted(schema)}`);
    return;
  }
  if (typeof value === 'string') compareText(schema, value, at, comparison);
  if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
    for (const item of value) compareValue(schema.def.element, item, `${at}[]`, comparison);
  }
  if (schema instanceof z.ZodMiniObject && isObject(value)) compareFields(schema, value, at, comparison);
};

/** Compares what a service sent, as it came, with a schema of the contract. Paths are those of the service. */
export const compare = (schema: Schema, value: unknown): Comparison => {
  const comparison: Comparison = { differences: new Set(), unknown: new Set() };
  compareValue(schema, value, '', comparison);
  return comparison;
};
