import * as z from 'zod/mini';
import { itemOf } from '../../src/api/fields';
import { namedResources } from './named-schemas';

const countShared = (shape: object, sample: object): number => Object.keys(sample).filter((key) => key in shape).length;

/** Returns an example of the schema, from the resource that shares most fields with it. */
export const exampleOf = (schema: z.core.$ZodType): object => {
  if (!(schema instanceof z.ZodMiniObject)) return {};
  const { shape } = schema;
  if (shape.data instanceof z.ZodMiniArray) return { data: [exampleOf(itemOf(shape.data))], next_cursor: null };
  const [closest] = namedResources.toSorted((a, b) => countShared(shape, b.sample) - countShared(shape, a.sample));
  return Object.fromEntries(Object.entries(closest?.sample ?? {}).filter(([key]) => key in shape));
};
