import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import AdmZip from 'adm-zip';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import { packageApp } from '../scripts/package';
import { events } from '../src/api/events';

const rounds = 15;
const warmRepeats = 400;

/** The least app that does the two things that are compared: a hook that takes what comes, a create that sends it. */
const leastApp = `
const core = require('zapier-platform-core');
const step = (key, operation) => ({ key, noun: 'Message', display: { label: 'Message', description: 'Does it.' }, operation });
module.exports = {
  version: '1.0.0',
  platformVersion: core.version,
  triggers: {
    message_received: step('message_received', {
      type: 'hook',
      perform: (z, bundle) => [bundle.cleanedRequest.data],
      performSubscribe: () => ({ id: '1' }),
      performUnsubscribe: () => ({}),
      performList: () => [],
      sample: { id: '1' },
    }),
  },
  creates: {
    send_message: step('send_message', {
      perform: async (z, bundle) =>
        (await z.request({ method: 'POST', url: bundle.authData.base_url + '/v1/messages', body: bundle.inputData })).data,
      sample: { id: '1' },
    }),
  },
};`;

interface App {
  folder: string;
  zip: number;
}

/** Packages an app as it is for Zapier and unpacks it again. */
const prepare = (folder: string, addApp?: (stage: string) => void): App => {
  packageApp(folder, addApp);
  const zip = join(folder, 'build.zip');
  new AdmZip(zip).extractAllTo(join(folder, 'app'));
  return { folder: join(folder, 'app'), zip: statSync(zip).size };
};

const secret = `whsec_${randomBytes(24).toString('base64')}`;

/** A hook perform as Zapier calls it, with a genuine delivery. */
const hookEvent = () => {
  const data = events['message.received'].sample;
  const content = JSON.stringify({ id: 'evt_1', type: 'message.received', created_at: data.created_at, data });
  const at = new Date();
  const headers = {
    'Http-Webhook-Id': 'evt_1',
    'Http-Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
    'Http-Webhook-Signature': new Webhook(secret).sign('evt_1', at, content),
  };
  return {
    command: 'execute',
    method: 'triggers.message_received.operation.perform',
    bundle: {
      authData: {},
      inputData: {},
      meta: {},
      subscribeData: { id: 'wh_1', secret },
      rawRequest: { method: 'POST', querystring: '', headers, content },
      cleanedRequest: JSON.parse(content),
    },
  };
};

const runnerAnswer = z.object({ started: z.number(), cold: z.number(), rss: z.number(), warm: z.nullable(z.number()) });

/** Runs a step in a fresh process of Zapier's Node. Times in milliseconds, memory in bytes. */
const runStep = async (app: App, event: object, repeats: number) => {
  const parts = [join(__dirname, 'run-step.cjs'), app.folder, JSON.stringify({ event, repeats })];
  const { stdout } = await promisify(execFile)(process.execPath, parts, { env: { PATH: process.env.PATH } });
  return runnerAnswer.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
};

/** A service that notes when a send arrives, in milliseconds since the epoch. */
const startService = async () => {
  let arrived = 0;
  const server = createServer((request, response) => {
    arrived = performance.timeOrigin + performance.now();
    request.resume();
    response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify(events['message.sent'].sample));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { url: `http://127.0.0.1:${port}`, arrival: () => arrived, stop: () => server.close() };
};

const sendEvent = (url: string) => ({
  command: 'execute',
  method: 'creates.send_message.operation.perform',
  bundle: {
    authData: { base_url: url, api_token: 'tok_bench' },
    inputData: { channel: 'whatsapp', template: 'hello', to: '+31612345678', variable_name: 'Noor' },
    meta: {},
  },
});

type Figure = 'cold hook' | 'cold send' | 'warm hook' | 'memory';

const measure = async (
  app: App,
  service: Awaited<ReturnType<typeof startService>>,
): Promise<Record<Figure, number>> => {
  const hook = await runStep(app, hookEvent(), 0);
  const { warm } = await runStep(app, hookEvent(), warmRepeats);
  const { started } = await runStep(app, sendEvent(service.url), 0);
  return {
    'cold hook': hook.cold,
    'cold send': service.arrival() - started,
    'warm hook': warm ?? 0,
    memory: hook.rss / 2 ** 20,
  };
};

const median = (numbers: number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

const compare = async (ours: App, least: App) => {
  const service = await startService();
  const taken: Record<'ours' | 'least', Record<Figure, number>[]> = { ours: [], least: [] };
  for (let round = 0; round <= rounds; round++) {
    const pair = { ours: await measure(ours, service), least: await measure(least, service) };
    // The first round warms up the disk.
    if (round > 0) for (const who of ['ours', 'least'] as const) taken[who].push(pair[who]);
  }
  service.stop();
  return taken;
};

const bounds: [figure: Figure, unit: string, bound: number][] = [
  ['cold hook', 'ms', 1.04],
  ['cold send', 'ms', 1.08],
  ['warm hook', 'ms', 4],
  ['memory', 'MB', 1.05],
];

/** Compares the real zip with the least app on the same core; every figure is a ratio of medians in this one run. */
export default async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const ours = prepare(join(folder, 'ours'));
    const least = prepare(join(folder, 'least'), (stage) => writeFileSync(join(stage, 'index.js'), leastApp));
    const taken = await compare(ours, least);
    const row = (figure: Figure, unit: string, bound: number) => {
      const mine = taken.ours.map((each) => each[figure]);
      const theirs = taken.least.map((each) => each[figure]);
      const digits = figure === 'warm hook' ? 3 : 1;
      return {
        figure: `${figure} (${unit})`,
        least: median(theirs).toFixed(digits),
        ours: median(mine).toFixed(digits),
        minimum: Math.min(...mine).toFixed(digits),
        maximum: Math.max(...mine).toFixed(digits),
        ratio: `×${(median(mine) / median(theirs)).toFixed(3)}`,
        bound: `×${bound}`,
      };
    };
    const rows = bounds.map((each) => row(...each));
    const zip = {
      figure: 'zip (KB)',
      least: (least.zip / 1024).toFixed(1),
      ours: (ours.zip / 1024).toFixed(1),
      ratio: `×${(ours.zip / least.zip).toFixed(3)}`,
      bound: '×1.08',
    };
    console.table([...rows, zip]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
