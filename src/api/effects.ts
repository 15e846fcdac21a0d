import * as z from 'zod/mini';
import { type Endpoint, endpoints } from './endpoints';
import { errorResponse } from './errors';
import { delivery, events } from './events';
import { elementOf, innerOf } from './schema';
import { differences, sharedWord } from './wire';

type Schema = z.core.$ZodType;

/** A schema inside another one, and the key of the field that it is in. */
interface Place {
  schema: Schema;
  key: string;
  isField: boolean;
}

export const placesIn = (schema: Schema, key = '', isField = false): Place[] => {
  const place = { schema, key, isField };
  const [inner, element] = [innerOf(schema), elementOf(schema)];
  if (inner) return [place, ...placesIn(inner, key, isField)];
  if (element) return [place, ...placesIn(element, key)];
  const fields = schema instanceof z.ZodMiniObject ? Object.entries(schema.shape) : [];
  return [place, ...fields.flatMap(([name, field]) => placesIn(field, name, true))];
};

/** Returns a sentence about each difference that is declared where nothing looks for it in these schemas. */
export const misplaced = (schemas: readonly Schema[]): string[] => {
  const places = schemas.flatMap((schema) => placesIn(schema));
  return [...differences].flatMap(([schema, { declared, needsField }]) => {
    const found = places.filter((place) => place.schema === schema);
    const wrong = found.find(({ isField }) => needsField && !isField);
    if (found.length > 0 && !wrong) return [];
    const where = wrong?.key ? `inside \`${wrong.key}\`` : 'where it is';
    return [`${declared} has no effect ${where}. Put it around the whole schema of a field or a query parameter.`];
  });
};

/** Returns every schema of the contract that isn't a part of another one. */
export const allSchemas = (): Schema[] => [
  ...Object.values<Endpoint>(endpoints).flatMap(({ query, body, response }) =>
    [query, body, response].filter((schema) => schema !== undefined),
  ),
  ...Object.values(events).map(({ schema }) => schema),
  errorResponse,
  delivery,
];

/** Throws an error unless everything that differs is declared where it has an effect, and each word stands for one of ours. */
export const requireEffects = (): void => {
  const shared = sharedWord();
  if (shared) {
    throw new Error(
      `src/api: "${shared}" can't stand for two of our words. Give it to one, or tell events apart in \`delivery\` of service.ts.`,
    );
  }
  const [problem] = differences.size > 0 ? misplaced(allSchemas()) : [];
  if (problem) throw new Error(`src/api: ${problem}`);
};
