import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { requestId } from 'hono/request-id';
import { headers, maxBodyBytes, pathPrefix } from '../../../src/api/endpoints';
import { toIso } from '../../zapier/clock';
import { fileOf } from '../domain/files';
import { authenticate } from '../domain/workspaces';
import { ApiError } from '../engine/api-error';
import type { OnExchange } from '../engine/exchange';
import type { FaultList, RequestFault } from '../engine/faults';
import { systemRandom } from '../engine/random';
import { faultInjection } from './fault-injection';
import { isForThisMachine, isFromOtherOrigin } from './origin';
import type { RequestLog } from './request-log';
import { type Env, encodeError, respond } from './responses';
import { type CallOptions, serve } from './serve';

interface ApiOptions extends CallOptions {
  log: RequestLog;
  faults: FaultList<RequestFault>;
  onExchange: OnExchange;
}

const limitBody = bodyLimit({
  maxSize: maxBodyBytes,
  onError: (c) => {
    // The rest of the body stays unread, so the connection can't carry another request.
    c.header('connection', 'close');
    throw new ApiError('malformed_request', 'The body is larger than 1 MB.', { status: 413 });
  },
});

const respondWithError = (c: Context<Env>, { status, error, retryAfter }: ApiError): Response => {
  const extra = { ...(retryAfter !== undefined && { [headers.retryAfter]: String(retryAfter) }) };
  return respond(c, status, encodeError(c, error), extra);
};

const forbidden = (message: string): ApiError => new ApiError('malformed_request', message, { status: 403 });

/** Refuses web pages of other origins, which could otherwise send messages, rotate tokens and use up failures. */
const refuseOtherPages: MiddlewareHandler<Env> = async ({ req }, next) => {
  if (!isForThisMachine(req)) {
    throw forbidden('The sandbox accepts requests only from this computer. Use its address on 127.0.0.1 or localhost.');
  }
  if (isFromOtherOrigin(req)) {
    throw forbidden("The sandbox doesn't take requests from web pages. Send them from a program, such as curl.");
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

const newApp = (): Hono<Env> => {
  const app = new Hono<Env>();
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

const numberRequests = () =>
  requestId({
    headerName: headers.requestId,
    generator: systemRandom.requestId,
  });

/** States the time of the sandbox's clock, as the records of a response do. */
const stateTime =
  ({ context }: Pick<CallOptions, 'context'>): MiddlewareHandler<Env> =>
  async (c, next) => {
    await next();
    c.res.headers.set('date', new Date(context.clock.now()).toUTCString());
  };

/** Creates the HTTP app of a rehearsal: the API's endpoints, which respond as always and change nothing. */
export const createRehearsal = (options: Pick<CallOptions, 'context' | 'shutdown'>): Hono<Env> => {
  const app = newApp();
  app.use(numberRequests(), refuseOtherPages, limitBody);
  app.all(`${pathPrefix}/*`, serve({ ...options, rateLimit: { count: () => undefined }, isRehearsal: true }));
  return app;
};

/** Returns the handler of files, which need a token of any workspace. */
const serveFile =
  ({ context }: Pick<CallOptions, 'context'>) =>
  (c: Context<Env>): Response => {
    authenticate(context.database, c.req.header('authorization'));
    const file = fileOf(c.req.param('type') ?? '');
    if (!file) throw new ApiError('not_found', 'There is no such file.');
    return c.body(file.content, 200, { 'content-type': file.type });
  };

/** Creates the HTTP app: the API's endpoints under /v1/, files, and the control calls under /sandbox/. */
export const createApp = (api: ApiOptions, control: Hono<Env>): Hono<Env> => {
  const app = newApp();
  app.use(reportExchange(api), stateTime(api), numberRequests(), refuseOtherPages, limitBody);
  // Before the API, whose paths may have no prefix.
  app.route('/sandbox', control);
  app.get('/files/:type/:name', serveFile(api));
  app.use(`${pathPrefix}/*`, logRequest(api), faultInjection(api.faults));
  app.all(`${pathPrefix}/*`, serve(api));
  return app;
};
