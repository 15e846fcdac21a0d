import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../cli/errors';
import { encode } from '../src/api/encode';
import {
  type AnyInput,
  type Endpoint,
  type EndpointName,
  endpoints,
  headers,
  type Input,
  missingCalls,
} from '../src/api/endpoints';
import { type Answer, type Call, response } from '../src/api/service';
import type { Sent } from '../src/api/wire';
import type { Connection } from '../src/http/connection';
import { serializePath } from '../src/http/path';
import { readRetryAfter } from '../src/http/retry-after';
import { mapStrings } from '../src/http/scrub';
import { serializeBody, serializeQuery } from '../src/http/serialize';
import { CheckAborted, NotChecked, Skipped } from './checks/check';
import { nameOf } from './compare/endpoint-name';
import { placeOf } from './compare/place';
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

const parseBody = (text: string, token: string): unknown =>
  mapStrings(readJson(text), (each) => each.replaceAll(token, '…'));

/** Returns a response as the contract has it. Throws an error that names the place when the contract can't. */
const adapt = (got: Answer, call: Call): Answer => {
  try {
    return response(got, call);
  } catch (error) {
    const what = `${call.method} ${call.path} (status ${got.status})`;
    throw new Error(`\`response\` in src/api/service.ts fails on ${what}: ${errorMessage(error)}`);
  }
};

const isMissing = (endpoint: Endpoint): boolean => missingCalls().some((name) => endpoints[name] === endpoint);

/** A live service. Keeps every response as the service sent it. */
export class ServiceClient {
  readonly requests: ServiceRequest[] = [];
  readonly responses: ServiceResponse[] = [];
  readonly #probes = new Map<Endpoint, EndpointName>();
  readonly #connection: Connection;
  readonly #signal: AbortSignal | undefined;
  readonly #scopes = new Set<Endpoint['scope']>();
  #unanswered = 0;

  /** Once the signal is aborted, requests reject with its reason. */
  constructor(connection: Connection, signal?: AbortSignal) {
    this.#connection = connection;
    this.#signal = signal;
  }

  get baseUrl(): string {
    return this.#connection.baseUrl;
  }

  /**
   * Sends one request; an empty token sends none. Throws `NotChecked` when there is no response, `CheckAborted` after
   * three in a row, `Skipped` for a call that the contract says is missing, and an error when the contract can't adapt
   * the response.
   */
  async requestOnce(endpoint: Endpoint, input: AnyInput, token = this.#connection.token): Promise<ServiceResponse> {
    if (isMissing(endpoint)) throw new Skipped(`the contract says that the call is missing${placeOf('missing')}`);
    if (this.#unanswered >= maxUnanswered) throw this.#aborted();
    this.#signal?.throwIfAborted();
    const response = this.#send(endpoint, input, token);
    this.requests.push({ name: this.#probes.get(endpoint) ?? nameOf(endpoint), input, response });
    return response;
  }

  async #send(endpoint: Endpoint, input: AnyInput, token: string): Promise<ServiceResponse> {
    const { method, path, parameters, query, headers: own, body: sentBody, kept, call, sent } = encode(endpoint, input);
    const url = this.baseUrl + serializePath(path, parameters) + serializeQuery(query);
    let answer: Answer;
    try {
      const got = await fetch(url, {
        method,
        // Following a redirect would send the token to another host.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        headers: { ...own, ...(token && { authorization: `Bearer ${token}` }) },
        ...(sentBody !== undefined && { body: serializeBody(sentBody, kept) }),
      });
      const body = parseBody(await got.text(), this.#connection.token);
      this.#unanswered = 0;
      answer = { status: got.status, headers: Object.fromEntries(got.headers), body };
    } catch (error) {
      this.#unanswered += 1;
      throw new NotChecked(`${endpoint.method} ${endpoint.path} got no response: ${errorMessage(error)}`);
    }
    return this.#keep(endpoint, answer, call, sent);
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

  /** Sends a request even if the contract says that the call is missing. Throws like `requestOnce`. */
  probe(name: EndpointName, input: AnyInput): Promise<ServiceResponse> {
    const copy: Endpoint = { ...endpoints[name] };
    this.#probes.set(copy, name);
    return this.request(copy, input);
  }

  #aborted(): CheckAborted {
    return new CheckAborted(`The service stopped responding: ${maxUnanswered} requests in a row got no response.`);
  }

  #keep(endpoint: Endpoint, got: Answer, call: Call, sent: Sent): ServiceResponse {
    const { status, headers: given, body } = adapt(got, call);
    const hasScope = this.#scopes.has(endpoint.scope);
    if (status >= 200 && status < 300) this.#scopes.add(endpoint.scope);
    const retryAfter = readRetryAfter(given[headers.retryAfter]);
    const kept = { endpoint, sent, status, headers: new Headers(given), body, retryAfter, hasScope };
    this.responses.push(kept);
    return kept;
  }
}
