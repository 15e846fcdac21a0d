import { type core, toJSONSchema } from 'zod';
import * as z from 'zod/mini';
import { e164 } from '../../src/api/e164';
import { isTime, itemOf, kindOf, wordsOf } from '../../src/api/fields';
import { addDescriptions } from './descriptions';
import { registry, schemaNameOf } from './named-schemas';

interface GeneratedSchema {
  zodSchema: core.$ZodType;
  jsonSchema: core.JSONSchema.BaseSchema;
}

/** Adds what zod doesn't know of a text: words to which the service may add, times and phone numbers. */
const describeText = ({ zodSchema: schema, jsonSchema: json }: GeneratedSchema): void => {
  if (!(schema instanceof z.ZodMiniString)) return;
  const words = wordsOf(schema);
  if (words) json['x-extensible-enum'] = words;
  if (isTime(schema)) json.format = 'date-time';
  if (kindOf(schema) === 'phone') Object.assign(json, { pattern: e164.source, 'x-pattern-basis': 'assumed' });
};

const uri = (id: string): string => `#/components/schemas/${id}`;

/** Writes a schema inline. */
export const toSchema = (schema: core.$ZodType): object => {
  const { $schema: _, ...json } = toJSONSchema(schema, { override: describeText });
  return json;
};

const withConditions = (json: object, conditions: readonly object[]): object =>
  conditions.length > 0 ? { allOf: [json, ...conditions] } : json;

/** References a named schema, together with further conditions. A schema without a name is inline. */
export const refTo = (schema: core.$ZodType, ...conditions: object[]): object => {
  const id = schemaNameOf(schema);
  return withConditions(id ? { $ref: uri(id) } : toSchema(schema), conditions);
};

/** Writes that these fields of an object are present and not null. */
export const requireFields = (schema: core.$ZodType, names: readonly string[]): object => {
  const { shape } = z.instanceof(z.ZodMiniObject).parse(schema);
  const fields = names.map((name) => [name, shape[name] ?? z.never()] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, toSchema(itemOf(field))])),
    required: names,
  };
};

/** Writes the named schemas with their basis and descriptions. Leaves out those that neither `users` nor another one refers to. */
export const writeSchemas = (users: object): object => {
  const { schemas } = toJSONSchema(registry, { uri, metadata: registry, override: describeText });
  addDescriptions(schemas);
  const json = JSON.stringify([users, schemas]);
  const used = Object.entries(schemas).filter(([id]) => json.includes(`"$ref":"${uri(id)}"`));
  return Object.fromEntries(used.map(([id, { $schema: _, $id: __, id: ___, ...schema }]) => [id, schema]));
};
