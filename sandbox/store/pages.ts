import * as z from 'zod/mini';
import type { EndpointName } from '../../src/api/endpoints';
import { validationError } from '../api-error';
import type { WorkspaceContext } from '../engine/context';
import { fold } from './database';
import type { ResourceType } from './records';

/** The query of a list call: how many rows, which cursor position and how many rows they follow, and its filters. */
export interface ListQuery<Filter extends string = string> {
  list: EndpointName;
  limit: number;
  before: number;
  offset: number;
  filters: Partial<Record<Filter, string[]>>;
}

const encodeCursor = (list: EndpointName, seq: number): string => Buffer.from(`${list}:${seq}`).toString('base64url');

/** The position of the first page. */
export const firstPage = { before: Number.MAX_SAFE_INTEGER, offset: 0 };

/**
 * Returns the position that the cursor encodes. A number is an offset, for a contract without cursors. Throws a 422 when
 * it isn't a cursor of this list.
 */
export const decodeCursor = (list: EndpointName, cursor: string): typeof firstPage => {
  if (/^\d{1,9}$/.test(cursor)) return { ...firstPage, offset: Number(cursor) };
  const [name, seq, ...rest] = Buffer.from(cursor, 'base64url').toString().split(':');
  if (name !== list || !seq || !/^\d{1,15}$/.test(seq) || rest.length > 0) {
    throw validationError([{ field: 'after', message: 'is not a cursor of this list' }]);
  }
  return { ...firstPage, before: Number(seq) };
};

/** A condition whose one `?` takes the values as a JSON array. Without values the filter is ignored. */
type Filter = readonly [condition: string, values: readonly string[] | undefined];

/** Returns a filter for rows whose column has one of the values. */
export const isOneOf = (column: string, values: readonly string[] | undefined): Filter => [
  `${column} IN (SELECT value FROM json_each(?))`,
  values,
];

/** Returns a filter for rows whose text contains every value, ignoring case, accents and the spaces around it. */
export const containsAll = (text: string, values: readonly string[] | undefined): Filter => [
  `NOT EXISTS (SELECT 1 FROM json_each(?) WHERE instr(fold(${text}), value) = 0)`,
  values && [...new Set(values.map((value) => fold(value.trim())))],
];

const row = z.object({ seq: z.number(), document: z.string() });

/** Returns a page of the workspace's resources, newest first. */
export const selectPage = <S extends z.ZodMiniType>(
  { database, workspaceId }: WorkspaceContext,
  { table, view, schema }: ResourceType<S>,
  { list, limit, before, offset }: ListQuery,
  filters: Filter[] = [],
): { data: z.output<S>[]; next_cursor: string | null } => {
  const used = filters.flatMap(([condition, values]) => (values ? [{ condition, json: JSON.stringify(values) }] : []));
  const where = ['workspace_id = ?', 'seq < ?', ...used.map(({ condition }) => condition)].join(' AND ');
  const found = database.all(
    row,
    `SELECT seq, document FROM ${view}
      WHERE seq IN (SELECT seq FROM ${table} WHERE ${where} ORDER BY seq DESC LIMIT ? OFFSET ?) ORDER BY seq DESC`,
    workspaceId,
    before,
    ...used.map(({ json }) => json),
    limit + 1,
    offset,
  );
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map(({ document }) => schema.parse(JSON.parse(document))),
    next_cursor: last && found.length > limit ? encodeCursor(list, last.seq) : null,
  };
};
