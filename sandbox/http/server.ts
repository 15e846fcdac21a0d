import { setTimeout as delay } from 'node:timers/promises';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { requestId } from 'hono/request-id';
import { apiPlan, type Endpoint, type EndpointName, endpoints, headers, maxBodyBytes } from '../../src/api/endpoints';
import { errorResponse } from '../../src/api/errors';
import { toWire } from '../../src/api/wire';
import { authenticate, type Caller, requirePlan, requireScope } from '../domain/workspaces';
import { toIso } from '../engine/clock';
import type { SandboxContext } from '../engine/context';
import { systemRandom } from '../engine/random';
import type { FaultList, RequestFault } from '../faults';
import { isLoopback } from '../loopback';
import { decodeJson, Refusal } from '../refusal';
import { faultInjection } from './fault-injection';
import { handle } from './handlers';
import { runIdempotently } from './idempotency';
import { parseQuery } from './query';
import type { RateLimit } from './rate-limit';
import type { RequestLog } from './request-log';
import { type Env, encodeResponse, endpointNames, respond } from './responses';

interface ApiOptions {
  context: SandboxContext;
  rateLimit: RateLimit;
  log: RequestLog;
  faults: FaultList<RequestFault>;
  /** Aborted when the sandbox stops. */
  shutdown: AbortSignal;
}

const limitBody = bodyLimit({
  maxSize: maxBodyBytes,
  onError: (c) => {
    // The rest of the body stays unread, so the connection can't carry another request.
    c.header('connection', 'close');
    throw new Refusal('malformed_request', 'The body is larger than 1 MB.', { status: 413 });
  },
});

const readBody = async (c: Context<Env>, { body }: Endpoint): Promise<unknown> => {
  if (!body) return undefined;
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new Refusal('malformed_request', 'The Content-Type must be application/json.');
  }
  return decodeJson(body, await c.req.text());
};

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
    const page = parseQuery(name, c.req.queries(), endpoint.query);
    const body = await readBody(c, endpoint);
    const delayMs = c.get('delayMs');
    const ready = async () => {
      if (delayMs) await delay(delayMs, undefined, { signal: api.shutdown });
    };
    const work = () => encodeResponse(name, handle(name, context, { ...c.req.param(), caller, page, body }));
    const key = endpoint.method === 'POST' ? c.req.header(headers.idempotencyKey) : undefined;
    const { response, replayed } = await (key === undefined
      ? runDirectly(context, endpoint, ready, work)
      : runIdempotently(context, { caller, name, key, request: [c.req.path, body] }, ready, work));
    return respond(c, endpoint.status, response, replayed ? { [headers.idempotentReplayed]: 'true' } : {});
  };

const refuse = (c: Context<Env>, { status, error, retryAfter }: Refusal): Response => {
  const body = toWire(errorResponse, { error, request_id: c.get('requestId') });
  const extra = { ...(retryAfter !== undefined && { [headers.retryAfter]: String(retryAfter) }) };
  return respond(c, status, JSON.stringify(body), extra);
};

/** Refuses web pages, which reach this machine by DNS rebinding or from another origin. */
const requireLoopback: MiddlewareHandler<Env> = async (c, next) => {
  const { url } = c.req;
  const origin = c.req.header('origin') ?? url;
  if (![url, origin].every((address) => URL.canParse(address) && isLoopback(new URL(address).hostname))) {
    throw new Refusal('malformed_request', 'The sandbox serves this machine only.', { status: 403 });
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

/** Creates the HTTP app: the API's endpoints under /v1/ and the control calls under /sandbox/. */
export const createApp = (api: ApiOptions, control: Hono<Env>): Hono<Env> => {
  const app = new Hono<Env>();
  app.use(requestId({ generator: () => systemRandom.id('req') }), requireLoopback, limitBody);
  app.use('/v1/*', logRequest(api), faultInjection(api.faults));
  for (const name of endpointNames) {
    const { method, path } = endpoints[name];
    app.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), serve(api, name));
  }
  app.route('/sandbox', control);
  app.notFound((c) => refuse(c, new Refusal('not_found', `There is nothing at ${c.req.method} ${c.req.path}.`)));
  app.onError((error, c) => {
    if (error instanceof Refusal) return refuse(c, error);
    // An error in a request that the client closed is expected.
    if (!c.env.incoming.errored) console.error(`The sandbox failed at ${c.req.method} ${c.req.path}: ${error.message}`);
    return c.json(
      { error: { code: 'internal_error', message: 'The sandbox failed.' }, request_id: c.get('requestId') },
      500,
    );
  });
  return app;
};
