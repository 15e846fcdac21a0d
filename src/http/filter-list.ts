import type { AnyInput, Endpoint } from '../api/endpoints';
import { passesFilters } from '../api/filters';

/**
 * Returns a parsed list with only the records that match the query, since a service may ignore unknown parameters.
 * Returns any other response unchanged.
 */
export const filterList = <T>(endpoint: Endpoint, input: AnyInput, response: T): T => {
  const { data }: { data?: unknown } = Object(response);
  if (!endpoint.query || !Array.isArray(data)) return response;
  const filters = { ...Object(input.query) };
  return { ...response, data: data.filter((record) => passesFilters(Object(record), filters)) };
};
