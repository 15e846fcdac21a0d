import * as z from 'zod/mini';
import { calls, type Endpoint } from '../../../src/api/endpoints';
import * as resources from '../../../src/api/resources';
import { elementOf } from '../../../src/api/schema';

/** Returns the schema of each record; undefined if the response isn't a list. */
export const recordOf = ({ response }: Endpoint): z.ZodMiniObject | undefined => {
  const data = response instanceof z.ZodMiniObject ? response.def.shape.data : undefined;
  const record = data && elementOf(data);
  return record instanceof z.ZodMiniObject ? record : undefined;
};

/** Returns the name under which `src/api` declares the resource that the endpoint returns. */
export const resourceOf = (endpoint: Endpoint): string => {
  const { _zod: schema } = recordOf(endpoint) ?? endpoint.response;
  const found = Object.entries(resources).find(([, each]) => Object(each).schema?.def === schema.def);
  return found?.[0] ?? 'webhook';
};

const listed = new Set(calls.flatMap(([, endpoint]) => (recordOf(endpoint) ? resourceOf(endpoint) : [])));

/** Whether a call lists the resource that `src/api` declares under this name. */
export const isListed = (resource: string): boolean => listed.has(resource);
