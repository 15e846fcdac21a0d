import * as zod from 'zod/mini';
import type { AnyInput, Endpoint } from '../api/endpoints';
import { passesFilters } from '../api/filters';

const list = zod.object({ data: zod.array(zod.looseObject({})) });

/**
 * Returns a parsed list with only the records that match the query, since a service may ignore unknown parameters.
 * Returns any other response unchanged.
 */
export const filterList = <T>(endpoint: Endpoint, input: AnyInput, response: T): T => {
  const parsed = endpoint.query && list.safeParse(response).data;
  if (!parsed) return response;
  return { ...response, data: parsed.data.filter((record) => passesFilters(record, { ...input.query })) };
};
