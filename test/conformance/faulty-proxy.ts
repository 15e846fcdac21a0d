import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { withServer } from './server';

/** Changes each value of a JSON text, as a reviver of `JSON.parse` does; undefined removes a field. */
export type Reviver = (key: string, value: unknown) => unknown;

/** How the service behind a proxy differs from the contract. */
export interface ProxyFault {
  /** Changes response bodies. */
  reviveResponse?: Reviver;
  /** Changes request bodies. */
  reviveRequest?: Reviver;
  /** Replaces one status with another. */
  statuses?: Record<number, number>;
  /** Query parameters that the service ignores. */
  ignoredParams?: string[];
  /** Query parameters that the service refuses. */
  refusedParams?: string[];
  /** Headers that get lost in both directions. */
  droppedHeaders?: string[];
}

const keep: Reviver = (_key, value) => value;

const reviveJson = (content: string, reviver: Reviver): string =>
  content && JSON.stringify(JSON.parse(content, reviver));

/** The refusal of the first refused parameter in the request, if there is one. */
const refuse = ({ url = '' }: IncomingMessage, { refusedParams = [] }: ProxyFault): Response | undefined => {
  const { searchParams } = new URL(url, 'http://127.0.0.1');
  const field = refusedParams.find((name) => searchParams.has(name));
  if (!field) return undefined;
  const body = { error: { code: 'validation_failed', message: 'Unknown parameter', field }, request_id: 'req_1' };
  return Response.json(body, { status: 422, headers: { 'x-request-id': 'req_1' } });
};

const forward = async (request: IncomingMessage, base: string, fault: ProxyFault): Promise<Response> => {
  const { ignoredParams = [], droppedHeaders = [], reviveRequest = keep } = fault;
  const url = new URL(request.url ?? '', base);
  for (const name of ignoredParams) url.searchParams.delete(name);
  const { method = 'GET', headers } = request;
  const kept = ['authorization', 'content-type', 'idempotency-key'].filter((name) => !droppedHeaders.includes(name));
  const sent = kept.flatMap((name): [string, string][] => (headers[name] ? [[name, String(headers[name])]] : []));
  const body = method === 'GET' ? undefined : reviveJson(await text(request), reviveRequest);
  return fetch(url, { method, headers: sent, ...(body && { body }) });
};

/** Starts a proxy with the fault in front of the service at `base`, passes its address to `use`, and stops it. */
export const withFaultyProxy = <T>(base: string, fault: ProxyFault, use: (url: string) => Promise<T>): Promise<T> => {
  const { reviveResponse = keep, statuses = {}, droppedHeaders = [] } = fault;
  return withServer(async (request, response) => {
    const got = refuse(request, fault) ?? (await forward(request, base, fault));
    const dropped = ['content-length', ...droppedHeaders];
    const headers = [...got.headers].filter(([name]) => !dropped.includes(name));
    const content = reviveJson(await got.text(), reviveResponse);
    response.writeHead(statuses[got.status] ?? got.status, Object.fromEntries(headers)).end(content);
  }, use);
};
