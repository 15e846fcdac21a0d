import * as z from 'zod/mini';

/** Parses a whole number from 0 to `max` of a form or an address. Returns undefined when it isn't one. */
export const readWholeNumber = (value: unknown, max: number): number | undefined => {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  return z.coerce.number().check(z.int(), z.minimum(0), z.maximum(max)).safeParse(value).data;
};
