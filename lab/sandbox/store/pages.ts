import * as z from 'zod/mini';
import type { EndpointName } from '../../../src/api/transport';
import { validationError } from '../engine/api-error';
import type { WorkspaceContext } from './context';
import { fold } from './database';
import { type Kind, type Shown, show, withContact } from './records';

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

/** The SQL for a field of a record. */
export const inDocument = (field: string): string => `document ->> '${field}'`;

/** Returns a filter for records whose field has one of the values. */
export const isOneOf = (field: string, values: readonly string[] | undefined): Filter => [
  // SQLite uses an index and its order only for one value.
  values?.length === 1 ? `${field} = ? ->> 0` : `${field} IN (SELECT value FROM json_each(?))`,
  values,
];

/** Returns a filter for records whose fields contain every value, ignoring case, accents and the spaces around it. */
export const containsAll = (fields: readonly string[], values: readonly string[] | undefined): Filter => [
  `NOT EXISTS (SELECT 1 FROM json_each(?) WHERE instr(fold(concat_ws(' ', ${fields.map(inDocument)})), value) = 0)`,
  values && [...new Set(values.map((value) => fold(value.trim())))],
];

const row = z.object({ seq: z.number(), document: z.string() });

/** Returns a page of the workspace's records, newest first. */
export const selectPage = <K extends Kind>(
  { database, workspaceId }: WorkspaceContext,
  kind: K,
  { list, limit, before, offset }: ListQuery,
  filters: Filter[] = [],
): { data: Shown[K][]; next_cursor: string | null } => {
  const used = filters.flatMap(([condition, values]) => (values ? [{ condition, json: JSON.stringify(values) }] : []));
  const where = [`kind = '${kind}'`, 'workspace = ?', 'seq < ?', ...used.map(({ condition }) => condition)];
  const found = database.all(
    row,
    `SELECT seq, ${withContact} AS document FROM records AS record
      WHERE ${where.join(' AND ')} ORDER BY seq DESC LIMIT ? OFFSET ?`,
    workspaceId,
    before,
    ...used.map(({ json }) => json),
    limit + 1,
    offset,
  );
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    data: rows.map(({ document }) => show(kind, JSON.parse(document))),
    next_cursor: last && found.length > limit ? encodeCursor(list, last.seq) : null,
  };
};
