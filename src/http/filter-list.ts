import type { AnyInput, Endpoint } from '../api/endpoints';
import { passesFilters } from '../api/filters';
import { fieldsOf } from '../api/object';

/**
 * Returns a parsed list with only the records that match the query, since a service may ignore unknown parameters.
 * Returns any other response unchanged.
 */
export const filterList = <T>(endpoint: Endpoint, input: AnyInput, response: T): T => {
  const { data } = fieldsOf(response);
  if (!endpoint.query || !Array.isArray(data)) return response;
  return { ...response, data: data.filter((record) => passesFilters(fieldsOf(record), { ...input.query })) };
};
