import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from 'hono';
import { apiPlan, type Endpoint, type EndpointName, endpoints, headers, keepsKeysOf } from '../../src/api/endpoints';
import { fieldsOf } from '../../src/api/object';
import { fromWire } from '../../src/api/translate';
import { ApiError, parseBody, requireNone, validate } from '../api-error';
import { authenticate, type Caller, requirePlan, requireScope } from '../domain/workspaces';
import { inWorkspace, type SandboxContext } from '../engine/context';
import { handle } from './handlers';
import { runIdempotently } from './idempotency';
import { parseQuery } from './query';
import type { RateLimit } from './rate-limit';
import { type Env, encodeResponse, respond } from './responses';

/** What calls of the API need. */
export interface CallOptions {
  context: SandboxContext;
  rateLimit: RateLimit;
  /** Aborted when the sandbox stops. */
  shutdown: AbortSignal;
}

const readJson = async (c: Context<Env>, { body, request }: Endpoint): Promise<unknown> => {
  const text = await c.req.text();
  if (!body && !(request && text)) return undefined;
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new ApiError('malformed_request', 'The Content-Type must be application/json.');
  }
  return parseBody(text);
};

const requireSingle = (query: Record<string, string[]>): void => {
  const repeated = Object.keys(query).filter((name) => query[name]?.length !== 1);
  requireNone(repeated.map((field) => ({ field, message: 'is given twice. Separate several values with commas' })));
};

/** Reads the query of a call, which the contract may put into the path or the body. Throws a 422 for repeated names. */
const readQuery = (c: Context<Env>, { path, body, request }: Endpoint, json: unknown): Record<string, string> => {
  requireSingle(c.req.queries());
  if (!request) return c.req.query();
  const inPath = Object.entries(c.req.param()).filter(([name]) => !path.includes(`{${name}}`));
  const inBody = body ? [] : Object.entries(fieldsOf(json));
  const others = [...inPath, ...inBody].map(([name, value]) => [name, String(value)]);
  return { ...c.req.query(), ...Object.fromEntries(others) };
};

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

/** Returns the handler of requests to an endpoint: it checks and reads the request, does its work and responds. */
export const serve =
  (api: CallOptions, name: EndpointName) =>
  async (c: Context<Env>): Promise<Response> => {
    const { context } = api;
    const endpoint: Endpoint = endpoints[name];
    const caller = authorize(api, c.req.header('authorization'), endpoint);
    const json = await readJson(c, endpoint);
    const query = readQuery(c, endpoint, json);
    const page = parseQuery(name, query, endpoint.query);
    const body = endpoint.body && validate(endpoint.body, fromWire(endpoint.body, json));
    const sent = { query, body: fieldsOf(json) };
    const delayMs = c.get('delayMs');
    const ready = async () => {
      if (delayMs) await delay(delayMs, undefined, { signal: api.shutdown });
    };
    const work = () =>
      encodeResponse(
        name,
        handle(name, inWorkspace(context, caller.workspaceId), { ...c.req.param(), caller, page, body }),
        sent,
      );
    const key = keepsKeysOf(endpoint) ? c.req.header(headers.idempotencyKey) : undefined;
    const { response, replayed } = await (key === undefined
      ? runDirectly(context, endpoint, ready, work)
      : runIdempotently(context, { caller, name, key, request: [c.req.path, body] }, ready, work));
    return respond(c, endpoint.status, response, replayed ? { [headers.idempotentReplayed]: 'true' } : {});
  };
