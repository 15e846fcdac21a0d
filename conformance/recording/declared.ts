/** What the contract declares, as the service spells it. */
import * as z from 'zod/mini';
import { calls } from '../../src/api/endpoints';
import { errorResponse } from '../../src/api/errors';
import { delivery, events } from '../../src/api/events';
import { itemOf } from '../../src/api/schema';
import { nameOnWire, wordsOnWire } from '../../src/api/wire';

type Schema = z.core.$ZodType;

/** Returns the declared fields of an object, by our names and by the service's. */
export const fieldsOf = (schema: Schema | undefined): Map<string, Schema> => {
  const fields = schema instanceof z.ZodMiniObject ? Object.entries(schema.def.shape) : [];
  return new Map([...fields, ...fields.map(([key, field]): [string, Schema] => [nameOnWire(key, field), field])]);
};

/** The names and words that the contract declares anywhere. */
export const declared = { names: new Set<string>(), words: new Set<string>() };

const addAll = (given: Schema): void => {
  const schema = itemOf(given);
  for (const word of wordsOnWire(schema) ?? []) declared.words.add(word);
  for (const [name, field] of fieldsOf(schema)) {
    declared.names.add(name);
    addAll(field);
  }
};

const responses = calls.map(([, { response }]) => response);
const records = Object.values(events).map(({ schema }) => schema);
for (const schema of [...responses, ...records, errorResponse, delivery]) addAll(schema);
