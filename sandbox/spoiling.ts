import type { Context, MiddlewareHandler } from 'hono';
import { headers } from '../src/api/endpoints';
import { type FaultList, parseFaultHeader, type RequestFault } from './faults';
import type { Env } from './server';

const page = `<!DOCTYPE html>
<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>
`;

const failure = (c: Context<Env>, { kind, retry_after }: RequestFault): Response => {
  const limited = kind === '429';
  const error = limited
    ? { code: 'rate_limited', message: 'Too many requests.' }
    : { code: 'internal_error', message: 'The service failed.' };
  return new Response(JSON.stringify({ error, request_id: c.get('requestId') }), {
    status: Number(kind),
    headers: {
      'content-type': 'application/json',
      ...(kind !== '500' && { [headers.retryAfter]: String(retry_after) }),
    },
  });
};

const half = async (response: Response): Promise<Response> => {
  const body = await response.text();
  const { status, headers: kept } = response;
  return new Response(body.slice(0, body.length / 2) || null, { status, headers: kept });
};

const spoil = async (c: Context<Env>, fault: RequestFault): Promise<Response> => {
  if (fault.kind === 'half_json') return half(c.res);
  if (fault.kind === 'html') return new Response(page, { status: 502, headers: { 'content-type': 'text/html' } });
  if (fault.kind !== 'drop') return failure(c, fault);
  c.env.incoming.socket.destroy();
  return new Response(null);
};

/** Lets requests go wrong that were asked to: by their header `X-Sandbox-Fault`, or by a control call. */
export const spoiling =
  (faults: FaultList<RequestFault>): MiddlewareHandler<Env> =>
  async (c, next) => {
    const { method, path } = c.req;
    const asked = c.req.header('x-sandbox-fault');
    const fault = asked
      ? parseFaultHeader(asked)
      : faults.take((each) => (!each.method || each.method === method) && path.startsWith(each.path));
    if (fault?.kind === 'slow') c.set('delay', fault.delay_ms);
    if (!fault || fault.kind === 'slow') return next();
    if (fault.when === 'after' || fault.kind === 'half_json') await next();
    c.res = await spoil(c, fault);
  };
