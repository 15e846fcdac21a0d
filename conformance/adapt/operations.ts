/** The operations of a service, by its OpenAPI file. */
import * as z from 'zod/mini';
import { UsageError } from '../../cli/errors';
import { type Method, methods } from '../../src/api/endpoints';
import { fieldsOf } from '../../src/api/object';

/** A JSON schema, whose references are resolved. It may hold itself. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One call of a service. */
export interface Operation {
  method: Method;
  /** With the path of the server, such as `/v2/contacts/{contact_id}`. */
  path: string;
  query: readonly string[];
  body: JsonSchema | undefined;
  /** The body of the first success that the file describes. */
  response: JsonSchema | undefined;
}

const parameter = z.object({ name: z.string(), in: z.string() });
const parametersOf = (value: unknown) => z.array(parameter).safeParse(value).data ?? [];

/** Returns the schema of the JSON in a body. */
const jsonOf = (body: unknown): JsonSchema | undefined => {
  const media = Object.entries(fieldsOf(fieldsOf(body).content)).find(([type]) => /^application\/.*json/.test(type));
  return media && fieldsOf(fieldsOf(media[1]).schema);
};

const toOperation = (method: Method, path: string, shared: unknown, value: unknown): Operation => {
  const { parameters, requestBody, responses } = fieldsOf(value);
  const success = Object.entries(fieldsOf(responses)).find(([status]) => /^2\d\d$/.test(status));
  const all = [...parametersOf(shared), ...parametersOf(parameters)];
  return {
    method,
    path,
    query: all.filter((each) => each.in === 'query').map(({ name }) => name),
    body: jsonOf(requestBody),
    response: jsonOf(success?.[1]),
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

/** Returns the operations of an OpenAPI file, whose references are resolved. Throws `UsageError` for any other file. */
export const operationsOf = (content: unknown, file: string): Operation[] => {
  const { openapi, paths, servers } = fieldsOf(content);
  if (!/^3\./.test(String(openapi))) throw new UsageError(`${file} isn't an OpenAPI 3 file.`);
  const prefix = prefixOf(servers);
  return Object.entries(fieldsOf(paths)).flatMap(([path, item]) => {
    const calls = fieldsOf(item);
    return methods
      .filter((method) => calls[method.toLowerCase()])
      .map((method) => toOperation(method, prefix + path, calls.parameters, calls[method.toLowerCase()]));
  });
};
