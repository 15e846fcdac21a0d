import * as z from 'zod/mini';
import { fromWire, toWire } from './wire';

/** Returns an example as steps give it: where the service has numbers for ids, the ids are the texts of numbers. */
export const toSample = <S extends z.ZodMiniObject>(schema: S, ours: z.output<S>): z.output<S> => {
  const theirs = toWire(schema, ours);
  return theirs === ours ? ours : z.parse(schema, fromWire(schema, theirs));
};
