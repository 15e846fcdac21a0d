/** Counts the API requests of every step, by running it against the sandbox. */
import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import { request, type Service } from '../../playground/service-events';
import { startZapier, type Zapier } from '../../playground/zapier';
import { startSandbox } from '../../sandbox/sandbox';
import { endpoints } from '../../src/api/endpoints';
import { deliveryHeaders, type EventName, events } from '../../src/api/events';
import { type Definition, stepsOf } from './definition';
import { type Bundle, type Count, listRuns, type Run } from './request-runs';
import { table } from './table';

const requestLog = z.object({ data: z.array(z.unknown()) });

const countIn =
  (service: Service, zapier: Zapier): Count =>
  async (path, bundle) => {
    await request(service, 'DELETE', '/sandbox/requests');
    const result = await zapier.run(path, bundle);
    const { data } = requestLog.parse(await request(service, 'GET', '/sandbox/requests'));
    return { requests: String(data.length), result };
  };

const subscription = z.looseObject({ id: z.string(), secret: z.string() });
const webhooks = z.object({ data: z.array(z.object({ id: z.string(), events: z.array(z.string()) })) });

const isEventName = (name: string | undefined): name is EventName => name !== undefined && Object.hasOwn(events, name);

/** Returns a delivery of the first event that the subscription is for, signed. */
const deliveryFor = async (service: Service, { id, secret }: z.output<typeof subscription>): Promise<Bundle> => {
  const { data } = webhooks.parse(await request(service, 'GET', endpoints.listWebhooks.path));
  const type = data.find((webhook) => webhook.id === id)?.events[0];
  if (!isEventName(type)) throw new Error(`The webhook ${id} has no known event.`);
  const created_at = new Date();
  const cleanedRequest = { id: 'evt_1', type, created_at, workspace_id: 'ws_1', data: events[type].sample };
  const content = JSON.stringify(cleanedRequest);
  const headers = {
    [`Http-${deliveryHeaders.id}`]: 'evt_1',
    [`Http-${deliveryHeaders.timestamp}`]: String(Math.floor(created_at.getTime() / 1000)),
    [`Http-${deliveryHeaders.signature}`]: new Webhook(secret).sign('evt_1', created_at, content),
  };
  return { rawRequest: { method: 'POST', querystring: '', headers, content }, cleanedRequest };
};

/** Counts what an instant trigger does: the Zap is turned on, an event arrives, the test step, the Zap is turned off. */
const countInstant = async (place: string, service: Service, count: Count): Promise<string[]> => {
  const on = await count(`${place}.performSubscribe`, { targetUrl: 'https://hooks.example.com/1/' });
  const subscribeData = subscription.parse(on.result);
  const arrival = await count(`${place}.perform`, { subscribeData, ...(await deliveryFor(service, subscribeData)) });
  const test = await count(`${place}.performList`);
  const off = await count(`${place}.performUnsubscribe`, { subscribeData });
  return [on, arrival, test, off].map(({ requests }) => requests);
};

const countTriggers = async (app: Definition, service: Service, count: Count) => {
  const instant: string[][] = [];
  const polling: string[][] = [];
  for (const { key, display, operation } of Object.values(app.triggers)) {
    const place = `triggers.${key}.operation`;
    if (operation.type === 'hook') instant.push([key, ...(await countInstant(place, service, count))]);
    else {
      const { requests } = await count(`${place}.perform`);
      polling.push([key, display.hidden ? 'a page of the dropdown' : 'a poll', requests]);
    }
  }
  return { instant, polling };
};

const countRuns = async (runs: Run[]): Promise<string[][]> => {
  const rows: string[][] = [];
  for (const [key, when, count] of runs) rows.push([key, when, (await count()).requests]);
  return rows;
};

/** Throws when an action or a search has no run: what to fill in has to be chosen. */
const requireRuns = (app: Definition, runs: Run[]): void => {
  const missing = stepsOf(app).filter(
    ({ kind, step }) => kind !== 'triggers' && !runs.some(([key]) => key === step.key),
  );
  const places = missing.map(({ place }) => place).join(', ');
  if (places) throw new Error(`Nothing counts the requests of ${places}. Add a run to scripts/docs/request-runs.ts.`);
};

const countAll = async (app: Definition, service: Service, zapier: Zapier): Promise<string> => {
  const count = countIn(service, zapier);
  const runs = await listRuns(service, zapier, count);
  requireRuns(app, runs);
  const { instant, polling } = await countTriggers(app, service, count);
  const others = [
    ['authentication', 'the connection is tested', (await count('authentication.test')).requests],
    ...polling,
    ...(await countRuns(runs)),
  ];
  return `${[
    '<!-- Made from runs of the app by `npm run docs`. -->',
    '# API requests of every step',
    'How many requests each step makes to the messaging service, counted by running it against the sandbox.',
    '## Instant triggers',
    table(['trigger', 'the Zap is turned on', 'an event arrives', 'the test step', 'the Zap is turned off'], instant),
    '## Other steps',
    table(['step', 'when', 'requests'], others),
  ].join('\n\n')}\n`;
};

/** Runs every step against a sandbox and renders how many API requests each one makes. */
export const renderRequests = async (app: Definition): Promise<string> => {
  const sandbox = await startSandbox({ rateLimit: 100_000 });
  const service = { url: sandbox.url, token: sandbox.tokens.advanced };
  const zapier = await startZapier({ base_url: service.url, api_token: service.token });
  try {
    return await countAll(app, service, zapier);
  } finally {
    await zapier.stop();
    await sandbox.stop();
  }
};
