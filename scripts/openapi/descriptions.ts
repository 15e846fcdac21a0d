/** Describes the properties of the named schemas in the words of scripts/meanings.md. */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { calls } from '../../src/api/endpoints';
import { isList, itemOf, wordsOf } from '../../src/api/fields';
import { asRecord } from '../../src/api/json';
import { type Meaning, meaningOf } from '../meanings';
import { namedSchemas, schemaNameOf } from './named-schemas';

/** Lists the JSON schemas of objects in one that may be a list or null. */
const objectsIn = (json: unknown): object[] => {
  const { anyOf, items, properties } = asRecord(json);
  if (Array.isArray(anyOf)) return anyOf.flatMap(objectsIn);
  if (items) return objectsIn(items);
  return properties ? [asRecord(json)] : [];
};

/** Returns the meaning of a field and of its words. Throws unless all of its words have one, or none. */
const describe = (key: string, field: z.core.$ZodType, { text, values }: Meaning): string => {
  const known = wordsOf(field);
  if (known && values.size > 0 && !isDeepStrictEqual(new Set(values.keys()), new Set(known))) {
    throw new Error(`Explain exactly these values of \`${key}\` (${text}) in scripts/meanings.md: ${known.join(', ')}`);
  }
  return [text, ...[...values].map(([word, meaning]) => `- \`${word}\`: ${meaning}`)].join('\n');
};

const describeObject = (
  schema: z.core.$ZodType,
  json: object,
  meaning: (key: string) => Meaning,
  prefix = '',
): void => {
  const { properties } = asRecord(json);
  if (!(schema instanceof z.ZodMiniObject) || typeof properties !== 'object' || !properties) return;
  for (const [name, field] of Object.entries(schema.def.shape)) {
    const key = prefix + name;
    const property = asRecord(Reflect.get(properties, name));
    Reflect.set(properties, name, { description: describe(key, field, meaning(key)), ...property });
    const inside = key + (isList(field) ? '[]' : '__');
    for (const object of objectsIn(property)) describeObject(itemOf(field), object, meaning, inside);
  }
};

const toTitle = (id: string): string => id.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Returns the sections about a schema: its own, and that of the record which a list has or a request body writes. */
const sectionsOf = (schema: z.core.$ZodType, id: string): [string, ...string[]] => {
  const [, listed] = /^List(.+)sResponse$/.exec(id) ?? [];
  if (listed) return ['List', toTitle(listed)];
  const [, written] = calls.find(([, { body }]) => body === schema) ?? [];
  return [toTitle(id), ...(written ? [toTitle(schemaNameOf(written.response) ?? '')] : [])];
};

/** Adds a description to every property of the named schemas, by their ids. Throws when one has no meaning. */
export const addDescriptions = (schemas: Readonly<Record<string, object>>): void => {
  for (const [schema, id] of namedSchemas) {
    const sections = sectionsOf(schema, id);
    describeObject(schema, schemas[id] ?? {}, (key) => meaningOf(key.replace('data[]', ''), ...sections));
  }
};
