/** `npm run bench`: compares the app's speed, memory and size with a minimal app. */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { type Command, parseFlags, runCommand } from '../../lab/cli/command';
import { type Sandbox, startSandbox } from '../../lab/sandbox/sandbox';
import { listen } from '../../lab/zapier/listen';
import { events } from '../../src/api/events';
import { message } from '../../src/api/resources';
import { type App, measureStep, type StepFigures, withApps } from './apps';
import { measureClicks } from './clicks';
import { measureExecuted } from './executed';

const rounds = 31;
const warmRuns = 200;

interface Measured {
  hook: StepFigures;
  /** Milliseconds from the start of the process to the first request of a send, and to the send itself. */
  firstRequest: number;
  send: number;
  zip: number;
}

/** `bound` is the highest ratio to the minimal app that we accept. A warm run has none, because nobody feels 2 ms. */
const figures: { name: string; bound?: number; read: (measured: Measured) => number }[] = [
  { name: 'cold hook (CPU ms)', bound: 1.2, read: ({ hook }) => hook.cold },
  { name: 'loading the app (CPU ms)', read: ({ hook }) => hook.load },
  { name: 'first call (CPU ms)', read: ({ hook }) => hook.first },
  { name: 'cold send, to its first request (ms)', bound: 1.2, read: ({ firstRequest }) => firstRequest },
  // Without a bound, because the minimal app doesn't read the template first. Tests count the requests of each step.
  { name: 'cold send, to the send (ms)', read: ({ send }) => send },
  { name: 'warm hook (ms)', read: ({ hook }) => hook.warm },
  { name: 'memory (MB)', bound: 1.15, read: ({ hook }) => hook.memory },
  { name: 'zip (KB)', bound: 1.2, read: ({ zip }) => zip },
];

const execute = (step: string, bundle: object) => ({
  command: 'execute',
  method: `${step}.operation.perform`,
  bundle: { authData: {}, inputData: {}, meta: {}, ...bundle },
});

const secret = `whsec_${randomBytes(24).toString('base64')}`;

const receiveEvent = (): object => {
  const data = events['message.received'].sample;
  const content = JSON.stringify({ id: 'evt_1', type: 'message.received', created_at: data.created_at, data });
  const now = new Date();
  const headers = {
    'Http-Webhook-Id': 'evt_1',
    'Http-Webhook-Timestamp': String(Math.floor(now.getTime() / 1000)),
    'Http-Webhook-Signature': new Webhook(secret).sign('evt_1', now, content),
  };
  return execute('triggers.message_received', {
    subscribeData: { id: 'wh_1', secret },
    rawRequest: { method: 'POST', querystring: '', headers, content },
    cleanedRequest: JSON.parse(content),
  });
};

const sent = { channel: 'whatsapp', template: 'hello', to: '+12025550123' };

const sendEvent = (baseUrl: string): object =>
  execute('creates.send_message', {
    authData: { base_url: baseUrl, api_token: 'tok_bench' },
    inputData: sent,
    meta: { inputFields: {} },
  });

/** Returns a run of an action that sends a template with two variables, as its form was filled in. */
const templateEvent = (step: string, { url, tokens }: Sandbox): object => {
  const form = {
    channel: 'whatsapp',
    template: 'parcel_out_for_delivery',
    to: '+12025550123',
    variable_parcel_id: 'PX-20418',
    variable_arrival_time: '14:30',
  };
  const authData = { base_url: url, api_token: tokens.advanced };
  return { ...execute(step, { authData, inputData: form, inputDataRaw: form }), callback_url: 'https://example.com' };
};

/** A messaging service that accepts every send. `takeRequests` returns when the latest ones arrived, in ms since 1970. */
const startService = async () => {
  let arrived: number[] = [];
  const takeRequests = () => {
    const taken = arrived;
    arrived = [];
    return taken;
  };
  const server = await listen((request, response) => {
    arrived.push(performance.timeOrigin + performance.now());
    request.resume();
    // A send reads its template first.
    if (request.method === 'GET') {
      const hello = { name: 'hello', channel: 'whatsapp', status: 'approved' };
      return response.writeHead(200).end(JSON.stringify({ data: [hello], next_cursor: null }));
    }
    response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ ...message.sample, ...sent }));
  });
  return { ...server, takeRequests };
};
type Service = Awaited<ReturnType<typeof startService>>;

