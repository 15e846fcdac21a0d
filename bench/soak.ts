import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { receiveDelivery, runStep } from '../playground/zapier';
import { message } from '../src/api/resources';
import { ask, repeat, type Server, startServer } from './server';

/** How much to throw at the app: messages that customers write, messages that Zaps send, and the share that goes wrong. */
interface Load {
  inbound: number;
  sends: number;
  faults: number;
}

/** What must be zero, and what it was counted over. */
interface Tally {
  lost: number;
  startedTwice: number;
  sentTwice: number;
  notSent: number;
  forgedLetIn: number;
  deliveries: number;
  forged: number;
  tries: number;
  /** Heap at the end over heap after a fifth, both after a collection; undefined without `--expose-gc`. */
  memoryGrowth: number | undefined;
}

const heap = (): number | undefined => {
  globalThis.gc?.();
  return globalThis.gc && process.memoryUsage().heapUsed;
};

/** What goes wrong between the service and Zapier: an answer of 500 or 429, or a line cut before or after the Zap starts. */
const answers = ['500', '429', 'cut before', 'cut after'] as const;

/** A Zap that counts how often each message starts it, on a line that fails for a share of what comes. */
const startZap = async (authData: Record<string, string>, faults: number) => {
  const starts = new Map<string, number>();
  let running = 0;
  const operation = 'triggers.message_received.operation';

  const run = async (delivery: Awaited<ReturnType<typeof receiveDelivery>>): Promise<void> => {
    running += 1;
    const records = await runStep(`${operation}.perform`, { authData, subscribeData, ...delivery }).catch(() => []);
    for (const { text } of z.array(message.schema).parse(records))
      starts.set(`${text}`, (starts.get(`${text}`) ?? 0) + 1);
    running -= 1;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fault = Math.random() < faults ? answers[Math.floor(Math.random() * answers.length)] : undefined;
    const delivery = await receiveDelivery(request);
    if (fault === 'cut before') return void response.destroy();
    if (fault === '500' || fault === '429') return void response.writeHead(Number(fault)).end();
    await run(delivery);
    if (fault === 'cut after') return void response.destroy();
    response.writeHead(200).end();
  };

  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const targetUrl = `http://127.0.0.1:${port}/`;
  const subscribeData = z
    .object({ id: z.string(), secret: z.string() })
    .parse(await runStep(`${operation}.performSubscribe`, { authData, targetUrl }));
  const stop = async (): Promise<void> => {
    await runStep(`${operation}.performUnsubscribe`, { authData, subscribeData });
    server.closeAllConnections();
    server.close();
  };
  return { starts, targetUrl, isBusy: () => running > 0, stop };
};

const forge = (index: number) => ({
  body: JSON.stringify({
    id: `evt_f${index}`,
    type: 'message.received',
    data: { id: `msg_f${index}`, text: `forged ${index}` },
  }),
  headers: {
    'webhook-id': `evt_f${index}`,
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': `v1,${Buffer.from(`forged ${index}`).toString('base64')}`,
  },
});

const pending = z.object({ data: z.array(z.unknown()) });

/** Lets the sandbox's clock run until every delivery has arrived. Throws after two minutes. */
const settle = async (server: Server, isBusy: () => boolean): Promise<void> => {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await pause(50)) {
    // Far less than the 30 days after which a webhook expires, however often.
    await ask(server, 'POST', '/sandbox/clock', { advance_seconds: 300 });
    const statuses = ['pending', 'sending', 'held'];
    const lists = await Promise.all(
      statuses.map((status) => ask(server, 'GET', `/sandbox/deliveries?status=${status}`)),
    );
    if (!isBusy() && lists.every((list) => pending.parse(list).data.length === 0)) return;
  }
  throw new Error('Deliveries were still under way after two minutes.');
};

const receiveAll = async (server: Server, authData: Record<string, string>, { inbound, faults }: Load) => {
  const zap = await startZap(authData, faults);
  for (const kind of ['delivery_twice', 'delivery_late', 'delivery_out_of_order']) {
    await ask(server, 'POST', '/sandbox/faults', { kind, count: Math.ceil(inbound / 3), share: faults });
  }
  let early: number | undefined;
  let forged = 0;
  await repeat(inbound, async (index) => {
    if (index === Math.floor(inbound / 5)) early = heap();
    await ask(server, 'POST', '/sandbox/messages', {
      from: `+3162${String(index % 500).padStart(7, '0')}`,
      text: `message ${index}`,
    });
    if (index % 10 > 0) return;
    forged += 1;
    await fetch(zap.targetUrl, { method: 'POST', ...forge(index) }).catch(() => undefined);
  });
  await ask(server, 'DELETE', '/sandbox/faults');
  await settle(server, zap.isBusy);
  await zap.stop();
  const late = heap();
  const texts = Array.from({ length: inbound }, (_, index) => `message ${index}`);
  const counts = [...zap.starts.values()];
  return {
    lost: texts.filter((text) => !zap.starts.has(text)).length,
    startedTwice: counts.filter((count) => count > 1).length,
    forgedLetIn: [...zap.starts.keys()].filter((text) => text.startsWith('forged')).length,
    deliveries: counts.length,
    forged,
    memoryGrowth: early && late && late / early,
  };
};

