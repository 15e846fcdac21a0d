import type { AnyInput, Endpoint } from '../api/endpoints';
import { isNote, passesFilters } from '../api/filters';
import { fieldsOf } from '../api/object';
import { firstUnread, withUnread } from './decode-list';

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
