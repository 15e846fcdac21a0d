import * as z from 'zod/mini';
import { type EndpointName, pageSize } from '../../src/api/endpoints';
import { fromWire, nameOnWire, wordsOnWire } from '../../src/api/wire';
import { refuseFields } from '../refusal';
import { decodeCursor, type ListQuery } from '../store/pages';

const maxSeq = Number.MAX_SAFE_INTEGER;
/** The limit of a list without pages. One less than the maximum, because a page reads one row more than it shows. */
const noLimit = Number.MAX_SAFE_INTEGER - 1;

interface Parameter {
  isList: boolean;
  /** The only values that it takes. Without them it takes any. */
  values: string[] | undefined;
}

const isListSchema = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodMiniOptional ? isListSchema(schema.def.innerType) : schema instanceof z.ZodMiniArray;

/** The query parameters of an endpoint by their names in the URL. */
const parametersOf = (schema: z.ZodMiniObject): Map<string, Parameter> =>
  new Map(
    Object.entries(schema.shape).map(([ours, field]) => [
      nameOnWire(ours, field),
      { isList: isListSchema(field), values: wordsOnWire(field) },
    ]),
  );

const problemWith = (parameter: Parameter | undefined, [value = '', ...more]: string[]): string | undefined => {
  if (!parameter) return 'is not a query parameter of this call';
  if (more.length > 0) return 'is given twice; separate several values by commas';
  if (value.includes('\0')) return 'must not contain a null character';
  const values = parameter.isList ? value.split(',') : [value];
  if (values.includes('')) return 'must not be empty';
  const allowed = parameter.values;
  if (allowed && !values.every((each) => allowed.includes(each))) return `must be one of ${allowed.join(', ')}`;
  return undefined;
};

const readLimit = (value: string | undefined): number => {
  if (value === undefined) return pageSize.default;
  const limit = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (limit >= pageSize.min && limit <= pageSize.max) return limit;
  throw refuseFields([{ field: 'limit', message: `must be a number from ${pageSize.min} to ${pageSize.max}` }]);
};

const noParameters = z.object({});
const filterValues = z.record(z.string(), z.array(z.string()));

/** Parses the query of a call. Throws a 422 for parameters that are unknown, repeated, empty or have an unknown value. */
export const parseQuery = (
  list: EndpointName,
  query: Record<string, string[]>,
  schema: z.ZodMiniObject = noParameters,
): ListQuery => {
  const parameters = parametersOf(schema);
  const problems = Object.entries(query).flatMap(([field, values]) => {
    const message = problemWith(parameters.get(field), values);
    return message ? [{ field, message }] : [];
  });
  if (problems.length > 0) throw refuseFields(problems);
  const given = Object.entries(query).map(([name, [value = '']]): [string, string[]] => [
    name,
    parameters.get(name)?.isList ? value.split(',') : [value],
  ]);
  const { limit, after, ...filters } = filterValues.parse(fromWire(schema, Object.fromEntries(given)));
  return {
    list,
    limit: 'limit' in schema.shape ? readLimit(limit?.[0]) : noLimit,
    before: after?.[0] === undefined ? maxSeq : decodeCursor(list, after[0]),
    filters,
  };
};
