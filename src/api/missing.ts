/** What the service lacks. Steps, forms and results are built without it, so nothing asks while a step runs. */
import type { Part } from './endpoints';
import { missing } from './service';

const lacking = new Set<string>(Object.values(missing).flat());

/** Whether the service has it. */
export const exists = (part: Part): boolean => !lacking.has(part);

/** Returns the values of a record, or of the filters of a call or webhook, that the service has. */
export const withoutMissing = <T extends object>(owner: string, values: T): Partial<T> =>
  // The compiler doesn't follow keys through entries.
  Object.fromEntries(Object.entries(values).filter(([key]) => !lacking.has(`${owner}.${key}`))) as Partial<T>;
