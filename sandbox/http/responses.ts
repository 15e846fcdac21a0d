import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { calls, type EndpointName, endpoints } from '../../src/api/endpoints';
import { errorResponse } from '../../src/api/errors';
import { toWire } from '../../src/api/translate';
import type { Sent } from '../../src/api/wire';
import { strict } from '../strict';

/** Hono's types for this server. `delayMs` is how long a slow request waits. */
export interface Env {
  Bindings: HttpBindings;
  Variables: { requestId: string; delayMs: number | undefined };
}

const schemas = new Map(calls.map(([name, { response }]) => [name, strict(response)]));

/** Returns the response body of the endpoint as JSON. Throws when the value has a missing or an undeclared field. */
export const encodeResponse = (name: EndpointName, value: unknown, sent: Sent): string =>
  JSON.stringify(toWire(endpoints[name].response, z.parse(schemas.get(name) ?? z.never(), value), sent)) ?? '';

/** Returns the body of an error response as JSON. */
export const encodeError = (c: Context<Env>, error: object): string =>
  JSON.stringify(toWire(errorResponse, { error, request_id: c.get('requestId') }));

/** Returns a response with a status, headers and, when `json` isn't empty, a JSON body. */
export const respond = (
  c: Context<Env>,
  status: number,
  json: string,
  headers: Record<string, string> = {},
): Response =>
  c.newResponse(
    json || null,
    // Hono accepts every status code only as part of a `Response`.
    new Response(null, { status, headers: { ...(json && { 'content-type': 'application/json' }), ...headers } }),
  );
