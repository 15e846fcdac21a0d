import * as z from 'zod/mini';
import { type EndpointName, pageSize } from '../src/api/endpoints';
import type { Database } from './database';
import type { Kind } from './records';
import { parseOrRefuse, refuseFields } from './refusal';

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

const readLimit = (value: string | undefined): number => {
  if (value === undefined) return pageSize.usual;
  const limit = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (limit >= 1 && limit <= pageSize.most) return limit;
  throw refuseFields([{ field: 'limit', message: `must be a number from 1 to ${pageSize.most}` }]);
};

/** `query` is what a person types, so a comma in it is a comma. */
const readValues = (name: string, value: string): string[] => (name === 'query' ? [value] : value.split(','));

/** Reads the query of a call; refuses with 422 a name the endpoint does not have, a name given twice, and emptiness. */
export const readPage = (list: EndpointName, allowed: readonly string[], query: Record<string, string[]>): Page => {
  const problems = Object.entries(query).flatMap(([field, [value = '', ...more]]) => {
    if (!allowed.includes(field)) return [{ field, message: 'is not a query parameter of this call' }];
    if (more.length > 0) return [{ field, message: 'is given twice; separate several values by commas' }];
    return value.split(',').includes('') ? [{ field, message: 'must not be empty' }] : [];
  });
  if (problems.length > 0) throw refuseFields(problems);
  const { limit, after, ...filters } = Object.fromEntries(
    Object.entries(query).map(([name, [value = '']]) => [name, value]),
  );
  return {
    list,
    limit: allowed.includes('limit') ? readLimit(limit) : whole,
    before: after === undefined ? newest : decodeCursor(list, after),
    filters: Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, readValues(name, value)])),
  };
};

/** The values of a filter whose words are known, or a 422. */
export const readWords = <W extends string>(
  page: Page<W>,
  name: W,
  words: readonly [string, ...string[]],
): string[] | undefined => parseOrRefuse(z.object({ [name]: z.optional(z.array(z.enum(words))) }), page.filters)[name];

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
    throw refuseFields([{ field: 'query', message: `filters have more than ${mostBranches} combinations` }]);
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
