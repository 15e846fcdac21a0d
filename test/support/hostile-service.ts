/** A service that responds to a step as it likes, and what holds for each step whatever it gets. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { callAt } from '../../lab/sandbox/http/route';
import { unwrapMessage } from '../../lab/zapier/core/error-message';
import { type LocalServer, listen } from '../../lab/zapier/listen';
import app from '../../src';
import { endpoints } from '../../src/api/endpoints';
import { webhook } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { type Bundle, listRuns } from '../runs';
import { goodResponse, pathOf } from './calls';
import { skipPauses } from './pauses';
import { exampleRecords } from './records';
import { runStep } from './zapier';

export const token = 'tok_F4zzS3cr3tV4lu3';

export type Respond = (response: ServerResponse, request: IncomingMessage) => unknown;

/** What one step sends, and what it gets: the first few responses are good. */
interface Service {
  good: number;
  respond: Respond;
  /** The idempotency keys of each POST, by its address. */
  keys: Map<string, Set<string | undefined>>;
  /** The names of the endpoints that the step called. */
  called: string[];
}

const services: Service[] = [];

export const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status).end(JSON.stringify(body));

/** The call of a request, whose path begins with the number of its service. */
const callOf = ({ method = '', url = '' }: IncomingMessage): EndpointName | undefined =>
  callAt(method, url.replace(/^\/\d+|\?.*$/g, ''));

/** Responds as the contract says. */
const respondWell: Respond = (response, request) => {
  const name = callOf(request);
  if (!name) return response.writeHead(404).end();
  return json(response, goodResponse(name), endpoints[name].status);
};

let server: LocalServer;

/** Where the service is. */
export const serviceUrl = (): string => server.url;

const respond = (request: IncomingMessage, response: ServerResponse): unknown => {
  request.resume();
  const service = services[Number(request.url?.split('/')[1])];
  if (!service) return response.writeHead(500).end();
  const name = callOf(request);
  if (name) service.called.push(name);
  const isRead = name && endpoints[name].method === 'GET';
  if (request.method === 'POST' && !isRead) {
    const keys = service.keys.get(`${request.url}`) ?? new Set();
    service.keys.set(`${request.url}`, keys.add(request.headers['idempotency-key']?.toString()));
    // What the service was too busy for wasn't done, so the next attempt may be a new request.
    response.once('finish', () => response.statusCode === 429 && service.keys.delete(`${request.url}`));
  }
  service.good -= 1;
  return (service.good >= 0 ? respondWell : service.respond)(response, request);
};
skipPauses();

/** What core logs. */
export const logged: string[] = [];

beforeAll(async () => {
  process.env.LOG_TO_STDOUT = 'true';
  process.env.DETAILED_LOG_TO_STDOUT = 'true';
  jest.spyOn(console, 'log').mockImplementation((...parts) => void logged.push(parts.join(' ')));
  server = await listen(respond);
});

afterEach(() => expect(logged.splice(0).filter((text) => text.includes(token))).toEqual([]));

afterAll(async () => {
  delete process.env.LOG_TO_STDOUT;
  delete process.env.DETAILED_LOG_TO_STDOUT;
  jest.restoreAllMocks();
  await server.stop();
});

const subscription = {
  subscribeData: { id: 'wh_1', secret: webhook.sample.secret },
  targetUrl: 'https://hooks.example.com/1',
};
const kindOf = ({ key, operation }: (typeof app.triggers)[keyof typeof app.triggers]): string =>
  operation.type === 'hook' ? String(Object.keys(operation.sample ?? {})) : key;

/** The trigger that polls, and one instant trigger for each kind of record. */
const triggers = [...new Map(Object.values(app.triggers).map((trigger) => [kindOf(trigger), trigger])).values()];

export type Step = [path: string, bundle: Bundle];

/** Every step that makes requests. */
export const steps: Step[] = [
  ['authentication.test', {}],
  ...listRuns(exampleRecords).map(({ place, part, bundle }): Step => [`${place}.operation.${part}`, bundle]),
  ...triggers.map(
    ({ key, operation }): Step => [
      `triggers.${key}.operation.${operation.type === 'hook' ? 'performList' : 'perform'}`,
      {},
    ],
  ),
  ['creates.send_message.operation.inputFields.0.choices.perform', {}],
  ['triggers.message_received.operation.performSubscribe', subscription],
  ['triggers.message_received.operation.performUnsubscribe', subscription],
];

/** Checks that a person can read the error, and that it shows no secrets. */
const checkError = (path: string, error: Error): void => {
  const sentence = unwrapMessage(error.message).message;
  expect([path, error.name]).toEqual([path, expect.stringMatching(/^(App|Halted|ExpiredAuth|Throttled)Error$/)]);
  expect(sentence).toMatch(/^[A-Z"].*[.)…]$/);
  expect(sentence.length).toBeLessThan(250);
  expect(sentence).not.toMatch(/<[a-z!/]|\bat \S+:\d+:\d+|\p{Cc}|\u202e/iu);
  expect(JSON.stringify(error) + error.message).not.toContain(token);
};

/** Runs a step and checks what holds for each one, whatever it is given. */
export const run = async (
  [path, bundle]: Step,
  respond = respondWell,
  good = 0,
  account: object = { ai_agents: 'everything' },
) => {
  const service: Service = { good, respond, keys: new Map(), called: [] };
  const base_url = `${server.url}/${services.push(service) - 1}`;
  const authData = { base_url, api_token: ` Bearer ${token}\n`, default_country: 'US', ...account };
  const result = await runStep(path, { authData, ...bundle }).catch((error: unknown) => error);
  for (const [address, keys] of service.keys) {
    // A step may ask for a second webhook, with another filter.
    expect(keys.size).toBeLessThanOrEqual(address.endsWith(pathOf('createWebhook')) ? 2 : 1);
    expect([...keys]).toEqual([...keys].map(() => expect.any(String)));
  }
  if (result instanceof Error) checkError(path, result);
  else expect(JSON.stringify(result) ?? '').not.toContain(token);
  return service.called;
};

export const raw =
  (body: string | Buffer, status = 200, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, headers).end(body);

/** A step, and how many good responses it gets before a hostile one. */
type Run = [step: Step, good: number];

/** One run for each endpoint, in which its response is the first hostile one. */
export const runOfEndpoint = new Map<string, Run>();

/** The calls of each step when all goes well. */
export const callsOfStep = new Map<Step, readonly string[]>();

/** What core logged of these runs. */
export let logOfRuns = '';

beforeAll(async () => {
  for (const step of steps) {
    const called = await run(step);
    callsOfStep.set(step, called);
    called.forEach((name, index) => {
      if (!runOfEndpoint.has(name)) runOfEndpoint.set(name, [step, index]);
    });
  }
  logOfRuns = logged.join('\n');
});
