import * as z from 'zod/mini';
import { type Endpoint, endpoints } from '../../src/api/endpoints';
import { errorAnswer } from '../../src/api/errors';
import { delivery } from '../../src/api/events';
import * as resources from '../../src/api/resources';

/** A schema that has a name of its own in the document. */
export interface NamedSchema {
  id: string;
  schema: z.ZodMiniObject;
  basis: resources.Basis;
}

/** A name as it stands in the middle of another: `sendMessage` is `SendMessage`. */
export const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The things that the API talks about, each with its example, by name: a module's own order differs between loaders. */
export const things = Object.entries(resources)
  .flatMap(([name, thing]) =>
    typeof thing === 'object' && 'sample' in thing ? [{ id: capitalize(name), ...thing }] : [],
  )
  .toSorted((a, b) => a.id.localeCompare(b.id));

const calls = Object.entries<Endpoint>(endpoints);

const bodies = calls.flatMap(([name, { body, basis }]): NamedSchema[] =>
  body instanceof z.ZodMiniObject ? [{ id: `${capitalize(name)}Body`, schema: body, basis }] : [],
);

const lists = calls.flatMap(([name, { answer }]): NamedSchema[] =>
  answer instanceof z.ZodMiniObject && 'data' in answer.shape
    ? [{ id: `${capitalize(name)}Answer`, schema: answer, basis: 'assumed' }]
    : [],
);

/** Every schema that has a name of its own, in the order of the document. */
export const namedSchemas: readonly NamedSchema[] = [
  ...things,
  ...bodies,
  ...lists,
  { id: 'Delivery', schema: delivery(), basis: 'assumed' },
  { id: 'Error', schema: errorAnswer(), basis: 'assumed' },
];
