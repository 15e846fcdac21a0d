/** Records the API requests of every step, by running it against the sandbox. */
import * as z from 'zod/mini';
import { runStep } from '../../lab/playground/service/zapier';
import { type Account, callApi, control } from '../../lab/sandbox/client';
import { callAt } from '../../lab/sandbox/http/route';
import { startSandbox } from '../../lab/sandbox/sandbox';
import { signatureHeaders } from '../../lab/sandbox/webhooks/signature';
import { type AppDefinition, type PlacedStep, stepsOf } from '../../lab/zapier/core/app-definition';
import { alone } from '../../lab/zapier/core/handler';
import { hasListedChoices } from '../../lab/zapier/fields/form';
import { endpoints } from '../../src/api/endpoints';
import { events } from '../../src/api/events';
import { vocabulary } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { type Bundle, listRuns, type Run } from '../../test/runs';
import { createRecords } from '../../test/support/records';

/** The API requests of a step in one situation. */
export interface StepRequests {
  /** The key of the step, or `authentication`. */
  key: string;
  when: string;
  /** Whether that happens only in the Zap editor. */
  isSetUp: boolean;
  requests: readonly EndpointName[];
}

const requestLog = z.object({ data: z.array(z.object({ method: z.string(), path: z.string() })) });

const endpointOf = ({ method, path }: { method: string; path: string }): EndpointName => {
  const found = callAt(method, path);
  if (!found) throw new Error(`${method} ${path} isn't an endpoint of the API.`);
  return found;
};

/** Runs a step by its path in the app. Returns its result and the API requests that it made. */
type RecordRun = (path: string, bundle?: Bundle) => Promise<{ requests: EndpointName[]; result: unknown }>;

const recorderOf =
  (service: Account): RecordRun =>
  async (path, bundle) => {
    const authData = { base_url: service.url, api_token: service.token, ai_agents: 'everything' };
    await control(service.url, 'DELETE', 'requests');
    const result = await runStep(path, { authData, ...bundle }, { ...alone, cache: {} });
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
  const cleanedRequest = {
    id: 'evt_1',
    type,
    created_at: now.toISOString(),
    workspace_id: 'ws_1',
    data: events[type].sample,
  };
  const content = JSON.stringify(cleanedRequest);
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signed = Object.entries(signatureHeaders({ id: 'evt_1', timestamp, body: content }, [secret]));
  const headers = Object.fromEntries(signed.map(([name, value]) => [`Http-${name}`, value]));
  return { rawRequest: { method: 'POST', querystring: `secret=${secret}`, headers, content }, cleanedRequest };
};

const recordInstant = async (key: string, service: Account, record: RecordRun): Promise<StepRequests[]> => {
  const place = `triggers.${key}.operation`;
  const on = await record(`${place}.performSubscribe`, { targetUrl: 'https://hooks.example.com/1/' });
  const subscribeData = subscription.parse(on.result);
  const arrival = await record(`${place}.perform`, { subscribeData, ...(await deliveryFor(service, subscribeData)) });
  const test = await record(`${place}.performList`);
  const off = await record(`${place}.performUnsubscribe`, { subscribeData });
  return [
    { key, when: 'the Zap is turned on', isSetUp: false, requests: on.requests },
    { key, when: 'an event arrives', isSetUp: false, requests: arrival.requests },
    { key, when: 'the test step', isSetUp: true, requests: test.requests },
    { key, when: 'the Zap is turned off', isSetUp: false, requests: off.requests },
  ];
};

/** Records the dropdowns of a step whose choices come from the service. */
const recordDropdowns = async ({ place, step }: PlacedStep, record: RecordRun): Promise<StepRequests[]> => {
  const recorded: StepRequests[] = [];
  for (const [index, each] of (step.operation.inputFields ?? []).entries()) {
    if (!hasListedChoices(each)) continue;
    const path = `${place}.operation.inputFields.${index}.choices.perform`;
    const { requests } = await record(path, { inputData: { channel: 'whatsapp' } });
    if (requests.length > 0) recorded.push({ key: step.key, when: 'a page of the dropdown', isSetUp: true, requests });
  }
  return recorded;
};

const recordRun = async ({ place, when, part, bundle }: Run, record: RecordRun): Promise<StepRequests> => {
  const key = place.split('.')[1] ?? '';
  try {
    const { requests } = await record(`${place}.operation.${part}`, bundle);
    return { key, when, isSetUp: part === 'inputFields', requests };
  } catch (error) {
    throw new Error(`The run of ${place} in test/runs.ts fails (${when}): ${error}`);
  }
};

const recordAll = async (app: AppDefinition, service: Account): Promise<StepRequests[]> => {
  const record = recorderOf(service);
  const { requests } = await record('authentication.test');
  const recorded: StepRequests[] = [
    { key: 'authentication', when: 'the connection is tested', isSetUp: true, requests },
  ];
  for (const { key, operation } of Object.values(app.triggers)) {
    if (operation.type === 'hook') recorded.push(...(await recordInstant(key, service, record)));
  }
  for (const placed of stepsOf(app)) recorded.push(...(await recordDropdowns(placed, record)));
  for (const run of listRuns(await createRecords(service))) recorded.push(await recordRun(run, record));
  return recorded;
};

/** Runs every step against a sandbox, which a test starts with data that is there, and returns the API requests of each one. */
export const recordStepRequests = async (app: AppDefinition, start = startSandbox): Promise<StepRequests[]> => {
  const sandbox = await start({ speed: 1, rateLimit: 100_000 });
  try {
    return await recordAll(app, { url: sandbox.url, token: sandbox.tokens.advanced });
  } finally {
    await sandbox.stop();
  }
};
