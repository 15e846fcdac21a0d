import * as z from 'zod/mini';
import { itemOf, toWire } from '../../src/api/wire';
import { things } from './named-schemas';

const countShared = (shape: object, sample: object): number => Object.keys(sample).filter((key) => key in shape).length;

const sampleOf = (schema: z.core.$ZodType): object => {
  if (!(schema instanceof z.ZodMiniObject)) return {};
  const { shape } = schema;
  if (shape.data instanceof z.ZodMiniArray) return { data: [sampleOf(itemOf(shape.data))], next_cursor: null };
  const [closest] = things.toSorted((a, b) => countShared(shape, b.sample) - countShared(shape, a.sample));
  return Object.fromEntries(Object.entries(closest?.sample ?? {}).filter(([key]) => key in shape));
};

/** An example of the schema as the service writes it, from the thing that has the most fields in common with it. */
export const exampleOf = (schema: z.core.$ZodType): unknown => toWire(schema, sampleOf(schema));
