import { setTimeout as sleep } from 'node:timers/promises';
import { unknown } from 'zod/mini';
import { authorizationOf } from '../../src/api/adapter';
import type { ConnectionValues } from '../../src/api/connection';
import { type AnyInput, type Endpoint, endpoints, type Input, nameOf } from '../../src/api/endpoints';
import { asRecord } from '../../src/api/json';
import { hooks, missing, response } from '../../src/api/service';
import type { Authorize, Call, HttpResponse, ReadFirst } from '../../src/api/transport';
import type { Connection } from '../../src/call/connection';
import { decodeExchange } from '../../src/call/decode-response';
import { type ApiResponse, isSuccess, readResponse } from '../../src/call/outcome';
import { type PreparedCall, prepare, resolveUrl } from '../../src/call/request';
import { errorMessage } from '../cli/errors';
import { CheckAborted, NotChecked, Skipped } from './check';

/** A response of the service. */
export interface ServiceResponse {
  endpoint: Endpoint;
  /** The query and body of the request. */
  sent: Record<'query' | 'body', Readonly<Record<string, unknown>>>;
  status: number;
  headers: Headers;
  /** Parsed JSON, or the text when it isn't JSON. The token is masked. */
  body: unknown;
  /** The body as the service sent it, before `response`. */
  text: string;
  /** Returns what a step says about a success that it can't use; undefined for any other response. */
  failure: () => string | undefined;
  /** Seconds until a retry, when the service gives them. */
  retryAfter: number | undefined;
  /** Whether an earlier request that needs the same scope succeeded. */
  hasScope: boolean;
}

/** A request, whether or not the service responds to it. */
export interface ServiceRequest {
  /** The name of the call; undefined for one that the contract doesn't have. */
  name: string | undefined;
  input: AnyInput;
  /** Rejects without a response. */
  response: Promise<ServiceResponse>;
}

const timeoutMs = 15_000;

/** Seconds to wait after a 429. The default is for one that doesn't say how long. */
const defaultWait = 5;
const maxWait = 60;

/** Requests in a row without a response, after which the service counts as gone. */
const maxUnanswered = 3;

/** Returns why the hooks can't adapt a response. */
const problemOf = (answer: HttpResponse, call: Call): string => {
  try {
    const { body } = response(answer, call);
    if (call.name) hooks[call.name]?.response?.(body, call);
    return 'It fails only sometimes.';
  } catch (error) {
    return errorMessage(error);
  }
};

/** Throws an error that names the place when the contract can't adapt a response. */
const requireAdapted = ({ isAdapted, status, headers: given, data, text }: ApiResponse, call: Call): void => {
  if (isAdapted) return;
  const reason = problemOf({ status, headers: given, body: data ?? text }, call);
  throw new Error(
    `a hook in src/api/service.ts fails on the response to ${call.name ?? call.path} (status ${status}): ${reason}`,
  );
};

