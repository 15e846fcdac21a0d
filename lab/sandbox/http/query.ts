import * as z from 'zod/mini';
import { pageSize } from '../../../src/api/endpoints';
import { isList, wordsOf } from '../../../src/api/fields';
import type { EndpointName } from '../../../src/api/transport';
import { requireNone, validationError } from '../engine/api-error';
import { decodeCursor, firstPage, type ListQuery } from '../store/pages';

/** The limit of a list without pages. One less than the maximum, because a page reads one row more than it shows. */
const noLimit = Number.MAX_SAFE_INTEGER - 1;

type Parameter = z.core.$ZodType;

/** The query parameters of an endpoint by their names in the URL. */
const parametersOf = (schema: z.ZodMiniObject): Map<string, Parameter> => new Map(Object.entries(schema.shape));

const valuesOf = (parameter: Parameter, value: string): string[] => (isList(parameter) ? value.split(',') : [value]);

const problemWith = (parameter: Parameter | undefined, value: string): string | undefined => {
  if (!parameter) return 'is not a query parameter of this call';
  if (value.includes('\0')) return 'must not contain a null character';
  const values = valuesOf(parameter, value);
  if (values.includes('')) return 'must not be empty';
  const allowed = wordsOf(parameter);
  if (allowed && !values.every((each) => allowed.includes(each))) return `must be one of ${allowed.join(', ')}`;
  return undefined;
};

const readLimit = (value: string | undefined): number => {
  if (value === undefined) return pageSize.default;
  const limit = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (limit >= pageSize.min && limit <= pageSize.max) return limit;
  throw validationError([{ field: 'limit', message: `must be a number from ${pageSize.min} to ${pageSize.max}` }]);
};

const noParameters = z.object({});
const texts = z.array(z.string());

/** Parses the query of a call. Throws a 422 for parameters that are unknown, empty or have an unknown value. */
export const parseQuery = (
  list: EndpointName,
  query: Record<string, string>,
  schema: z.ZodMiniObject = noParameters,
): ListQuery => {
  const given = Object.entries(query);
  const parameters = parametersOf(schema);
  const problems = given.flatMap(([field, value]) => {
    const message = problemWith(parameters.get(field), value);
    return message ? [{ field, message }] : [];
  });
  requireNone(problems);
  const read = given.flatMap(([name, value]) => {
    const parameter = parameters.get(name);
    return parameter ? [[name, texts.parse(valuesOf(parameter, value))]] : [];
  });
  const { limit, after, ...filters }: Partial<Record<string, string[]>> = Object.fromEntries(read);
  return {
    list,
    limit: 'limit' in schema.shape ? readLimit(limit?.[0]) : noLimit,
    ...(after?.[0] === undefined ? firstPage : decodeCursor(list, after[0])),
    filters,
  };
};
