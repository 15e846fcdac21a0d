import type { Context } from 'hono';
import { takesKey } from '../../../src/api/adapter';
import { apiPlan, type Endpoint, endpoints, headers } from '../../../src/api/endpoints';
import { authenticate, type Caller, requirePlan, requireScope } from '../domain/workspaces';
import { ApiError, parseBody, requireNone, validate } from '../engine/api-error';
import { inWorkspace, type SandboxContext } from '../store/context';
import { handle } from './handlers';
import { readKept, runIdempotently } from './idempotency';
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

const readJson = async (c: Context<Env>, { body: schema }: Endpoint): Promise<unknown> => {
  if (!schema) return undefined;
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new ApiError('malformed_request', 'The Content-Type must be application/json.');
  }
  return parseBody(await c.req.text());
};

const requireSingle = ({ url }: Context<Env>['req']): void => {
  const names = [...new URL(url).searchParams.keys()];
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  requireNone(
    [...repeated].map((field) => ({ field, message: 'is given twice. Separate several values with commas' })),
  );
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

/** Responds as to a real request, with what is kept for its key or with what the work would give. */
const rehearse = (context: SandboxContext, keyed: Parameters<typeof readKept>[1] | undefined, work: () => string) => {
  const kept = keyed && readKept(context, keyed);
  return { response: kept ?? context.database.rehearse(work), replayed: kept !== undefined };
};

const nothingAt = ({ method, path }: { method: string; path: string }): ApiError =>
  new ApiError('not_found', `There is nothing at ${method} ${path}.`);

/** Returns the handler of all requests of the API: it checks and reads a request, does its work and responds. */
export const serve =
  (api: CallOptions) =>
  async (c: Context<Env>): Promise<Response> => {
    const { context } = api;
    const asked = c.req.method === 'HEAD' ? 'GET' : c.req.method;
    const route = routeOf(asked, c.req.path);
    if (!route) throw nothingAt(c.req);
    const { name, parameters } = route;
    const endpoint: Endpoint = endpoints[name];
    const caller = authorize(api, c.req.header('authorization'), endpoint);
    const json = await readJson(c, endpoint);
    requireSingle(c.req);
    const page = parseQuery(name, c.req.query(), endpoint.query);
    const body = endpoint.body && validate(endpoint.body, json);
    const ready = async () => c.get('pause')?.(api.shutdown);
    const work = () =>
      encodeResponse(
        name,
        handle(name, inWorkspace(context, caller.workspaceId), { ...parameters, caller, page, body }),
      );
    const key = takesKey(endpoint) ? c.req.header(headers.idempotencyKey) : undefined;
    const run = () => {
      const keyed = key === undefined ? undefined : { caller, name, key, request: [c.req.path, body] };
      if (api.isRehearsal) return rehearse(context, keyed, work);
      return keyed ? runIdempotently(context, keyed, ready, work) : runDirectly(context, endpoint, ready, work);
    };
    const { response, replayed } = await run();
    return respond(c, endpoint.status, response, replayed ? { [headers.idempotentReplayed]: 'true' } : {});
  };
