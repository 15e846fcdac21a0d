import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { Sandbox } from '../../lab/sandbox/sandbox';
import { exampleConnection } from '../../src/api/connection';
import { encode } from '../../src/api/encode';
import { type AnyInput, endpoints } from '../../src/api/endpoints';
import type { EndpointName } from '../../src/api/transport';
import { serializeQuery } from '../../src/call/request';
import { pathOf } from './calls';
import { deadlineMs } from './deadline';
import { type SeededOptions, startSeeded } from './seeded';

/** A response. `body` is parsed JSON, or the text when it isn't JSON. */
export interface Answered {
  status: number;
  headers: Headers;
  body: unknown;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

type Respond = (request: Request) => Promise<Response>;

/** Sends a request, over a connection unless something else responds. Content that isn't a string is sent as JSON. */
export const ask = async (
  address: string,
  method: Method,
  content?: unknown,
  headers: Record<string, string> = {},
  respond: Respond = fetch,
): Promise<Answered> => {
  const request = new Request(address, {
    method,
    redirect: 'manual',
    headers: { ...(content !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: typeof content === 'string' || content === undefined ? content : JSON.stringify(content),
  });
  const response = await respond(request);
  return { status: response.status, headers: response.headers, body: parseJson(await response.text()) };
};

/** Calls an endpoint of a service. */
export const requestFrom = async (
  { url, token, respond }: { url: string; token: string; respond?: Respond },
  name: EndpointName,
  input: AnyInput = {},
  headers: Record<string, string> = {},
): Promise<Answered> => {
  const { method, query, body } = encode(endpoints[name], input, exampleConnection);
  const address = url + pathOf(name, input) + serializeQuery(query);
  return ask(address, method, body, { authorization: `Bearer ${token}`, ...headers }, respond);
};

type Responses = { [N in EndpointName]: z.output<(typeof endpoints)[N]['response']> };
const readable: { [N in EndpointName]: { response: z.ZodMiniType<Responses[N]> } } = endpoints;

/** A sandbox that runs during the tests of a file. Calls use the Advanced token by default. */
export class Running {
  readonly #options: SeededOptions;
  #sandbox: Sandbox | undefined;

  constructor(options: SeededOptions = {}) {
    this.#options = options;
    beforeAll(async () => {
      this.#sandbox = await startSeeded(this.#options);
    });
    afterAll(() => this.sandbox.stop());
  }

  get sandbox(): Sandbox {
    if (!this.#sandbox) throw new Error('The sandbox has not started yet.');
    return this.#sandbox;
  }

  get url(): string {
    return this.sandbox.url;
  }

  /** Responds without a connection, as `fetch` does with one. */
  readonly respond = async (request: Request): Promise<Response> => {
    const socket = {
      destroyed: false,
      destroy() {
        this.destroyed = true;
      },
    };
    const response = await this.sandbox.respond(request, { incoming: { socket } });
    if (socket.destroyed) throw new TypeError('fetch failed');
    return response;
  };

  /** Calls the API. */
  call(method: Method, path: string, content?: unknown, headers: Record<string, string> = {}): Promise<Answered> {
    const authorization = `Bearer ${this.sandbox.tokens.advanced}`;
    return ask(this.url + path, method, content, { authorization, ...headers }, this.respond);
  }

  /** Calls an endpoint. The input and the body of the response are in our names, however the service spells them. */
  request(name: EndpointName, input: AnyInput = {}, headers: Record<string, string> = {}): Promise<Answered> {
    const account = { url: this.url, token: this.sandbox.tokens.advanced, respond: this.respond };
    return requestFrom(account, name, input, headers);
  }

  /** Calls an endpoint and parses the body of the response. */
  async read<N extends EndpointName>(name: N, input: AnyInput = {}): Promise<Responses[N]> {
    const { body } = await this.request(name, input);
    return readable[name].response.parse(body);
  }

  /** Makes a control call, which needs no token. */
  control(method: Method, path: string, content?: unknown): Promise<Answered> {
    return ask(`${this.url}/sandbox${path}`, method, content, {}, this.respond);
  }

  /** Moves the clock forward until all that is due is done. */
  async advance(seconds: number): Promise<void> {
    const { body } = await this.control('POST', '/clock', { advance_seconds: seconds });
    expect(body).toMatchObject({ open_deliveries: 0 });
  }

  /** Resolves when all that the service had to deliver has arrived, also what is tried once more. */
  readonly settle = (): Promise<void> => eventually(() => this.advance(60));
}

/** Anything that the service made. */
export const withId = z.looseObject({ id: z.string() });

/** Returns a function that makes a control call and returns its record. */
export const controlOf =
  (running: Running) =>
  async (path: string, content: object = {}): Promise<{ id: string }> =>
    withId.parse((await running.control('POST', path, content)).body);

/** The error in a response body. */
export const errorOf = ({ body }: Answered) =>
  z.object({ error: z.looseObject({ code: z.string(), message: z.string() }), request_id: z.string() }).parse(body)
    .error;

/** Retries until the expectation holds. Fails with its error after two minutes. */
export const eventually = async (expectation: () => unknown): Promise<void> => {
  for (const deadline = Date.now() + deadlineMs; ; await pause(20)) {
    try {
      await expectation();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
};

/** Returns one of the American phone numbers that are reserved for fiction, starting in an area code. */
export const fictionalNumber = (areaCode: number, index: number): string =>
  `+1${areaCode + Math.floor(index / 100)}55501${String(index % 100).padStart(2, '0')}`;

let numbers = 0;

/** Returns a phone number that the test file hasn't used yet and no seeded contact has. */
export const newNumber = (): string => fictionalNumber(812, numbers++);

/** A message to the number that the sandbox accepts. */
export const parcelMessage = (to: string) => ({
  channel: 'whatsapp',
  to,
  template: 'parcel_out_for_delivery',
  variables: { parcel_id: 'PX-20418', arrival_time: '14:30' },
});
