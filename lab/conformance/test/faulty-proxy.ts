import { text } from 'node:stream/consumers';
import { type Endpoint, endpoints } from '../../../src/api/endpoints';
import type { EndpointName } from '../../../src/api/transport';
import { callAt } from '../../sandbox/http/route';
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

/** What `fetch` does when the connection breaks off. */
export const lose = (): never => {
  throw new TypeError('fetch failed');
};

type Respond = (request: Request) => Promise<Response>;

const paramsOf = (name: EndpointName | undefined): string[] => {
  const { query }: Partial<Endpoint> = name ? endpoints[name] : {};
  return Object.keys(query?.shape ?? {});
};

const refuse = (name: EndpointName | undefined, url: URL, refused = ''): Response | undefined => {
  if (!paramsOf(name).includes(refused) || !url.searchParams.has(refused)) return undefined;
  const error = { code: 'validation_failed', message: 'Unknown parameter', field: refused };
  return Response.json({ error, request_id: 'req_1' }, { status: 422, headers: { 'x-request-id': 'req_1' } });
};

const forward = async (respond: Respond, url: URL, request: Request, fault: ProxyFault): Promise<Response> => {
  const { ignoredParams = [], droppedHeaders = [], reviveRequest } = fault;
  for (const name of ignoredParams) url.searchParams.delete(name);
  const headers = new Headers(request.headers);
  for (const name of droppedHeaders) headers.delete(name);
  const content = await request.text();
  const body = content && reviveRequest ? JSON.stringify(JSON.parse(content, reviveRequest)) : content;
  return respond(new Request(url, { method: request.method, headers, ...(body && { body }) }));
};

/** Returns what sends requests to a service, and changes it as the fault says. */
export const faultyFetch =
  (respond: Respond, fault: ProxyFault): typeof fetch =>
  async (target, init) => {
    const { instead = {}, afterwards = {}, reviveResponse, statuses = {}, droppedHeaders = [] } = fault;
    const request = new Request(target, init);
    const url = new URL(request.url);
    const name = callAt(request.method, url.pathname);
    const own = (name && instead[name]?.()) ?? refuse(name, url, fault.refusedParam);
    const given = own ?? (await forward(respond, url, request, fault));
    const got = own || !name || !afterwards[name] ? given : ((await afterwards[name](given)) ?? lose());
    const headers = new Headers(got.headers);
    for (const dropped of ['content-length', ...droppedHeaders]) headers.delete(dropped);
    const content = await got.text();
    const revived = content && reviveResponse ? JSON.stringify(JSON.parse(content, reviveResponse)) : content;
    return new Response(revived || null, { status: statuses[got.status] ?? got.status, headers });
  };

const forwarded = ['authorization', 'content-type', 'idempotency-key'];

/** Starts a proxy with the fault in front of the service at `base`, passes its address to `use`, and stops it. */
export const withFaultyProxy = <T>(base: string, fault: ProxyFault, use: (url: string) => Promise<T>): Promise<T> => {
  const send = faultyFetch(fetch, fault);
  return withServer(async (request, response) => {
    const { method = 'GET', url = '', headers } = request;
    const body = await text(request);
    const given = forwarded.flatMap((name): [string, string][] =>
      headers[name] ? [[name, String(headers[name])]] : [],
    );
    const got = await send(new URL(url, base), { method, headers: given, ...(body && { body }) }).catch(
      () => undefined,
    );
    if (!got) return void response.destroy();
    response.writeHead(got.status, Object.fromEntries(got.headers)).end(await got.text());
  }, use);
};
