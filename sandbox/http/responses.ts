import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { type Endpoint, type EndpointName, endpoints, missing } from '../../src/api/endpoints';
import { errorResponse } from '../../src/api/errors';
import type { Call } from '../../src/api/service';
import * as service from '../../src/api/service';
import { toWire } from '../../src/api/translate';
import type { Sent } from '../../src/api/wire';
import { declared } from '../engine/declared';

/**
 * Hono's types for this server. `pause` is what a slow request waits for before its work, unless the signal aborts. `call`
 * is a request of the API as the contract has it, with the path of its endpoint once that is known.
 */
export interface Env {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    pause: ((signal: AbortSignal) => Promise<void>) | undefined;
    call: Call | undefined;
  };
}

/** Returns the response body of the endpoint as JSON: what it declares of the value. Throws when that isn't valid. */
export const encodeResponse = (name: EndpointName, value: unknown, sent: Sent): string => {
  const { response }: Endpoint = endpoints[name];
  return JSON.stringify(toWire(response, z.parse(declared(response), value), sent)) ?? '';
};

/** Returns the body of an error response as JSON. */
export const encodeError = (c: Context<Env>, error: object): string =>
  JSON.stringify(toWire(errorResponse, { error, request_id: c.get('requestId') }));

const hasHeader = ([name]: [string, string]): boolean => !missing.some((each) => each === name);

/**
 * Returns a response with a status, headers and, when `json` isn't empty, a JSON body. A response of the API takes the form
 * of the service.
 */
export const respond = (
  c: Context<Env>,
  status: number,
  json: string,
  headers: Record<string, string> = {},
): Response => {
  const call = c.get('call');
  const type = json && { 'content-type': 'application/json' };
  const plain = {
    status,
    headers: Object.fromEntries(Object.entries({ ...type, ...headers }).filter(hasHeader)),
    body: json ? JSON.parse(json) : undefined,
  };
  const sent = call ? service.respond(plain, call) : plain;
  return c.newResponse(
    sent.body === undefined ? null : JSON.stringify(sent.body),
    // Hono accepts every status code only as part of a `Response`.
    new Response(null, { status: sent.status, headers: { ...sent.headers } }),
  );
};
