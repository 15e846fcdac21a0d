import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../scripts/cli/errors';
import { encode } from '../src/api/encode';
import { type AnyInput, type Endpoint, endpoints, headers, type Input, missing } from '../src/api/endpoints';
import type { Sent } from '../src/api/wire';
import type { Connection } from '../src/http/connection';
import { serializePath } from '../src/http/path';
import { readRetryAfter } from '../src/http/retry-after';
import { serializeBody, serializeQuery } from '../src/http/serialize';
import { CheckAborted, NotAsked, NotChecked } from './checks/check';
import { sourceOf } from './contract/source';
import { readJson } from './json';

/** A response of the service. */
export interface ServiceResponse {
  endpoint: Endpoint;
  /** The query and body of the request, as the service spells them. */
  sent: Sent;
  status: number;
  headers: Headers;
  /** Parsed JSON, or the text when it isn't JSON. The token is masked. */
  body: unknown;
  /** Seconds until a retry, when the service gives them. */
  retryAfter: number | undefined;
  /** Whether an earlier request that needs the same scope succeeded. */
  hasScope: boolean;
}

const timeoutMs = 15_000;

/** Seconds to wait after a 429. The default is for one that doesn't say how long. */
const defaultWait = 5;
const maxWait = 60;

/** Requests in a row without a response, after which the service counts as gone. */
const maxUnanswered = 3;

const parseBody = (text: string, token: string): unknown => {
  const mask = (value: unknown) => (typeof value === 'string' ? value.replaceAll(token, '…') : value);
  return mask(readJson(text, (_key, value) => mask(value)));
};

const isMissing = (endpoint: Endpoint): boolean => missing.some((name) => endpoints[name] === endpoint);

/** A live service. Keeps every response as the service sent it. */
export class ServiceClient {
  readonly responses: ServiceResponse[] = [];
  readonly #connection: Connection;
  readonly #scopes = new Set<Endpoint['scope']>();
  #unanswered = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get baseUrl(): string {
    return this.#connection.baseUrl;
  }

  /**
   * Sends one request; an empty token sends none. Throws `NotChecked` when there is no response, `CheckAborted` after
   * three in a row, and `NotAsked` for a call that the contract says is missing.
   */
  async requestOnce(endpoint: Endpoint, input: AnyInput, token = this.#connection.token): Promise<ServiceResponse> {
    if (isMissing(endpoint)) throw new NotAsked(`the contract says that the call is missing${sourceOf('missing')}`);
    if (this.#unanswered >= maxUnanswered) throw this.#aborted();
    const { method, path, parameters, query, body, sent } = encode(endpoint, input);
    const url = this.baseUrl + serializePath(path, parameters) + serializeQuery(query);
    try {
      const response = await fetch(url, {
        method,
        // Following a redirect would send the token to another host.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          accept: 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(input.idempotencyKey && { [headers.idempotencyKey]: input.idempotencyKey }),
        },
        ...(body !== undefined && { body: serializeBody(body) }),
      });
      const text = await response.text();
      this.#unanswered = 0;
      return this.#keep(endpoint, response, parseBody(text, this.#connection.token), sent);
    } catch (error) {
      this.#unanswered += 1;
      throw new NotChecked(`${endpoint.method} ${endpoint.path} got no response: ${errorMessage(error)}`);
    }
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

  #aborted(): CheckAborted {
    const created = this.responses.some(({ endpoint, status }) => endpoint.method === 'POST' && status < 300);
    const reason = `The service stopped responding: ${maxUnanswered} requests in a row got no response.`;
    return new CheckAborted(
      created ? `${reason} Remove the contact "Conformance Check" and the webhooks yourself.` : reason,
    );
  }

  #keep(endpoint: Endpoint, { status, headers: got }: Response, body: unknown, sent: Sent): ServiceResponse {
    const hasScope = this.#scopes.has(endpoint.scope);
    if (status >= 200 && status < 300) this.#scopes.add(endpoint.scope);
    const retryAfter = readRetryAfter(got.get(headers.retryAfter));
    const response = { endpoint, sent, status, headers: got, body, retryAfter, hasScope };
    this.responses.push(response);
    return response;
  }
}
