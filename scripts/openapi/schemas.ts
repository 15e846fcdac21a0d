import { type core, toJSONSchema } from 'zod';
import * as z from 'zod/mini';
import { isTime } from '../../src/api/fields';
import { nameOnWire, wordsOnWire } from '../../src/api/wire';
import { namedSchemas } from './named-schemas';

const registry = z.registry<{ id: string }>();
for (const { id, schema } of namedSchemas) registry.add(schema, { id });

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

/** Adds what zod doesn't know: names and enum values in wire format, and which strings are times. */
const addWireFormat = ({ zodSchema: schema, jsonSchema: json }: GeneratedSchema): void => {
  if (schema instanceof z.ZodMiniObject) renameFields(schema, json);
  const words = wordsOnWire(schema);
  if (schema instanceof z.ZodMiniEnum) json.enum = words;
  if (schema instanceof z.ZodMiniString && words) json['x-extensible-enum'] = words;
  if (schema instanceof z.ZodMiniString && isTime(schema)) json.format = 'date-time';
};

const uri = (id: string): string => `#/components/schemas/${id}`;

/** References a named schema. Throws when the schema has no name. */
export const refTo = (schema: z.core.$ZodType): { $ref: string } => {
  const { id } = z.object({ id: z.string() }).parse(registry.get(schema));
  return { $ref: uri(id) };
};

/** Writes a schema inline. */
export const toSchema = (schema: z.core.$ZodType): object => {
  const { $schema: _, ...json } = toJSONSchema(schema, { override: addWireFormat });
  return json;
};

/** Writes every named schema with its basis. */
export const writeSchemas = (): object => {
  const { schemas } = toJSONSchema(registry, { uri, override: addWireFormat });
  return Object.fromEntries(
    namedSchemas.map(({ id, basis }) => {
      const { $schema: _, $id: __, ...json } = schemas[id] ?? {};
      return [id, { 'x-basis': basis, ...json }];
    }),
  );
};
