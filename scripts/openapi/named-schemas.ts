import * as z from 'zod/mini';
import { calls } from '../../src/api/endpoints';
import { errorResponse } from '../../src/api/errors';
import { delivery } from '../../src/api/events';
import { capitalize } from '../../src/api/labels';
import * as resources from '../../src/api/resources';

type NamedSchema = [schema: z.core.$ZodType, id: string, basis?: object];

/** The API's resources by name. Sorted, because the order of a module's exports differs between loaders. */
export const namedResources = Object.entries(resources)
  .flatMap(([name, resource]) =>
    typeof resource === 'object' && 'sample' in resource ? [{ id: capitalize(name), ...resource }] : [],
  )
  .toSorted((a, b) => a.id.localeCompare(b.id));

const bodies = calls.flatMap(([name, { body, basis, section }]): NamedSchema[] => {
  if (!body) return [];
  const specified = { 'x-basis': basis, 'x-section': section, 'x-required-basis': 'assumed' };
  return [[body, `${capitalize(name)}Body`, basis === 'specified' ? specified : undefined]];
});

const lists = calls.flatMap(([name, { response }]): NamedSchema[] =>
  response instanceof z.ZodMiniObject && 'data' in response.shape ? [[response, `${capitalize(name)}Response`]] : [],
);

/** Every schema under `components/schemas`, with its name and basis. */
export const namedSchemas: readonly NamedSchema[] = [
  ...namedResources.map(({ schema, id }): NamedSchema => [schema, id]),
  ...bodies,
  ...lists,
  [delivery, 'Delivery'],
  [errorResponse, 'Error'],
];

/** Returns the name of a schema; undefined for any without one. */
export const schemaNameOf = (schema: z.core.$ZodType): string | undefined =>
  namedSchemas.find(([each]) => each === schema)?.[1];

/** The named schemas as zod takes them. */
export const registry = z.registry<{ id: string }>();
for (const [schema, id, basis = { 'x-basis': 'assumed' }] of namedSchemas) registry.add(schema, { id, ...basis });
