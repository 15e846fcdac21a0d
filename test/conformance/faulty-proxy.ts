import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { callAt } from '../../sandbox/http/route';
import { type Endpoint, endpoints } from '../../src/api/endpoints';
import type { EndpointName } from '../../src/api/transport';
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

const forward = async ({ method, url, body, ...call }: Call, fault: ProxyFault): Promise<Response> => {
  const { ignoredParams = [], droppedHeaders = [], reviveRequest } = fault;
  for (const name of ignoredParams) url.searchParams.delete(name);
  const headers = call.headers.filter(([name]) => !droppedHeaders.includes(name));
  const sent = body && JSON.stringify(reviveRequest ? JSON.parse(JSON.stringify(body), reviveRequest) : body);
  return fetch(url, { method, headers, ...(sent !== undefined && { body: sent }) });
};

const refuse = ({ endpoint, url }: Call, { refusedParam }: ProxyFault): Response | undefined => {
  if (!endpoint || !refusedParam || !hasParam(endpoint, refusedParam)) return undefined;
  if (!url.searchParams.has(refusedParam)) return undefined;
  const error = { code: 'validation_failed', message: 'Unknown parameter', field: refusedParam };
  return Response.json({ error, request_id: 'req_1' }, { status: 422, headers: { 'x-request-id': 'req_1' } });
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
    const content = await got.text();
    const revived = content && reviveResponse ? JSON.stringify(JSON.parse(content, reviveResponse)) : content;
    response.writeHead(statuses[got.status] ?? got.status, Object.fromEntries(headers)).end(revived);
  }, use);
};
