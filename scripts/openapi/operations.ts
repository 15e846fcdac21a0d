import { STATUS_CODES } from 'node:http';
import type * as z from 'zod/mini';
import { specifiesKey } from '../../src/api/adapter';
import {
  apiPlan,
  calls,
  type Endpoint,
  headers,
  idempotencyKeyLength,
  pageSize,
  pathPrefix,
} from '../../src/api/endpoints';
import { capitalize } from '../../src/api/labels';
import type { EndpointName } from '../../src/api/transport';
import { writeErrorResponses } from './error-responses';
import { exampleOf } from './examples';
import { refToHeaders } from './headers';
import { refTo, requireFields, toSchema } from './schemas';

/** Splits a name into words: `listConversationMessages` is "List conversation messages". */
const toWords = (name: string): string => capitalize(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

/** Returns the first part of the path after the version, such as `messages`. */
const tagOf = ({ path }: Endpoint): string => path.slice(pathPrefix.length).split('/')[1] ?? '';

const pathParameters = ({ path }: Endpoint): object[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    'x-basis': 'assumed',
    schema: { type: 'string' },
  }));

const limit = { type: 'integer', minimum: pageSize.min, maximum: pageSize.max, default: pageSize.default };

const queryParameters = ({ query }: Endpoint): object[] =>
  Object.entries<z.core.$ZodType>(query?.shape ?? {}).map(([name, field]) => ({
    name,
    in: 'query',
    'x-basis': 'assumed',
    // One parameter holds several values, separated by commas.
    style: 'form',
    explode: false,
    schema: name === 'limit' ? limit : toSchema(field),
  }));

const idempotencyKey = {
  name: headers.idempotencyKey,
  in: 'header',
  description: 'For 24 hours, a repeat with the same key returns the first response and does nothing.',
  'x-basis': 'assumed',
  schema: { type: 'string', minLength: idempotencyKeyLength.min, maxLength: idempotencyKeyLength.max },
};

const json = (schema: z.ZodMiniType, ...conditions: object[]): object => ({
  'application/json': { schema: refTo(schema, ...conditions), example: exampleOf(schema) },
});

const writeBody = (body: z.ZodMiniType, { needsOneOf }: Endpoint): object => {
  const conditions = needsOneOf ? [{ anyOf: needsOneOf.map((name) => requireFields(body, [name])) }] : [];
  return { required: true, content: json(body, ...conditions) };
};

const writeResponse = (endpoint: Endpoint): object => {
  const { status, response, guarantees } = endpoint;
  return {
    description: STATUS_CODES[status],
    'x-basis': 'assumed',
    headers: refToHeaders('requestId', ...(specifiesKey(endpoint) ? (['idempotentReplayed'] as const) : [])),
    ...(status !== 204 && { content: json(response, ...(guarantees ? [requireFields(response, guarantees)] : [])) }),
  };
};

const writeOperation = (name: EndpointName, endpoint: Endpoint): object => {
  const { scope, plan = apiPlan, basis, section, body, status } = endpoint;
  return {
    operationId: name,
    summary: toWords(name),
    description: `Needs the ${capitalize(plan)} plan or above${scope ? ` and the scope \`${scope}\`` : ''}.`,
    tags: [tagOf(endpoint)],
    'x-basis': basis,
    ...(section && { 'x-section': section }),
    'x-scope': scope,
    'x-scope-basis': 'assumed',
    'x-plan': plan,
    'x-plan-basis': 'specified',
    'x-plan-section': '§8',
    security: [{ token: scope ? [scope] : [] }],
    parameters: [
      ...pathParameters(endpoint),
      ...queryParameters(endpoint),
      ...(specifiesKey(endpoint) ? [idempotencyKey] : []),
    ],
    ...(body && { requestBody: writeBody(body, endpoint) }),
    responses: { [status]: writeResponse(endpoint), ...writeErrorResponses(endpoint) },
  };
};

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

/** Writes the tags that group the operations and webhooks. */
export const writeTags = (): object[] => [
  ...[...new Set(calls.map(([, endpoint]) => tagOf(endpoint)))].map((name) => ({
    name,
    description: `Calls under \`${pathPrefix}/${name}\`.`,
  })),
  { name: 'events', description: 'Events that the service sends to webhooks.' },
];
