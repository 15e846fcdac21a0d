import type { Context, MiddlewareHandler } from 'hono';
import { headers } from '../../src/api/endpoints';
import { type FaultList, parseFaultHeader, type RequestFault } from '../faults';
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

/** Applies the fault that the header `X-Sandbox-Fault` or a control call sets. */
export const faultInjection =
  (faults: FaultList<RequestFault>): MiddlewareHandler<Env> =>
  async (c, next) => {
    const { method, path } = c.req;
    const header = c.req.header('x-sandbox-fault');
    const fault = header
      ? parseFaultHeader(header)
      : faults.take((each) => (!each.method || each.method === method) && path.startsWith(each.path));
    if (fault?.kind === 'slow') c.set('delayMs', fault.delay_ms);
    if (!fault || fault.kind === 'slow') return next();
    if (fault.when === 'after' || fault.kind === 'half_json') await next();
    c.res = await applyFault(c, fault);
  };
