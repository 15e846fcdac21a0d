/** The operations of a service, by its OpenAPI file. */
import * as z from 'zod/mini';
import { fieldsOf } from '../../../src/api/object';
import { type Method, methods } from '../../../src/api/transport';
import { UsageError } from '../../cli/errors';

/** A JSON schema, whose references are resolved. It may hold itself. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One call of a service. */
export interface Operation {
  method: Method;
  /** With the path of the server, such as `/v2/contacts/{contact_id}`. */
  path: string;
  query: readonly string[];
  headers: readonly string[];
  body: JsonSchema | undefined;
  /** Another type of body than JSON, such as that of a form. */
  bodyType: string | undefined;
}

/** A way to prove whose a request is. */
const securityScheme = z.looseObject({
  type: z.string(),
  scheme: z.optional(z.string()),
  in: z.optional(z.string()),
  name: z.optional(z.string()),
});
export type SecurityScheme = z.output<typeof securityScheme>;

/** What a file says of a service. */
export interface Description {
  operations: Operation[];
  schemes: SecurityScheme[];
}

const maxDepth = 4;
const maxParts = 8;

/** Returns the schemas that a schema is made of. */
const partsOf = (schema: unknown): unknown[] => {
  const { allOf, oneOf, anyOf } = fieldsOf(schema);
  return [allOf, oneOf, anyOf].flatMap((each) => (Array.isArray(each) ? each.slice(0, maxParts) : []));
};

/** Returns the names of an object's properties, in each of its forms. A schema may hold itself. */
export const propertiesOf = (schema: unknown): string[] => {
  const names = new Set<string>();
  let level = new Set([schema]);
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    for (const each of level) for (const name of Object.keys(fieldsOf(fieldsOf(each).properties))) names.add(name);
    level = new Set([...level].flatMap(partsOf));
  }
  return [...names];
};

const parameter = z.object({ name: z.string(), in: z.string() });
const parametersOf = (value: unknown) => z.array(parameter).safeParse(value).data ?? [];

/** Returns the schema of a body, and its type unless that is JSON. */
const bodyOf = (given: unknown): Pick<Operation, 'body' | 'bodyType'> => {
  const all = Object.entries(fieldsOf(fieldsOf(given).content));
  const json = all.find(([type]) => /^application\/.*json/.test(type));
  const [type, media] = json ?? all[0] ?? [];
  return { body: type === undefined ? undefined : fieldsOf(fieldsOf(media).schema), bodyType: json ? undefined : type };
};

const toOperation = (method: Method, path: string, shared: unknown, value: unknown): Operation => {
  const { parameters, requestBody } = fieldsOf(value);
  const all = [...parametersOf(shared), ...parametersOf(parameters)];
  return {
    method,
    path,
    query: all.filter((each) => each.in === 'query').map(({ name }) => name),
    headers: all.filter((each) => each.in === 'header').map(({ name }) => name),
    ...bodyOf(requestBody),
  };
};

/** The path of the first server, such as `/v2`. Its address may be whole, a path, or begin with a variable. */
const prefixOf = (servers: unknown): string => {
  const [server] = Array.isArray(servers) ? servers : [];
  const { url, variables } = fieldsOf(server);
  const address = String(url ?? '').replaceAll(/\{(\w{1,60})\}/g, (whole, name) => {
    const value = fieldsOf(fieldsOf(variables)[name]).default;
    return typeof value === 'string' ? value : whole;
  });
  return address.replace(/^(https?:)?\/\/[^/]*/, '').replace(/\/+$/, '');
};

/** Returns what an OpenAPI file describes, whose references are resolved. Throws `UsageError` for any other file. */
export const describeService = (content: unknown, file: string): Description => {
  const { openapi, paths, servers, components } = fieldsOf(content);
  if (!/^3\./.test(String(openapi))) throw new UsageError(`${file} isn't an OpenAPI 3 file.`);
  const prefix = prefixOf(servers);
  const operations = Object.entries(fieldsOf(paths)).flatMap(([path, item]) => {
    const calls = fieldsOf(item);
    return methods
      .filter((method) => calls[method.toLowerCase()])
      .map((method) => toOperation(method, prefix + path, calls.parameters, calls[method.toLowerCase()]));
  });
  const schemes = Object.values(fieldsOf(fieldsOf(components).securitySchemes));
  return { operations, schemes: schemes.flatMap((each) => securityScheme.safeParse(each).data ?? []) };
};
