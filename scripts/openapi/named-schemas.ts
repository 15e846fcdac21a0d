import * as z from 'zod/mini';
import { type Endpoint, endpoints } from '../../src/api/endpoints';
import { errorResponse } from '../../src/api/errors';
import { delivery } from '../../src/api/events';
import * as resources from '../../src/api/resources';

/** A schema under `components/schemas` in the document. */
export interface NamedSchema {
  id: string;
  schema: z.ZodMiniObject;
  basis: resources.Basis;
}

/** Uppercases the first letter: `sendMessage` is `SendMessage`. */
export const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The API's resources by name. Sorted, because the order of a module's exports differs between loaders. */
export const namedResources = Object.entries(resources)
  .flatMap(([name, resource]) =>
    typeof resource === 'object' && 'sample' in resource ? [{ id: capitalize(name), ...resource }] : [],
  )
  .toSorted((a, b) => a.id.localeCompare(b.id));

const calls = Object.entries<Endpoint>(endpoints);

const bodies = calls.flatMap(([name, { body, basis }]): NamedSchema[] =>
  body instanceof z.ZodMiniObject ? [{ id: `${capitalize(name)}Body`, schema: body, basis }] : [],
);

const lists = calls.flatMap(([name, { response }]): NamedSchema[] =>
  response instanceof z.ZodMiniObject && 'data' in response.shape
    ? [{ id: `${capitalize(name)}Answer`, schema: response, basis: 'assumed' }]
    : [],
);

/** Every named schema, in the order of the document. */
export const namedSchemas: readonly NamedSchema[] = [
  ...namedResources,
  ...bodies,
  ...lists,
  { id: 'Delivery', schema: delivery, basis: 'assumed' },
  { id: 'Error', schema: errorResponse, basis: 'assumed' },
];
