import * as z from 'zod/mini';

const anyObject = z.looseObject({});

/** Returns the fields of an object; none for any other value, such as a list. */
export const fieldsOf = (value: unknown): Record<string, unknown> => anyObject.safeParse(value).data ?? {};
