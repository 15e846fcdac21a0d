import * as z from 'zod/mini';
import { fromWire, type Sent, toWire } from './wire';

/**
 * Returns an example as steps give it: where the service has numbers for ids, the ids are the texts of numbers. `sent` is
 * the request, if a response to it may have less than the whole record.
 */
export const toSample = <S extends z.ZodMiniObject>(schema: S, ours: z.output<S>, sent?: Sent): z.output<S> => {
  const theirs = toWire(schema, ours, sent);
  return theirs === ours ? ours : z.parse(schema, fromWire(schema, theirs, sent));
};
