import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { callAt } from '../../sandbox/http/route';
import { type Endpoint, endpoints } from '../../src/api/endpoints';
import { errorResponse } from '../../src/api/errors';
import { fromWire, toWire } from '../../src/api/translate';
import type { EndpointName } from '../../src/api/transport';
import type { Sent } from '../../src/api/wire';
import { pathOnWire } from './names';
import { withServer } from './server';

/** Changes each value of a JSON text, as a reviver of `JSON.parse` does; undefined removes a field. */
export type Reviver = (key: string, value: unknown) => unknown;

/** How the service behind a proxy differs from the contract. Fields and parameters have our names. */
export interface ProxyFault {
  /** Changes response bodies. */
  reviveResponse?: Reviver;
  /** Changes request bodies. */
  reviveRequest?: Reviver;
  /** Replaces one status with another. */
  statuses?: Record<number, number>;
  /** Query parameters that the service ignores. */
  ignoredParams?: string[];
  /** A query parameter that the service refuses. */
  refusedParam?: string;
  /** Headers that get lost in both directions. */
  droppedHeaders?: string[];
  /** Responses to calls that don't reach the service. */
  instead?: Partial<Record<EndpointName, () => Response>>;
  /** Replaces the response to a call that the service has done. Undefined loses it. */
  afterwards?: Partial<Record<EndpointName, (got: Response) => Response | undefined | Promise<Response>>>;
}

/** A request, as the service takes it. */
interface Call {
  name: EndpointName | undefined;
  endpoint: Endpoint | undefined;
  method: string;
  url: URL;
  headers: [name: string, value: string][];
  body: Record<string, unknown> | undefined;
}

const revive = (schema: z.ZodMiniType, body: unknown, reviver: Reviver, sent?: Sent): unknown =>
  toWire(schema, JSON.parse(JSON.stringify(fromWire(schema, body, sent)), reviver), sent);

const forwarded = ['authorization', 'content-type', 'idempotency-key'];

const readCall = async (request: IncomingMessage, base: string): Promise<Call> => {
  const { method = 'GET', url: target = '' } = request;
  const url = new URL(target, base);
  const name = callAt(method, url.pathname);
  const content = await text(request);
  return {
    name,
    endpoint: name && endpoints[name],
    method,
    url,
    headers: forwarded.flatMap((header) =>
      request.headers[header] ? [[header, String(request.headers[header])]] : [],
    ),
    body: content ? z.record(z.string(), z.unknown()).parse(JSON.parse(content)) : undefined,
  };
};

const hasParam = ({ query }: Endpoint, name: string): boolean => Object.hasOwn(query?.shape ?? {}, name);

/** Removes parameters from the query, or from the body of a search by POST. */
const ignoreParams = ({ endpoint, url, body }: Call, names: string[]): void => {
  for (const name of names.filter((each) => endpoint && hasParam(endpoint, each))) {
    const parameter = pathOnWire(endpoint?.query, name);
    url.searchParams.delete(parameter);
    if (body) delete body[parameter];
  }
};

const forward = async (call: Call, fault: ProxyFault): Promise<Response> => {
  const { ignoredParams = [], droppedHeaders = [], reviveRequest } = fault;
  ignoreParams(call, ignoredParams);
  const { endpoint, method, url, body } = call;
  const headers = call.headers.filter(([name]) => !droppedHeaders.includes(name));
  const sent = body && endpoint?.body && reviveRequest ? revive(endpoint.body, body, reviveRequest) : body;
  return fetch(url, { method, headers, ...(sent !== undefined && { body: JSON.stringify(sent) }) });
};

const refuse = ({ endpoint, url }: Call, { refusedParam }: ProxyFault): Response | undefined => {
  if (!endpoint || !refusedParam || !hasParam(endpoint, refusedParam)) return undefined;
  const field = pathOnWire(endpoint.query, refusedParam);
  if (!url.searchParams.has(field)) return undefined;
  const refusal = { error: { code: 'validation_failed', message: 'Unknown parameter', field }, request_id: 'req_1' };
  return Response.json(toWire(errorResponse, refusal), { status: 422, headers: { 'x-request-id': 'req_1' } });
};

const reviveContent = (
  { endpoint, url, body = {} }: Call,
  status: number,
  content: string,
  reviver: Reviver | undefined,
): string => {
  if (!content || !reviver) return content;
  const sent = { query: { ...Object.fromEntries(url.searchParams), ...body }, body };
  const schema = status < 300 && endpoint ? endpoint.response : errorResponse;
  return JSON.stringify(revive(schema, JSON.parse(content), reviver, sent));
};

/** Returns the response of the service, as the fault changes it; undefined when it gets lost. */
const answer = async (call: Call, fault: ProxyFault): Promise<Response | undefined> => {
  const { instead = {}, afterwards = {} } = fault;
  const own = (call.name && instead[call.name]?.()) ?? refuse(call, fault);
  if (own) return own;
  const got = await forward(call, fault);
  const change = call.name && afterwards[call.name];
  return change ? change(got) : got;
};

/** Starts a proxy with the fault in front of the service at `base`, passes its address to `use`, and stops it. */
export const withFaultyProxy = <T>(base: string, fault: ProxyFault, use: (url: string) => Promise<T>): Promise<T> => {
  const { reviveResponse, statuses = {}, droppedHeaders = [] } = fault;
  return withServer(async (request, response) => {
    const call = await readCall(request, base);
    const got = await answer(call, fault);
    if (!got) return void response.destroy();
    const dropped = ['content-length', ...droppedHeaders];
    const headers = [...got.headers].filter(([name]) => !dropped.includes(name));
    const content = reviveContent(call, got.status, await got.text(), reviveResponse);
    response.writeHead(statuses[got.status] ?? got.status, Object.fromEntries(headers)).end(content);
  }, use);
};
