import { setTimeout as delay } from 'node:timers/promises';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { requestId } from 'hono/request-id';
import { routesOf } from '../../src/api/encode';
import {
  apiPlan,
  calls,
  type Endpoint,
  type EndpointName,
  endpoints,
  headers,
  maxBodyBytes,
  pathPrefix,
} from '../../src/api/endpoints';
import { fromWire } from '../../src/api/wire';
import { ApiError, parseBody, validate } from '../api-error';
import { authenticate, type Caller, requirePlan, requireScope } from '../domain/workspaces';
import { toIso } from '../engine/clock';
import { inWorkspace, type SandboxContext } from '../engine/context';
import { systemRandom } from '../engine/random';
import type { OnExchange } from '../exchange';
import type { FaultList, RequestFault } from '../faults';
import { isLoopback } from '../loopback';
import { faultInjection } from './fault-injection';
import { handle } from './handlers';
import { runIdempotently } from './idempotency';
import { parseQuery } from './query';
import type { RateLimit } from './rate-limit';
import type { RequestLog } from './request-log';
import { type Env, encodeError, encodeResponse, respond } from './responses';

interface ApiOptions {
  context: SandboxContext;
  rateLimit: RateLimit;
  log: RequestLog;
  faults: FaultList<RequestFault>;
  onExchange: OnExchange;
  /** Aborted when the sandbox stops. */
  shutdown: AbortSignal;
}

const limitBody = bodyLimit({
  maxSize: maxBodyBytes,
  onError: (c) => {
    // The rest of the body stays unread, so the connection can't carry another request.
    c.header('connection', 'close');
    throw new ApiError('malformed_request', 'The body is larger than 1 MB.', { status: 413 });
  },
});

const readJson = async (c: Context<Env>, { body, request }: Endpoint): Promise<unknown> => {
  const text = await c.req.text();
  if (!body && !(request && text)) return undefined;
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new ApiError('malformed_request', 'The Content-Type must be application/json.');
  }
  return parseBody(text);
};

/** Reads the query of a call, which the contract may put into the path or the body. */
const readQuery = (c: Context<Env>, { path, body, request }: Endpoint, json: unknown): Record<string, string[]> => {
  const query = c.req.queries();
  if (!request) return query;
  const inPath = Object.entries(c.req.param()).filter(([name]) => !path.includes(`{${name}}`));
  const inBody = body ? [] : Object.entries({ ...Object(json) });
  const others = [...inPath, ...inBody].map(([name, value]) => [name, [String(value)]]);
  return { ...query, ...Object.fromEntries(others) };
};

const firstValues = (query: Record<string, string[]>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query).map(([name, [value]]) => [name, value]));

/** Checks the token, plan, rate limit and scope of a call, in this order. */
const authorize = (
  { context, rateLimit }: ApiOptions,
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

const serve =
  (api: ApiOptions, name: EndpointName) =>
  async (c: Context<Env>): Promise<Response> => {
    const { context } = api;
    const endpoint: Endpoint = endpoints[name];
    const caller = authorize(api, c.req.header('authorization'), endpoint);
    const json = await readJson(c, endpoint);
    const query = readQuery(c, endpoint, json);
    const page = parseQuery(name, query, endpoint.query);
    const body = endpoint.body && validate(endpoint.body, fromWire(endpoint.body, json));
    const sent = { query: firstValues(query), body: { ...Object(json) } };
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
    const key = endpoint.method === 'POST' ? c.req.header(headers.idempotencyKey) : undefined;
    const { response, replayed } = await (key === undefined
      ? runDirectly(context, endpoint, ready, work)
      : runIdempotently(context, { caller, name, key, request: [c.req.path, body] }, ready, work));
    return respond(c, endpoint.status, response, replayed ? { [headers.idempotentReplayed]: 'true' } : {});
  };

const respondWithError = (c: Context<Env>, { status, error, retryAfter }: ApiError): Response => {
  const extra = { ...(retryAfter !== undefined && { [headers.retryAfter]: String(retryAfter) }) };
  return respond(c, status, encodeError(c, error), extra);
};

/** Refuses web pages, which reach this machine by DNS rebinding or from another origin. */
const requireLoopback: MiddlewareHandler<Env> = async (c, next) => {
  const { url } = c.req;
  const origin = c.req.header('origin') ?? url;
  if (![url, origin].every((address) => URL.canParse(address) && isLoopback(new URL(address).hostname))) {
    throw new ApiError('malformed_request', 'The sandbox serves this machine only.', { status: 403 });
  }
  await next();
};

const logRequest =
  ({ context, log }: ApiOptions): MiddlewareHandler<Env> =>
  async (c, next) => {
    const entry = log.add({
      request_id: c.get('requestId'),
      received_at: toIso(context.clock.now()),
      method: c.req.method,
      path: c.req.path,
      query: c.req.query(),
      headers: c.req.header(),
      body: await c.req.text(),
    });
    await next();
    entry.status = c.res.status;
  };

const reportExchange =
  ({ onExchange }: ApiOptions): MiddlewareHandler<Env> =>
  async (c, next) => {
    const startedAt = performance.now();
    await next();
    const status = c.env.incoming.socket.destroyed ? null : c.res.status;
    const ms = Math.round(performance.now() - startedAt);
    onExchange({ kind: 'request', method: c.req.method, target: c.req.path, status, ms });
  };

/** Creates the HTTP app: the API's endpoints under /v1/ and the control calls under /sandbox/. */
export const createApp = (api: ApiOptions, control: Hono<Env>): Hono<Env> => {
  const app = new Hono<Env>();
  app.use(reportExchange(api), requestId({ generator: () => systemRandom.id('req') }), requireLoopback, limitBody);
  app.use(`${pathPrefix}/*`, logRequest(api), faultInjection(api.faults));
  for (const [name, endpoint] of calls) {
    const routes = new Set(routesOf(endpoint).map(({ method, path }) => `${method} ${path}`));
    for (const route of routes) {
      const [method = '', path = ''] = route.replaceAll(/\{(\w+)\}/g, ':$1').split(' ');
      app.on(method, path, serve(api, name));
    }
  }
  app.route('/sandbox', control);
  app.notFound((c) =>
    respondWithError(c, new ApiError('not_found', `There is nothing at ${c.req.method} ${c.req.path}.`)),
  );
  app.onError((error, c) => {
    if (error instanceof ApiError) return respondWithError(c, error);
    // An error in a request that the client closed is expected.
    if (!c.env.incoming.errored) console.error(`The sandbox failed at ${c.req.method} ${c.req.path}: ${error.message}`);
    return respond(c, 500, encodeError(c, { code: 'internal_error', message: 'The sandbox failed.' }));
  });
  return app;
};
