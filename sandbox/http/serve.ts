import type { Context, MiddlewareHandler } from 'hono';
import { exampleConnection as connection } from '../../src/api/connection';
import { apiPlan, type Endpoint, endpoints, headers, methods, takesKey } from '../../src/api/endpoints';
import { fieldsOf } from '../../src/api/object';
import { type Call, receive } from '../../src/api/service';
import { fromWire } from '../../src/api/translate';
import { authenticate, type Caller, requirePlan, requireScope } from '../domain/workspaces';
import { ApiError, parseBody, requireNone, validate } from '../engine/api-error';
import { inWorkspace, type SandboxContext } from '../store/context';
import { handle } from './handlers';
import { runIdempotently } from './idempotency';
import { parseQuery } from './query';
import type { RateLimit } from './rate-limit';
import { type Env, encodeResponse, respond } from './responses';
import { routeOf } from './route';

/** What calls of the API need. */
export interface CallOptions {
  context: SandboxContext;
  rateLimit: Pick<RateLimit, 'count'>;
  /** Aborted when the sandbox stops. */
  shutdown: AbortSignal;
  /** Whether the calls change nothing: they get the response that they would get. */
  isRehearsal?: boolean;
}

/** Parses JSON. Text of another type stays as it is, for `receive`. */
const parseLeniently = (text: string, type = ''): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return /json/i.test(type) ? undefined : text || undefined;
  }
};

/** Reads a request as the service takes it, and keeps it as the contract has it. */
export const readCall: MiddlewareHandler<Env> = async (c, next) => {
  const asked = c.req.method === 'HEAD' ? 'GET' : c.req.method;
  const method = methods.find((each) => each === asked);
  const { path } = c.req;
  const sent = {
    path,
    parameters: {},
    connection,
    query: c.req.query(),
    pairs: [...new URL(c.req.url).searchParams],
    headers: c.req.header(),
    body: parseLeniently(await c.req.text(), c.req.header('content-type')),
  };
  if (method) c.set('call', receive({ ...sent, method }));
  await next();
};

const readJson = async (c: Context<Env>, { body: schema }: Endpoint, { headers: given, body }: Call) => {
  if (!schema) return undefined;
  const type = given['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new ApiError('malformed_request', 'The Content-Type must be application/json.');
  }
  return body === undefined ? parseBody(await c.req.text()) : body;
};

const requireSingle = ({ pairs = [] }: Call): void => {
  const names = pairs.map(([name]) => name);
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  requireNone(
    [...repeated].map((field) => ({ field, message: 'is given twice. Separate several values with commas' })),
  );
};

const toTexts = (query: Call['query']): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

/** Checks the token, plan, rate limit and scope of a call, in this order. */
const authorize = (
  { context, rateLimit }: CallOptions,
  authorization: string | undefined,
  { plan = apiPlan, scope }: Endpoint,
): Caller => {
  const caller = authenticate(context.database, authorization);
  requirePlan(caller, apiPlan);
  requirePlan(caller, plan);
  rateLimit.count(caller.token);
  if (scope) requireScope(caller, scope);
  return caller;
};

const runDirectly = async (
  { database }: SandboxContext,
  { method }: Endpoint,
  ready: () => Promise<void>,
  work: () => string,
) => {
  await ready();
  return { response: method === 'GET' ? work() : database.transaction(work), replayed: false };
};

const rehearse = ({ database }: SandboxContext, work: () => string) => ({
  response: database.rehearse(work),
  replayed: false,
});

const nothingAt = ({ method, path }: { method: string; path: string }): ApiError =>
  new ApiError('not_found', `There is nothing at ${method} ${path}.`);

/** Returns the handler of all requests of the API: it checks and reads a request, does its work and responds. */
export const serve =
  (api: CallOptions) =>
  async (c: Context<Env>): Promise<Response> => {
    const { context } = api;
    const received = c.get('call');
    const route = received && routeOf(received.method, received.path);
    if (!route) throw nothingAt(c.req);
    const { name, parameters } = route;
    const endpoint: Endpoint = endpoints[name];
    c.set('call', { ...received, path: endpoint.path });
    const caller = authorize(api, received.headers.authorization, endpoint);
    const json = await readJson(c, endpoint, received);
    requireSingle(received);
    const query = toTexts(received.query);
    const page = parseQuery(name, query, endpoint.query);
    const body = endpoint.body && validate(endpoint.body, fromWire(endpoint.body, json));
    const sent = { query, body: fieldsOf(json) };
    const ready = async () => c.get('pause')?.(api.shutdown);
    const work = () =>
      encodeResponse(
        name,
        handle(name, inWorkspace(context, caller.workspaceId), { ...parameters, caller, page, body }),
        sent,
      );
    const key = takesKey(endpoint) ? received.headers[headers.idempotencyKey] : undefined;
    const run = () => {
      if (api.isRehearsal) return rehearse(context, work);
      if (key === undefined) return runDirectly(context, endpoint, ready, work);
      return runIdempotently(context, { caller, name, key, request: [received.path, body] }, ready, work);
    };
    const { response, replayed } = await run();
    return respond(c, endpoint.status, response, replayed ? { [headers.idempotentReplayed]: 'true' } : {});
  };
