import { STATUS_CODES } from 'node:http';
import type * as z from 'zod/mini';
import { apiPlan, type Endpoint, endpoints, headers, pageSize } from '../../src/api/endpoints';
import { nameOnWire } from '../../src/api/wire';
import { errorResponsesOf } from './error-responses';
import { exampleOf } from './examples';
import { idempotentResponseHeaders, responseHeaders } from './headers';
import { capitalize } from './named-schemas';
import { refTo, toSchema } from './schemas';

/** Splits a name into words: `listConversationMessages` is "List conversation messages". */
const toWords = (name: string): string => capitalize(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

/** Returns the first part of the path after the version, such as `messages`. */
const tagOf = ({ path }: Endpoint): string => path.split('/')[2] ?? '';

const pathParameters = ({ path }: Endpoint): object[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    'x-basis': 'assumed',
    schema: { type: 'string' },
  }));

const limit = { type: 'integer', minimum: pageSize.min, maximum: pageSize.max, default: pageSize.default };

const writeQuery = (ours: string, schema: z.core.$ZodType): object => ({
  name: nameOnWire(ours, schema),
  in: 'query',
  'x-basis': 'assumed',
  // One parameter holds several values, separated by commas.
  style: 'form',
  explode: false,
  schema: ours === 'limit' ? limit : toSchema(schema),
});

const queryParameters = ({ query }: Endpoint): object[] =>
  Object.entries(query?.shape ?? {}).map(([ours, schema]) => writeQuery(ours, schema));

const idempotencyKey = {
  name: headers.idempotencyKey,
  in: 'header',
  description: 'A repeat with the same key gets the first answer and does nothing.',
  'x-basis': 'assumed',
  schema: { type: 'string' },
};

const json = (schema: z.ZodMiniType): object => ({
  'application/json': { schema: refTo(schema), example: exampleOf(schema) },
});

const writeResponse = ({ method, status, response }: Endpoint): object => ({
  description: STATUS_CODES[status],
  headers: method === 'POST' ? idempotentResponseHeaders(status) : responseHeaders(status),
  ...(status !== 204 && { content: json(response) }),
});

const needs = ({ scope, plan = apiPlan }: Endpoint): string =>
  `Needs the ${capitalize(plan)} plan or above${scope ? ` and the scope \`${scope}\`` : ''}.`;

const writeOperation = (name: string, endpoint: Endpoint): object => {
  const { method, scope, plan = apiPlan, basis, section, body, status } = endpoint;
  return {
    operationId: name,
    summary: toWords(name),
    description: needs(endpoint),
    tags: [tagOf(endpoint)],
    'x-basis': basis,
    ...(section && { 'x-section': section }),
    'x-scope': scope,
    'x-plan': plan,
    security: [{ token: scope ? [scope] : [] }],
    parameters: [
      ...pathParameters(endpoint),
      ...queryParameters(endpoint),
      ...(method === 'POST' ? [idempotencyKey] : []),
    ],
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: {
      [status]: writeResponse(endpoint),
      ...errorResponsesOf(endpoint),
      '5XX': { description: 'The service failed.' },
    },
  };
};

const calls = Object.entries<Endpoint>(endpoints);

const writePath = (path: string): object => {
  const here = calls.filter(([, endpoint]) => endpoint.path === path);
  return {
    'x-basis': here.some(([, { basis }]) => basis === 'specified') ? 'specified' : 'assumed',
    ...Object.fromEntries(
      here.map(([name, endpoint]) => [endpoint.method.toLowerCase(), writeOperation(name, endpoint)]),
    ),
  };
};

/** Writes every path with its operations, in the order of `endpoints`. A path is specified when one operation is. */
export const writePaths = (): object => {
  const paths = new Set(calls.map(([, { path }]) => path));
  return Object.fromEntries([...paths].map((path) => [path, writePath(path)]));
};

/** Writes the tags that group the operations. */
export const writeTags = (): object[] =>
  [...new Set(calls.map(([, endpoint]) => tagOf(endpoint)))].map((name) => ({
    name,
    description: `What begins with \`/v1/${name}\`.`,
  }));
