import * as z from 'zod/mini';
import { itemOf } from './wire';

/** ISO 8601 with `Z` (contract §1). Not checked on reading: a time written otherwise is still worth passing on. */
export const time = z.string();

/** Whether a field holds a point in time. */
export const isTime = (schema: z.core.$ZodType): boolean => itemOf(schema) === time;
