import type { AnyInput, Endpoint } from '../api/endpoints';
import { passesFilters } from '../api/filters';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isList = (value: unknown): value is { data: object[] } =>
  isObject(value) && 'data' in value && Array.isArray(value.data) && value.data.every(isObject);

/**
 * Returns a parsed list with only the records that match the query, since a service may ignore unknown parameters.
 * Returns any other response unchanged.
 */
export const keepRequested = <T>(endpoint: Endpoint, input: AnyInput, response: T): T => {
  if (!endpoint.query || !isList(response)) return response;
  const filters = { ...Object(input.query) };
  return { ...response, data: response.data.filter((record) => passesFilters(record, filters)) };
};
