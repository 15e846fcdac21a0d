import * as z from 'zod/mini';
import { type EndpointName, pageSize } from '../../src/api/endpoints';
import { fromWire, nameOnWire, wordsOnWire } from '../../src/api/wire';
import { refuseFields } from '../refusal';
import type { Database } from './database';
import type { Kind } from './records';

/** What a list call asks for: how many rows, older than which, and the values that each filter lets through. */
export interface Page<Filter extends string = string> {
  list: EndpointName;
  limit: number;
  before: number;
  filters: Partial<Record<Filter, string[]>>;
}

const newest = Number.MAX_SAFE_INTEGER;
/** A list that takes no `limit` is given whole. */
const whole = Number.MAX_SAFE_INTEGER - 1;

const encodeCursor = (list: EndpointName, seq: number): string => Buffer.from(`${list}:${seq}`).toString('base64url');

const decodeCursor = (list: EndpointName, cursor: string): number => {
  const [name, seq, ...rest] = Buffer.from(cursor, 'base64url').toString().split(':');
  if (name !== list || !seq || !/^\d{1,15}$/.test(seq) || rest.length > 0) {
    throw refuseFields([{ field: 'after', message: 'is not a cursor of this list' }]);
  }
  return Number(seq);
};

interface Parameter {
  takesSeveral: boolean;
  words: string[] | undefined;
}

const isList = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodMiniOptional ? isList(schema.def.innerType) : schema instanceof z.ZodMiniArray;

/** The parameters of a call by the names that they have in its address. */
const parametersOf = (schema: z.ZodMiniObject): Map<string, Parameter> =>
  new Map(
    Object.entries(schema.shape).map(([ours, field]) => [
      nameOnWire(ours, field),
      { takesSeveral: isList(field), words: wordsOnWire(field) },
    ]),
  );

const wrongWith = (parameter: Parameter | undefined, [value = '', ...more]: string[]): string | undefined => {
  if (!parameter) return 'is not a query parameter of this call';
  if (more.length > 0) return 'is given twice; separate several values by commas';
  if (value.includes('\0')) return 'must not contain a null character';
  const values = parameter.takesSeveral ? value.split(',') : [value];
  if (values.includes('')) return 'must not be empty';
  const { words } = parameter;
  if (words && !values.every((each) => words.includes(each))) return `must be one of ${words.join(', ')}`;
  return undefined;
};

const readLimit = (value: string | undefined): number => {
  if (value === undefined) return pageSize.usual;
  const limit = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (limit >= pageSize.least && limit <= pageSize.most) return limit;
  throw refuseFields([{ field: 'limit', message: `must be a number from ${pageSize.least} to ${pageSize.most}` }]);
};

const noParameters = z.object({});
const filterValues = z.record(z.string(), z.array(z.string()));

/**
 * Reads the query of a call. Refuses with 422 a parameter that the call does not have, that is given twice or empty,
 * or whose word does not exist.
 */
export const readPage = (
  list: EndpointName,
  query: Record<string, string[]>,
  schema: z.ZodMiniObject = noParameters,
): Page => {
  const parameters = parametersOf(schema);
  const problems = Object.entries(query).flatMap(([field, values]) => {
    const message = wrongWith(parameters.get(field), values);
    return message ? [{ field, message }] : [];
  });
  if (problems.length > 0) throw refuseFields(problems);
  const given = Object.entries(query).map(([name, [value = '']]): [string, string[]] => [
    name,
    parameters.get(name)?.takesSeveral ? value.split(',') : [value],
  ]);
  const { limit, after, ...filters } = filterValues.parse(fromWire(schema, Object.fromEntries(given)));
  return {
    list,
    limit: 'limit' in schema.shape ? readLimit(limit?.[0]) : whole,
    before: after?.[0] === undefined ? newest : decodeCursor(list, after[0]),
    filters,
  };
};

/** A condition whose one `?` takes the values as a JSON array. Without values the filter is ignored. */
export type Filter = readonly [condition: string, values: readonly string[] | undefined];

/** A filter that lets through rows whose column has one of the values. */
export const isOneOf = (column: string, values: readonly string[] | undefined): Filter => [
  `${column} IN (SELECT value FROM json_each(?))`,
  values,
];

/** A filter for rows in whose text every value occurs, ignoring case and accents. */
export const containsAll = (text: string, values: readonly string[] | undefined): Filter => [
  `NOT EXISTS (SELECT 1 FROM json_each(?) WHERE instr(fold(${text}), fold(value)) = 0)`,
  values,
];

const row = z.object({ seq: z.number(), document: z.string() });

/** A page of the workspace's resources, newest first. */
export const listPage = <S extends z.ZodMiniType>(
  database: Database,
  { table, view, schema }: Kind<S>,
  workspaceId: string,
  page: Page,
  filters: Filter[] = [],
): { data: z.output<S>[]; next_cursor: string | null } => {
  const used = filters.flatMap(([condition, values]) => (values ? [{ condition, json: JSON.stringify(values) }] : []));
  const where = ['workspace_id = ?', 'seq < ?', ...used.map(({ condition }) => condition)].join(' AND ');
  const found = database.all(
    row,
    `SELECT seq, document FROM ${view}
      WHERE seq IN (SELECT seq FROM ${table} WHERE ${where} ORDER BY seq DESC LIMIT ?) ORDER BY seq DESC`,
    workspaceId,
    page.before,
    ...used.map(({ json }) => json),
    page.limit + 1,
  );
  const shown = found.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    data: shown.map(({ document }) => schema.parse(JSON.parse(document))),
    next_cursor: last && found.length > page.limit ? encodeCursor(page.list, last.seq) : null,
  };
};
