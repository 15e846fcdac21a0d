/** Records the API requests of every step, by running it against the sandbox. */
import * as z from 'zod/mini';
import type { Account } from '../../playground/call-api';
import { callApi } from '../../playground/call-api';
import { request } from '../../playground/service-events';
import { startZapier, type Zapier } from '../../playground/zapier';
import { startSandbox } from '../../sandbox/sandbox';
import { signatureHeaders } from '../../sandbox/webhooks/signature';
import { encodeDelivery, routesOf } from '../../src/api/encode';
import { calls, type EndpointName, endpoints } from '../../src/api/endpoints';
import { type EventName, events } from '../../src/api/events';
import { type Definition, stepsOf } from './definition';
import { page, table } from './markdown';
import { type Bundle, listRuns, type RecordRun, type Run } from './request-runs';

/** The API requests of a step in one situation. */
export interface StepRequests {
  /** The key of the step, or `authentication`. */
  key: string;
  when: string;
  requests: readonly EndpointName[];
}

/** The API requests of every step. */
export interface AllRequests {
  /** Of each instant trigger: the Zap is turned on, an event arrives, the test step, the Zap is turned off. */
  instant: readonly StepRequests[];
  others: readonly StepRequests[];
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
  (service: Account, zapier: Zapier): RecordRun =>
  async (path, bundle) => {
    await request(service, 'DELETE', '/sandbox/requests');
    const result = await zapier.run(path, bundle);
    const { data } = requestLog.parse(await request(service, 'GET', '/sandbox/requests'));
    return { requests: data.map(endpointOf), result };
  };

const subscription = z.looseObject({ id: z.string(), secret: z.string() });

const isEventName = (name: string | undefined): name is EventName => name !== undefined && Object.hasOwn(events, name);

/** Returns a delivery of the first event that the subscription is for, signed. */
const deliveryFor = async (service: Account, { id, secret }: z.output<typeof subscription>): Promise<Bundle> => {
  const { data } = await callApi(service, endpoints.listWebhooks);
  const type = data.find((webhook) => webhook.id === id)?.events?.[0];
  if (!isEventName(type)) throw new Error(`The webhook ${id} has no known event.`);
  const now = new Date();
  const event = { id: 'evt_1', type, created_at: now.toISOString(), workspace_id: 'ws_1', data: events[type].sample };
  const cleanedRequest = Object(encodeDelivery(event));
  const content = JSON.stringify(cleanedRequest);
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signed = Object.entries(signatureHeaders({ id: 'evt_1', timestamp, body: content }, [secret]));
  const headers = Object.fromEntries(signed.map(([name, value]) => [`Http-${name}`, value]));
  return { rawRequest: { method: 'POST', querystring: `secret=${secret}`, headers, content }, cleanedRequest };
};

const situations = ['the Zap is turned on', 'an event arrives', 'the test step', 'the Zap is turned off'];

const recordInstant = async (key: string, service: Account, record: RecordRun): Promise<StepRequests[]> => {
  const place = `triggers.${key}.operation`;
  const on = await record(`${place}.performSubscribe`, { targetUrl: 'https://hooks.example.com/1/' });
  const subscribeData = subscription.parse(on.result);
  const arrival = await record(`${place}.perform`, { subscribeData, ...(await deliveryFor(service, subscribeData)) });
  const test = await record(`${place}.performList`);
  const off = await record(`${place}.performUnsubscribe`, { subscribeData });
  return [on, arrival, test, off].map(({ requests }, index) => ({ key, when: situations[index] ?? '', requests }));
};

const recordTriggers = async (app: Definition, service: Account, record: RecordRun): Promise<AllRequests> => {
  const instant: StepRequests[] = [];
  const others: StepRequests[] = [];
  for (const { key, display, operation } of Object.values(app.triggers)) {
    if (operation.type === 'hook') instant.push(...(await recordInstant(key, service, record)));
    else {
      const { requests } = await record(`triggers.${key}.operation.perform`);
      others.push({ key, when: display.hidden ? 'a page of the dropdown' : 'a poll', requests });
    }
  }
  return { instant, others };
};

const recordRuns = async (runs: Run[]): Promise<StepRequests[]> => {
  const recorded: StepRequests[] = [];
  for (const [key, when, record] of runs) recorded.push({ key, when, requests: (await record()).requests });
  return recorded;
};

/** Throws when an action or a search has no run: what to fill in has to be chosen. */
const requireRuns = (app: Definition, runs: Run[]): void => {
  const missing = stepsOf(app).filter(
    ({ kind, step }) => kind !== 'triggers' && !runs.some(([key]) => key === step.key),
  );
  const places = missing.map(({ place }) => place).join(', ');
  if (places) throw new Error(`Nothing counts the requests of ${places}. Add a run to scripts/docs/request-runs.ts.`);
};

const recordAll = async (app: Definition, service: Account, zapier: Zapier): Promise<AllRequests> => {
  const record = recorderOf(service, zapier);
  const keys = new Set(stepsOf(app).map(({ step }) => step.key));
  const runs = (await listRuns(service, zapier, record)).filter(([key]) => keys.has(key));
  requireRuns(app, runs);
  const { instant, others } = await recordTriggers(app, service, record);
  const { requests } = await record('authentication.test');
  const connection = { key: 'authentication', when: 'the connection is tested', requests };
  return { instant, others: [connection, ...others, ...(await recordRuns(runs))] };
};

/** Runs every step against a sandbox and returns the API requests of each one. */
export const recordStepRequests = async (app: Definition): Promise<AllRequests> => {
  const sandbox = await startSandbox({ rateLimit: 100_000 });
  const service = { url: sandbox.url, token: sandbox.tokens.advanced };
  const zapier = await startZapier({ base_url: service.url, api_token: service.token });
  try {
    return await recordAll(app, service, zapier);
  } finally {
    await zapier.stop();
    await sandbox.stop();
  }
};

const numberOf = ({ requests }: StepRequests): string => String(requests.length);

const instantRows = (instant: readonly StepRequests[]): string[][] =>
  [...Map.groupBy(instant, ({ key }) => key)].map(([key, runs]) => [key, ...runs.map(numberOf)]);

/** Renders how many API requests each step makes. */
export const renderRequests = ({ instant, others }: AllRequests): string =>
  page(
    '<!-- Made from runs of the app by `npm run docs`. -->',
    '# API requests of every step',
    'How many requests each step makes to the messaging service, counted by running it against the sandbox.',
    '## Instant triggers',
    table(['trigger', ...situations], instantRows(instant)),
    '## Other steps',
    table(
      ['step', 'when', 'requests'],
      others.map((each) => [each.key, each.when, numberOf(each)]),
    ),
  );