const measure = async (app: App, service: Service): Promise<Measured> => {
  const hook = await measureStep(app, receiveEvent(), warmRuns);
  const { started } = await measureStep(app, sendEvent(service.url));
  const [first = started, ...others] = service.takeRequests();
  return { hook, firstRequest: first - started, send: (others.at(-1) ?? first) - started, zip: app.zip };
};

interface Round {
  ours: Measured;
  minimal: Measured;
}

/** Measures both apps in each round. They take turns going first. */
const measureRounds = async (ours: App, minimal: App, service: Service): Promise<Round[]> => {
  const taken: Round[] = [];
  for (let round = 0; round <= rounds; round++) {
    const first = round % 2 ? await measure(ours, service) : undefined;
    const minimalMeasured = await measure(minimal, service);
    taken.push({ ours: first ?? (await measure(ours, service)), minimal: minimalMeasured });
  }
  // The first round warms up the disk cache.
  return taken.slice(1);
};

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Compares one figure. The ratio is the median over the rounds, because a slow moment slows both apps of a round. */
const toRow = ({ name, bound, read }: (typeof figures)[number], taken: Round[]) => {
  const ratio = median(taken.map(({ ours, minimal }) => read(ours) / read(minimal)));
  return {
    figure: name,
    minimal: median(taken.map(({ minimal }) => read(minimal))).toFixed(2),
    ours: median(taken.map(({ ours }) => read(ours))).toFixed(2),
    ratio: `×${ratio.toFixed(3)}`,
    bound: bound ? `×${bound.toFixed(2)}` : 'none',
    within: ratio <= (bound ?? Infinity) ? 'yes' : 'no',
  };
};

/** Shows how many files and functions of the app a run executes, as a measure of how far a reader has to follow it. */
const showExecuted = async (): Promise<void> => {
  const sandbox = await startSandbox();
  try {
    const runs = [
      { name: 'send', wanted: 34, event: templateEvent('creates.send_message', sandbox) },
      { name: 'webhook', wanted: 24, event: receiveEvent() },
      { name: 'wait', event: templateEvent('creates.send_message_and_wait', sandbox) },
    ];
    const executed = await measureExecuted(Object.fromEntries(runs.map(({ name, event }) => [name, event])));
    console.table(
      runs.map(({ name, wanted = 'none' }) => {
        const { files = [], functions = [] } = executed[name] ?? {};
        return { run: name, files: files.length, wanted, functions: functions.length };
      }),
    );
  } finally {
    await sandbox.stop();
  }
};

const clickBoundMs = 100;

const showClicks = async (): Promise<void> => {
  const clicks = await measureClicks();
  if (!clicks) return;
  const ms = median(clicks);
  console.table([
    {
      figure: 'click to paint (ms)',
      ours: ms.toFixed(0),
      bound: clickBoundMs,
      within: ms <= clickBoundMs ? 'yes' : 'no',
    },
  ]);
};

const command = {
  name: 'npm run bench',
  summary:
    'Compares the packaged app with a minimal app on the same core, in fresh processes that take turns, counts the files and functions that a run executes, and times a click in the playground. Takes about two minutes on an idle machine.',
  options: {},
  examples: ['npm run bench'],
} as const satisfies Command;

const main = async (args: string[]): Promise<void> => {
  parseFlags(command, args);
  await showExecuted();
  await showClicks();
  const service = await startService();
  try {
    await withApps(async (ours, minimal) => {
      const taken = await measureRounds(ours, minimal, service);
      console.table(figures.map((figure) => toRow(figure, taken)));
    });
  } finally {
    await service.stop();
  }
};

runCommand(command, main);
