import { routesOf } from '../../src/api/encode';
import type { Endpoint } from '../../src/api/endpoints';
import { capitalize } from '../../src/api/labels';
import { fieldsOf } from '../../src/api/object';

/** A request of an endpoint: where it goes, and the parameters that it has in the query and in the body. */
export interface Request {
  operationId: string;
  method: string;
  path: string;
  inQuery: Set<string>;
  inBody: Set<string>;
}

const keysOf = (value: unknown): string[] =>
  Object.entries(fieldsOf(value)).flatMap(([key, each]) => (each ? [key] : []));

/** Returns the requests of an endpoint. There is one, unless its `request` sends some parameters elsewhere. */
export const requestsOf = (name: string, endpoint: Endpoint): Request[] => {
  const byRoute = Map.groupBy(routesOf(endpoint), ({ method, path }) => `${method} ${path}`);
  return [...byRoute.values()].flatMap((same) => {
    const inQuery = new Set(same.flatMap(({ query }) => keysOf(query)));
    const inBody = new Set(endpoint.body ? [] : same.flatMap(({ body }) => keysOf(body)));
    return same.slice(0, 1).map(({ parameter, method, path }) => {
      const operationId = parameter ? `${name}By${capitalize(parameter)}` : name;
      return { operationId, method, path, inQuery, inBody };
    });
  });
};
