import * as z from 'zod/mini';
import { type EndpointName, pageSize } from '../src/api/endpoints';
import { fromWire, nameOnWire, wordsOnWire } from '../src/api/wire';
import type { Database } from './database';
import type { Kind } from './records';
import { Refusal, refuseFields } from './refusal';

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

/** A condition with one `?`, and the values of which any will do; without values it does not count. */
export type Filter = readonly [condition: string, values: readonly string[] | undefined];

const mostBranches = 100;

/** Every combination of one value for each filter: two statuses and three channels make six. */
const combine = (filters: Filter[]): { conditions: string[]; values: string[] }[] =>
  filters.reduce<{ conditions: string[]; values: string[] }[]>(
    (branches, [condition, values]) =>
      values === undefined
        ? branches
        : branches.flatMap((branch) =>
            values.map((value) => ({
              conditions: [...branch.conditions, condition],
              values: [...branch.values, value],
            })),
          ),
    [{ conditions: [], values: [] }],
  );

const row = z.object({ seq: z.number() });

/**
 * A page of the workspace's resources, newest first. Each combination of filter values is a branch of its own that
 * walks an index backwards, and SQLite merges the branches until the page is full, so that a page costs the same
 * however many rows there are.
 */
export const listPage = <S extends z.ZodMiniType>(
  database: Database,
  { table, view, schema }: Kind<S>,
  workspaceId: string,
  page: Page,
  filters: Filter[] = [],
  source: string = table,
): { data: z.output<S>[]; next_cursor: string | null } => {
  const branches = combine(filters);
  if (branches.length > mostBranches) {
    throw new Refusal('validation_failed', `The filters have more than ${mostBranches} combinations.`);
  }
  const union = branches
    .map(({ conditions }) =>
      [`SELECT seq FROM ${source} WHERE workspace_id = ? AND seq < ?`, ...conditions].join(' AND '),
    )
    .join(' UNION ');
  const values = branches.flatMap((branch) => [workspaceId, page.before, ...branch.values]);
  const found = database.all(row, `${union} ORDER BY seq DESC LIMIT ?`, ...values, page.limit + 1);
  const shown = found.slice(0, page.limit).map(({ seq }) => seq);
  const last = shown.at(-1);
  return {
    data: database.documents(
      schema,
      `SELECT document FROM ${view} WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq DESC`,
      JSON.stringify(shown),
    ),
    next_cursor: last !== undefined && found.length > page.limit ? encodeCursor(page.list, last) : null,
  };
};
