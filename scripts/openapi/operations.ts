import { STATUS_CODES } from 'node:http';
import * as z from 'zod/mini';
import {
  apiPlan,
  calls,
  type Endpoint,
  headers,
  idempotencyKeyLength,
  pageSize,
  pathPrefix,
  takesKey,
} from '../../src/api/endpoints';
import { capitalize } from '../../src/api/labels';
import { nameOnWire } from '../../src/api/wire';
import { writeErrorResponses } from './error-responses';
import { exampleOf } from './examples';
import { refToHeaders } from './headers';
import { type Request, requestsOf } from './requests';
import { refTo, requireFields, toSchema } from './schemas';

/** Splits a name into words: `listConversationMessages` is "List conversation messages". */
const toWords = (name: string): string => capitalize(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

/** Returns the first part of the path after the version, such as `messages`. */
const tagOf = ({ path }: Endpoint): string => path.slice(pathPrefix.length).split('/')[1] ?? '';

const pathParameters = ({ path }: Request): object[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    'x-basis': 'assumed',
    schema: { type: 'string' },
  }));

const limit = { type: 'integer', minimum: pageSize.min, maximum: pageSize.max, default: pageSize.default };

const shapeOf = (schema: z.core.$ZodType | undefined): [name: string, field: z.core.$ZodType][] =>
  schema instanceof z.ZodMiniObject ? Object.entries(schema.shape) : [];

/** Writes the schemas of query parameters by the service's names. */
const querySchemas = ({ query }: Endpoint): Map<string, object> => {
  const ours = shapeOf(query).map(([name, field]) => {
    return [nameOnWire(name, field), name === 'limit' ? limit : toSchema(field)] as const;
  });
  return new Map(ours);
};

const queryParameters = ({ inQuery }: Request, schemas: Map<string, object>): object[] =>
  [...inQuery].map((name) => ({
    name,
    in: 'query',
    'x-basis': 'assumed',
    // One parameter holds several values, separated by commas.
    style: 'form',
    explode: false,
    schema: schemas.get(name) ?? {},
  }));

const writeQueryBody = ({ inBody }: Request, schemas: Map<string, object>): object => {
  const properties = Object.fromEntries([...inBody].map((name) => [name, schemas.get(name) ?? {}]));
  return { content: { 'application/json': { schema: { type: 'object', properties } } } };
};

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
    headers: refToHeaders('requestId', ...(takesKey(endpoint) ? (['idempotentReplayed'] as const) : [])),
    ...(status !== 204 && { content: json(response, ...(guarantees ? [requireFields(response, guarantees)] : [])) }),
  };
};

const writeOperation = (request: Request, endpoint: Endpoint): object => {
  const { scope, plan = apiPlan, basis, section, body, status } = endpoint;
  const schemas = querySchemas(endpoint);
  const hasBody = body !== undefined || request.inBody.size > 0;
  return {
    operationId: request.operationId,
    summary: toWords(request.operationId),
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
      ...pathParameters(request),
      ...queryParameters(request, schemas),
      ...(takesKey(endpoint) ? [idempotencyKey] : []),
    ],
    ...(hasBody && { requestBody: body ? writeBody(body, endpoint) : writeQueryBody(request, schemas) }),
    responses: { [status]: writeResponse(endpoint), ...writeErrorResponses(endpoint, hasBody) },
  };
};

const operations = calls.flatMap(([name, endpoint]) =>
  requestsOf(name, endpoint).map((request) => ({
    ...request,
    basis: endpoint.basis,
    json: writeOperation(request, endpoint),
  })),
);

const writePath = (path: string): object => {
  const here = operations.filter((each) => each.path === path);
  return {
    'x-basis': here.some(({ basis }) => basis === 'specified') ? 'specified' : 'assumed',
    ...Object.fromEntries(here.map(({ method, json: operation }) => [method.toLowerCase(), operation])),
  };
};

/** Writes every path with its operations, in the order of `endpoints`. A path is specified when one operation is. */
export const writePaths = (): object => {
  const paths = new Set(operations.map(({ path }) => path));
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
