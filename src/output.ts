import type { ZodMiniObject } from 'zod/mini';
import { isTime } from './api/time';

interface Resource<R> {
  schema: ZodMiniObject;
  sample: R;
}

const toLabel = (key: string): string =>
  key.replace(/(^|_)([a-z])/g, (_, gap, letter) => `${gap && ' '}${letter.toUpperCase()}`);

/**
 * What a step gives, as Zapier needs it declared: the example, and the fields whose type Zapier would not see by
 * itself, which are the times. Its own labels and types for the rest are right, and core copies the definition at each run.
 */
export const output = <R>({ schema, sample }: Resource<R>) => ({
  sample,
  outputFields: Object.entries(schema.shape)
    .filter(([, field]) => isTime(field))
    .map(([key]) => ({ key, label: toLabel(key), type: 'datetime' as const })),
});
