import { exampleConnection } from '../../src/api/connection';
import { encode } from '../../src/api/encode';
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

/** Lists a call without parameters and with each one, since \`request\` may choose the method and path by them. */
const routesOf = (endpoint: Endpoint) =>
  [undefined, ...Object.keys(endpoint.query?.shape ?? {})].map((parameter) => ({
    parameter,
    ...encode(endpoint, parameter ? { query: { [parameter]: parameter } } : {}, exampleConnection),
  }));

/** Returns the requests of an endpoint. There is one, unless `request` sends some parameters elsewhere. */
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