/** Returns why the app can't use a response that says success; undefined when it can. */
const failureOf = (prepared: PreparedCall, outcome: ApiResponse): string | undefined => {
  if (!isSuccess(outcome)) return undefined;
  try {
    decodeExchange({ ...prepared, outcome, earlier: [] });
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
};

const isMissing = (endpoint: Endpoint): boolean => missing.calls.some((name) => endpoints[name] === endpoint);

/** A connection to a service, with the values of `connectionFields`. */
export type ServiceConnection = Connection & { values: ConnectionValues };

/** How a client sends requests. */
export interface ClientOptions {
  signal?: AbortSignal | undefined;
  /** By default over HTTP. */
  send?: typeof fetch | undefined;
}

/** A live service. Keeps every response as the service sent it. */
export class ServiceClient {
  readonly requests: ServiceRequest[] = [];
  readonly responses: ServiceResponse[] = [];
  readonly #connection: ServiceConnection;
  readonly #signal: AbortSignal | undefined;
  readonly #send: typeof fetch;
  readonly #scopes = new Set<Endpoint['scope']>();
  #unanswered = 0;

  /** Once the signal is aborted, requests reject with its reason. */
  constructor(connection: ServiceConnection, { signal, send = fetch }: ClientOptions = {}) {
    this.#connection = connection;
    this.#signal = signal;
    this.#send = send;
  }

  get baseUrl(): string {
    return this.#connection.baseUrl;
  }

  /**
   * Sends one request; an empty token sends none. Throws `NotChecked` when there is no response, `CheckAborted` after
   * three in a row, `Skipped` for a call that the service lacks, and an error when the contract can't adapt
   * the response.
   */
  async requestOnce(endpoint: Endpoint, input: AnyInput, token = this.#connection.token): Promise<ServiceResponse> {
    if (isMissing(endpoint)) throw new Skipped(`the service lacks ${nameOf(endpoint)}`);
    if (this.#unanswered >= maxUnanswered) {
      throw new CheckAborted(`The service stopped responding: ${maxUnanswered} requests in a row got no response.`);
    }
    this.#signal?.throwIfAborted();
    const response = this.#exchange(endpoint, input, token);
    this.requests.push({ name: nameOf(endpoint), input, response });
    return response;
  }

  /** Returns a request as the service takes it. A hook may read first. */
  async prepare(endpoint: Endpoint, input: AnyInput, token = this.#connection.token): Promise<PreparedCall> {
    const read: ReadFirst = async (path, query) => {
      const got: Endpoint = {
        method: 'GET',
        path,
        scope: endpoint.scope,
        basis: 'assumed',
        status: 200,
        response: unknown(),
      };
      return (await this.#exchange(got, { ...(input.id && { id: input.id }), ...(query && { query }) }, token)).body;
    };
    return prepare(endpoint, input, this.#connection.values, read, input.idempotencyKey);
  }

  async #exchange(endpoint: Endpoint, input: AnyInput, token: string): Promise<ServiceResponse> {
    const prepared = await this.prepare(endpoint, input, token);
    const { url, size: _, raw: __, ...request } = prepared.request;
    let got: ApiResponse;
    try {
      const { headers, query = {} }: ReturnType<Authorize> = token
        ? authorizationOf(token, this.#connection.values)
        : {};
      const target = new URL(resolveUrl(this.baseUrl, url));
      for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
      const raw = await this.#send(target, {
        ...request,
        signal: AbortSignal.timeout(timeoutMs),
        headers: { ...request.headers, ...headers },
      });
      got = await readResponse(raw, prepared.call, this.#connection.token);
      this.#unanswered = 0;
    } catch (error) {
      this.#unanswered += 1;
      throw new NotChecked(`${endpoint.method} ${endpoint.path} got no response: ${errorMessage(error)}`);
    }
    requireAdapted(got, prepared.call);
    return this.#keep(prepared, got);
  }

  /** Sends a request, and sends it again after a rate limit. Throws like `requestOnce`. */
  async request<E extends Endpoint>(endpoint: E, input: Input<E>, token?: string): Promise<ServiceResponse> {
    const response = await this.requestOnce(endpoint, input, token);
    if (response.status !== 429) return response;
    const { retryAfter = defaultWait } = response;
    if (retryAfter > maxWait) throw new NotChecked(`the service is rate limited for ${retryAfter} seconds`);
    await sleep(retryAfter * 1000);
    return this.requestOnce(endpoint, input, token);
  }

  #keep(prepared: PreparedCall, got: ApiResponse): ServiceResponse {
    const { endpoint, call } = prepared;
    const sent = { query: call.query, body: asRecord(call.body) };
    const { status, headers, text, data: body = text, retryAfter } = got;
    const seen = { endpoint, sent, status, headers: new Headers(headers), body, text, retryAfter };
    const failure = () => failureOf(prepared, got);
    const kept = { ...seen, failure, hasScope: this.#scopes.has(endpoint.scope) };
    this.responses.push(kept);
    if (isSuccess(got)) this.#scopes.add(endpoint.scope);
    return kept;
  }
}
