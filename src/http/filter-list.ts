import type { AnyInput, Endpoint } from '../api/endpoints';
import { passesFilters } from '../api/filters';
import { fieldsOf } from '../api/object';
import { vocabulary } from '../api/resources';
import { firstUnread, withUnread } from './decode-list';

/**
 * Whether a record may be what its list is of. A service may put internal notes and other activities among its messages,
 * which have another direction.
 */
const isOfItsKind = (record: unknown): boolean => {
  const { direction } = fieldsOf(record);
  return direction === undefined || direction === null || directions.includes(direction);
};

/** Filters that a service may apply by what its records don't say. */
const unsaid = ['status', 'channel'];

const directions: readonly unknown[] = vocabulary.direction;

/** Returns a record without the fields in which the service says nothing. */
const withoutUnsaid = (record: unknown): object =>
  Object.fromEntries(
    Object.entries(fieldsOf(record)).filter(([name, value]) => value !== null || !unsaid.includes(name)),
  );

/**
 * Returns a parsed list with only the records that match the query, since a service may ignore unknown parameters, and
 * without those that are something else, such as notes among messages. Returns any other response unchanged.
 */
export const filterList = <T>(endpoint: Endpoint, input: AnyInput, response: T): T => {
  const { data } = fieldsOf(response);
  if (!endpoint.query || !Array.isArray(data)) return response;
  const passes = (record: unknown): boolean =>
    isOfItsKind(record) && passesFilters(withoutUnsaid(record), { ...input.query });
  const place = firstUnread(Object(response));
  const before = place === undefined ? undefined : data.slice(0, place).filter(passes).length;
  return withUnread({ ...response, data: data.filter(passes) }, before);
};
