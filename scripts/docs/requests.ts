/** Records the API requests of every step, by running it against the sandbox. */
import * as z from 'zod/mini';
import { type Account, callApi, control } from '../../playground/call-api';
import { runStep } from '../../playground/zapier';
import { startSandbox } from '../../sandbox/sandbox';
import { signatureHeaders } from '../../sandbox/webhooks/signature';
import { encodeDelivery, routesOf } from '../../src/api/encode';
import { calls, type EndpointName, endpoints } from '../../src/api/endpoints';
import { events } from '../../src/api/events';
import { vocabulary } from '../../src/api/resources';
import { type Definition, type Step, stepsOf } from './definition';
import { page, table } from './markdown';
import { type Bundle, listRuns, type RecordRun, type Run } from './request-runs';

/** The API requests of a step in one situation. */
export interface StepRequests {
  /** The key of the step, or `authentication`. */
  key: string;
  when: string;
  requests: readonly EndpointName[];
}

const requestLog = z.object({ data: z.array(z.object({ method: z.string(), path: z.string() })) });

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

const patterns = calls.flatMap(([name, endpoint]) =>
  routesOf(endpoint).map(({ method, path }) => ({ name, method, pattern: patternOf(path) })),
);

const endpointOf = ({ method, path }: { method: string; path: string }): EndpointName => {
  const [address = ''] = path.split('?');
  const found = patterns.find((each) => each.method === method && each.pattern.test(address));
  if (!found) throw new Error(`${method} ${path} isn't an endpoint of the API.`);
  return found.name;
};

const recorderOf =
  (service: Account): RecordRun =>
  async (path, bundle) => {
    const authData = { base_url: service.url, api_token: service.token };
    await control(service.url, 'DELETE', 'requests');
    const result = await runStep(path, { authData, ...bundle });
    const { data } = requestLog.parse(await control(service.url, 'GET', 'requests'));
    return { requests: data.map(endpointOf), result };
  };

const subscription = z.looseObject({ id: z.string(), secret: z.string() });
const eventName = z.enum(vocabulary.event);

/** Returns a delivery of the first event that the subscription is for, signed. */
const deliveryFor = async (service: Account, { id, secret }: z.output<typeof subscription>): Promise<Bundle> => {
  const { data } = await callApi(service, endpoints.listWebhooks);
  const type = eventName.parse(data.find((webhook) => webhook.id === id)?.events?.[0]);
  const now = new Date();
  const event = { id: 'evt_1', type, created_at: now.toISOString(), workspace_id: 'ws_1', data: events[type].sample };
  const cleanedRequest = encodeDelivery(event);
  const content = JSON.stringify(cleanedRequest);
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signed = Object.entries(signatureHeaders({ id: 'evt_1', timestamp, body: content }, [secret]));
  const headers = Object.fromEntries(signed.map(([name, value]) => [`Http-${name}`, value]));
  return { rawRequest: { method: 'POST', querystring: `secret=${secret}`, headers, content }, cleanedRequest };
};

const situations = ['the Zap is turned on', 'an event arrives', 'the test step', 'the Zap is turned off'];

const recordInstant = async (place: string, service: Account, record: RecordRun): Promise<EndpointName[][]> => {
  const on = await record(`${place}.performSubscribe`, { targetUrl: 'https://hooks.example.com/1/' });
  const subscribeData = subscription.parse(on.result);
  const arrival = await record(`${place}.perform`, { subscribeData, ...(await deliveryFor(service, subscribeData)) });
  const test = await record(`${place}.performList`);
  const off = await record(`${place}.performUnsubscribe`, { subscribeData });
  return [on, arrival, test, off].map(({ requests }) => requests);
};

const recordTrigger = async (
  { key, display, operation }: Step,
  service: Account,
  record: RecordRun,
): Promise<StepRequests[]> => {
  const place = `triggers.${key}.operation`;
  if (operation.type !== 'hook') {
    const { requests } = await record(`${place}.perform`);
    return [{ key, when: display.hidden ? 'a page of the dropdown' : 'a poll', requests }];
  }
  const recorded = await recordInstant(place, service, record);
  return situations.map((when, index) => ({ key, when, requests: recorded[index] ?? [] }));
};

/** Throws when an action or a search has no run: what to fill in has to be chosen. */
const requireRuns = (app: Definition, runs: Run[]): void => {
  const known = new Set(runs.map(({ place }) => place));
  const missing = stepsOf(app).filter(({ kind, place }) => kind !== 'triggers' && !known.has(place));
  const places = missing.map(({ place }) => place).join(', ');
  if (places) throw new Error(`Nothing counts the requests of ${places}. Add a run to scripts/docs/request-runs.ts.`);
};

const recordAll = async (app: Definition, service: Account): Promise<StepRequests[]> => {
  const record = recorderOf(service);
  const runs = await listRuns(service, record);
  requireRuns(app, runs);
  const { requests } = await record('authentication.test');
  const recorded: StepRequests[] = [{ key: 'authentication', when: 'the connection is tested', requests }];
  for (const trigger of Object.values(app.triggers)) recorded.push(...(await recordTrigger(trigger, service, record)));
  const keys = new Map(stepsOf(app).map(({ place, step }) => [place, step.key]));
  for (const { place, when, part, bundle } of runs) {
    const key = keys.get(place);
    if (key) recorded.push({ key, when, requests: (await record(`${place}.operation.${part}`, bundle)).requests });
  }
  return recorded;
};

/** Runs every step against a sandbox and returns the API requests of each one. */
export const recordStepRequests = async (app: Definition): Promise<StepRequests[]> => {
  const sandbox = await startSandbox({ rateLimit: 100_000 });
  try {
    return await recordAll(app, { url: sandbox.url, token: sandbox.tokens.advanced });
  } finally {
    await sandbox.stop();
  }
};

const isInstant = ({ when }: StepRequests): boolean => situations.includes(when);

const numberOf = ({ requests }: StepRequests): string => String(requests.length);

/** Renders how many API requests each step makes. */
export const renderRequests = (all: StepRequests[]): string => {
  const instant = Map.groupBy(all.filter(isInstant), ({ key }) => key);
  const others = all.filter((each) => !isInstant(each));
  return page(
    '<!-- Made from runs of the app by `npm run docs`. -->',
    '# API requests of every step',
    'How many requests each step makes to the messaging service, counted by running it against the sandbox.',
    '## Instant triggers',
    table(
      ['trigger', ...situations],
      [...instant].map(([key, runs]) => [key, ...runs.map(numberOf)]),
    ),
    '## Other steps',
    table(
      ['step', 'when', 'requests'],
      others.map((each) => [each.key, each.when, numberOf(each)]),
    ),
  );
};
