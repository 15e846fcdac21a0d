import { endpointNames, endpoints } from '../../../src/api/endpoints';
import type { EndpointName } from '../../../src/api/transport';

/** A call that a method and a path belong to, and the values in the path by name. */
interface Route {
  name: EndpointName;
  parameters: Record<string, string>;
}

const routes = endpointNames.map((name) => ({
  name,
  method: endpoints[name].method,
  pattern: new RegExp(`^${endpoints[name].path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Returns the call that a method and a path of the contract belong to; undefined when there is none. */
export const routeOf = (method: string, path: string): Route | undefined => {
  for (const { name, pattern, ...route } of routes) {
    const found = route.method === method ? pattern.exec(path) : null;
    if (found) {
      const values = Object.entries(found.groups ?? {}).map(([key, value]) => [key, decode(value)]);
      return { name, parameters: Object.fromEntries(values) };
    }
  }
  return undefined;
};

/** Returns the call that a request of the service belongs to, by its method and path; undefined when there is none. */
export const callAt = (method: string, target: string): EndpointName | undefined => {
  const [path = ''] = target.split('?');
  return routeOf(method, path)?.name;
};