/** Zapier runs a step again that was throttled or that failed for no fault of its input. */
const isRunAgain = (error: unknown): boolean =>
  error instanceof Error && /^(ThrottledError|AppError)$/.test(error.name);

const sendUntilDone = async (authData: Record<string, string>, to: string): Promise<number> => {
  const inputData = {
    channel: 'whatsapp',
    template: 'parcel_out_for_delivery',
    to,
    variables: { parcel_id: to, arrival_time: '14:30' },
    deduplication_key: to,
  };
  for (let tries = 1; ; tries++) {
    try {
      await runStep('creates.send_message.operation.perform', { authData, inputData });
      return tries;
    } catch (error) {
      if (!isRunAgain(error) || tries === 20) throw error;
    }
  }
};

const page = z.object({ data: z.array(message.schema), next_cursor: z.nullable(z.string()) });

const countSent = async (server: Server, prefix: string): Promise<Map<string, number>> => {
  const sent = new Map<string, number>();
  let after = '';
  do {
    const { data, next_cursor } = page.parse(
      await ask(server, 'GET', `/v1/messages?direction=outbound&limit=100${after}`),
    );
    for (const { to } of data) if (to?.startsWith(prefix)) sent.set(to, (sent.get(to) ?? 0) + 1);
    after = next_cursor ? `&after=${next_cursor}` : '';
  } while (after);
  return sent;
};

const sendAll = async (server: Server, authData: Record<string, string>, { sends, faults }: Load) => {
  const kinds = [
    { kind: 'drop' },
    { kind: 'drop', when: 'after' },
    { kind: '429' },
    { kind: '500' },
    { kind: '503', when: 'after' },
    { kind: 'html', when: 'after' },
    { kind: 'half_json' },
  ];
  for (const each of kinds) {
    const count = Math.ceil((sends / kinds.length) * 1.2);
    await ask(server, 'POST', '/sandbox/faults', {
      ...each,
      count,
      share: faults,
      path: '/v1/messages',
      method: 'POST',
    });
  }
  const prefix = '+3163';
  let tries = 0;
  await repeat(sends, async (index) => {
    const taken = await sendUntilDone(authData, `${prefix}${String(index).padStart(7, '0')}`);
    tries += taken;
  });
  await ask(server, 'DELETE', '/sandbox/faults');
  const sent = await countSent(server, prefix);
  return { notSent: sends - sent.size, sentTwice: [...sent.values()].filter((count) => count > 1).length, tries };
};

/** Throws a load at the app on Zapier's own core and the sandbox, with faults on the way, and counts what went wrong. */
const soak = async (load: Load): Promise<Tally> => {
  const server = await startServer('--speed', '20');
  const authData = { base_url: server.url, api_token: server.token };
  try {
    const received = await receiveAll(server, authData, load);
    return { ...received, ...(await sendAll(server, authData, load)) };
  } finally {
    await server.stop();
  }
};

const readLoad = (): Load => {
  const { values } = parseArgs({
    options: { inbound: { type: 'string', default: '10000' }, sends: { type: 'string', default: '2000' } },
  });
  return { inbound: Number(values.inbound), sends: Number(values.sends), faults: 0.2 };
};

const main = async (): Promise<void> => {
  const load = readLoad();
  console.log(
    `${load.inbound} inbound messages and ${load.sends} sends, ${load.faults * 100}% of them disturbed, on this machine alone.`,
  );
  const { lost, startedTwice, sentTwice, notSent, forgedLetIn, ...counted } = await soak(load);
  const zeros = { lost, startedTwice, sentTwice, notSent, forgedLetIn };
  console.table({ ...zeros, ...counted });
  const isFlat = counted.memoryGrowth === undefined || counted.memoryGrowth < 1.5;
  if (!isFlat || Object.values(zeros).some((count) => count > 0)) process.exitCode = 1;
};

main();
