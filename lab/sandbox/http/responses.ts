import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { type Endpoint, endpoints } from '../../../src/api/endpoints';
import type { EndpointName } from '../../../src/api/transport';
import { declared } from '../engine/declared';

/** Hono's types for this server. `pause` is what a slow request waits for before its work, unless the signal aborts. */
export interface Env {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    pause: ((signal: AbortSignal) => Promise<void>) | undefined;
  };
}

/** Returns the response body of the endpoint as JSON: what it declares of the value. Throws when that isn't valid. */
export const encodeResponse = (name: EndpointName, value: unknown): string => {
  const { response }: Endpoint = endpoints[name];
  return JSON.stringify(z.parse(declared(response), value)) ?? '';
};

/** Returns the body of an error response as JSON. */
export const encodeError = (c: Context<Env>, error: object): string =>
  JSON.stringify({ error, request_id: c.get('requestId') });

/** Returns a response with a status, headers and, when `json` isn't empty, a JSON body. */
export const respond = (
  c: Context<Env>,
  status: number,
  json: string,
  headers: Record<string, string> = {},
): Response => {
  const type: Record<string, string> = json ? { 'content-type': 'application/json' } : {};
  // Hono accepts every status code only as part of a `Response`.
  return c.newResponse(json || null, new Response(null, { status, headers: { ...type, ...headers } }));
};
