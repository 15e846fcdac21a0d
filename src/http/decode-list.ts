/** Reads a list without the records that can't be read, which would hide the others, and without those nobody asked for. */
import * as zod from 'zod/mini';
import { decode } from '../api/decode';
import type { AnyInput, Endpoint } from '../api/endpoints';
import { isNote, passesFilters } from '../api/filters';
import { fieldsOf } from '../api/object';
import { tolerant } from '../api/tolerant';
import { fromWire } from '../api/translate';
import type { Sent } from '../api/wire';

/** What a page says of the records that are left out. No service can say it. */
const unread = Symbol('the place of the first record that is left out');

/** Returns the place of the first record of a list that is left out, because it can't be read; undefined if none is. */
export const firstUnread = (page: object | undefined): number | undefined => {
  const place: unknown = page && Reflect.get(page, unread);
  return typeof place === 'number' ? place : undefined;
};

/** Returns a page that has no record at the places from `place` on which can't be read. */
export const withUnread = <T extends object>(page: T, place: number | undefined): T =>
  place === undefined ? page : Object.assign(page, { [unread]: place });

/**
 * Like `decode`, but leaves out the records of a list that can't be read, unless none of them can. `firstUnread` tells
 * where.
 */
export const decodeTolerantly = <S extends zod.ZodMiniType>(
  schema: S,
  value: unknown,
  sent: Sent | undefined,
): ReturnType<typeof decode<S>> => {
  const decoded = decode<S>(schema, value, sent);
  if (decoded.success) return decoded;
  const page = fieldsOf(fromWire(schema, value, sent));
  const places = decoded.error.issues.map(({ path: [list, index] }) => (list === 'data' ? index : undefined));
  const unreadable = new Set<unknown>(places);
  if (!Array.isArray(page.data) || unreadable.has(undefined)) return decoded;
  const data: unknown[] = page.data.filter((_, index) => !unreadable.has(index));
  if (data.length === 0) return decoded;
  const place = page.data.findIndex((_, index) => unreadable.has(index));
  const readable = zod.safeParse(tolerant(schema), { ...page, data });
  if (readable.success) withUnread(Object(readable.data), place);
  return readable;
};

/** Filters that a service may apply by what its records don't say. */
const unsaid = ['status', 'channel'];

/** Returns a record without the fields in which the service says nothing. */
const withoutUnsaid = (record: unknown): object =>
  Object.fromEntries(
    Object.entries(fieldsOf(record)).filter(([name, value]) => value !== null || !unsaid.includes(name)),
  );

/**
 * Returns a parsed list with only the records that match the query, since a service may ignore unknown parameters, and
 * without notes among messages. Returns any other response unchanged.
 */
export const filterList = <T>(endpoint: Endpoint, input: AnyInput, response: T): T => {
  const { data } = fieldsOf(response);
  if (!endpoint.query || !Array.isArray(data)) return response;
  const passes = (record: unknown): boolean =>
    !isNote(fieldsOf(record)) && passesFilters(withoutUnsaid(record), { ...input.query });
  const place = firstUnread(Object(response));
  const before = place === undefined ? undefined : data.slice(0, place).filter(passes).length;
  return withUnread({ ...response, data: data.filter(passes) }, before);
};
