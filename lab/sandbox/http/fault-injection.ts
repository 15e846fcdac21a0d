import { setTimeout as delay } from 'node:timers/promises';
import type { Context, HonoRequest, MiddlewareHandler } from 'hono';
import { headers } from '../../../src/api/endpoints';
import { type FaultList, parseFaultHeader, type RequestFault } from '../engine/faults';
import { type Env, encodeError, respond } from './responses';

const htmlPage = `<!DOCTYPE html>
<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>
`;

const errorResponse = (c: Context<Env>, { kind, retry_after }: RequestFault): Response => {
  const error =
    kind === '429'
      ? { code: 'rate_limited', message: 'Too many requests.' }
      : { code: 'internal_error', message: 'The service failed.' };
  const retryAfter = { [headers.retryAfter]: String(retry_after) };
  return respond(c, Number(kind), encodeError(c, error), kind === '500' ? {} : retryAfter);
};

const halveBody = async (response: Response): Promise<Response> => {
  const body = await response.text();
  return new Response(body.slice(0, body.length / 2) || null, response);
};

const applyFault = async (c: Context<Env>, fault: RequestFault): Promise<Response> => {
  if (fault.kind === 'half_json') return halveBody(c.res);
  if (fault.kind === 'html') return c.body(htmlPage, 502, { 'content-type': 'text/html' });
  if (fault.kind !== 'drop') return errorResponse(c, fault);
  c.env.incoming.socket.destroy();
  return new Response(null);
};

const appliesTo = ({ method, requests, path, user_agent = '' }: RequestFault, request: HonoRequest): boolean =>
  (!method || method === request.method) &&
  (!requests || (requests === 'reads') === (request.method === 'GET')) &&
  (request.header('user-agent') ?? '').startsWith(user_agent) &&
  request.path.startsWith(path);

/** Applies the fault that the header `X-Sandbox-Fault` or a control call sets. */
export const faultInjection =
  (faults: FaultList<RequestFault>): MiddlewareHandler<Env> =>
  async (c, next) => {
    const header = c.req.header('x-sandbox-fault');
    const fault = header ? parseFaultHeader(header) : faults.take((each) => appliesTo(each, c.req));
    if (fault?.kind === 'slow') c.set('pause', (signal) => delay(fault.delay_ms, undefined, { signal }));
    if (fault?.kind === 'hold') c.set('pause', (signal) => faults.untilCleared(signal));
    if (!fault || c.get('pause')) return next();
    if (fault.when === 'after' || fault.kind === 'half_json') await next();
    c.res = await applyFault(c, fault);
  };
