import { type core, toJSONSchema } from 'zod';
import * as z from 'zod/mini';
import { e164 } from '../../src/api/e164';
import { isTime } from '../../src/api/fields';
import { itemOf } from '../../src/api/schema';
import { formOf, kindOf, nameOnWire, wordsOnWire } from '../../src/api/wire';
import { addDescriptions } from './descriptions';
import { registry, schemaNameOf } from './named-schemas';

const renameFields = ({ def: { shape } }: z.ZodMiniObject, json: core.JSONSchema.BaseSchema): void => {
  const rename = (key: string): string => nameOnWire(key, shape[key] ?? z.never());
  const properties = Object.entries(json.properties ?? {});
  json.properties = Object.fromEntries(properties.map(([key, property]) => [rename(key), property]));
  if (json.required) json.required = json.required.map(rename);
};

interface GeneratedSchema {
  zodSchema: core.$ZodType;
  jsonSchema: core.JSONSchema.BaseSchema;
}

const describeText = (schema: z.ZodMiniString, json: core.JSONSchema.BaseSchema): void => {
  const words = wordsOnWire(schema);
  if (words) json['x-extensible-enum'] = words;
  if (isTime(schema)) json.format = 'date-time';
  if (kindOf(schema) === 'phone') Object.assign(json, { pattern: e164.source, 'x-pattern-basis': 'assumed' });
};

/** Replaces everything but the basis. */
const replace = (json: core.JSONSchema.BaseSchema, other: object): void => {
  for (const key of Object.keys(json)) if (!key.startsWith('x-')) delete json[key];
  Object.assign(json, other);
};

/**
 * Writes the service's form of a `shaped` schema. A part of any type is what our form has in the field of its name, or
 * else the whole record or event, which also meets the conditions.
 */
const writeForm = (schema: core.$ZodType, theirs: core.$ZodType, conditions: readonly object[] = []): object => {
  const fields = schema instanceof z.ZodMiniObject ? Object.entries(schema.shape) : [];
  const writePart = (name: unknown): object => {
    const [, field] = fields.find(([key, each]) => nameOnWire(key, each) === name) ?? [];
    return field ? refTo(itemOf(field)) : withConditions(refToOriginal(schema), conditions);
  };
  const { $schema: _, ...json } = toJSONSchema(theirs, {
    io: 'input',
    override: ({ zodSchema, jsonSchema, path }) => {
      // The other fields of a loose object have any type too, but aren't a part.
      const isPart = zodSchema instanceof z.ZodMiniUnknown && path.at(-1) !== 'additionalProperties';
      if (isPart) replace(jsonSchema, writePart(path[1]));
    },
  });
  return json;
};

/** Adds what zod doesn't know: names, enum values and forms in wire format, times and phone numbers. */
const addWireFormat = ({ zodSchema: schema, jsonSchema: json }: GeneratedSchema): void => {
  const theirs = formOf(schema);
  if (theirs) {
    replace(json, writeForm(schema, theirs));
    return;
  }
  if (schema instanceof z.ZodMiniObject) renameFields(schema, json);
  if (schema instanceof z.ZodMiniEnum) json.enum = wordsOnWire(schema);
  if (schema instanceof z.ZodMiniString) describeText(schema, json);
};

const uri = (id: string): string => `#/components/schemas/${id}`;

/** Writes a schema inline. */
export const toSchema = (schema: core.$ZodType): object => {
  const { $schema: _, ...json } = toJSONSchema(schema, { override: addWireFormat });
  return json;
};

const withConditions = (json: object, conditions: readonly object[]): object =>
  conditions.length > 0 ? { allOf: [json, ...conditions] } : json;

/** References the named schema that a `shaped` one is a copy of. */
const refToOriginal = (schema: core.$ZodType): object => {
  const id = registry.has(schema) ? undefined : schemaNameOf(schema);
  return id ? { $ref: uri(id) } : toSchema(z.core.clone(schema, schema._zod.def));
};

/** References a named schema, together with further conditions. A schema without a name is inline. */
export const refTo = (schema: core.$ZodType, ...conditions: object[]): object => {
  const theirs = formOf(schema);
  if (theirs && (conditions.length > 0 || !registry.has(schema))) return writeForm(schema, theirs, conditions);
  const id = schemaNameOf(schema);
  return withConditions(id ? { $ref: uri(id) } : toSchema(schema), conditions);
};

/** Writes that these fields of an object are present and not null. */
export const requireFields = (schema: core.$ZodType, names: readonly string[]): object => {
  const { shape } = z.instanceof(z.ZodMiniObject).parse(schema);
  const fields = names.map((name) => [name, shape[name] ?? z.never()] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [nameOnWire(name, field), toSchema(itemOf(field))])),
    required: fields.map(([name, field]) => nameOnWire(name, field)),
  };
};

/** Writes the named schemas with their basis and descriptions. Leaves out those that neither `users` nor another one refers to. */
export const writeSchemas = (users: object): object => {
  const { schemas } = toJSONSchema(registry, { uri, metadata: registry, override: addWireFormat });
  addDescriptions(schemas);
  const json = JSON.stringify([users, schemas]);
  const used = Object.entries(schemas).filter(([id]) => json.includes(`"$ref":"${uri(id)}"`));
  return Object.fromEntries(used.map(([id, { $schema: _, $id: __, id: ___, ...schema }]) => [id, schema]));
};
