/** `npm run soak` simulates failures between the app, Zapier and the sandbox, and fails when they do harm. */
import '../../lab/cli/sandboxed';
import '../../lab/zapier/core/quiet-core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { type Command, parseFlags, readNumberFlag, runCommand } from '../../lab/cli/command';
import { callApi } from '../../lab/sandbox/client';
import { startSandbox } from '../../lab/sandbox/sandbox';
import { signatureHeaders } from '../../lab/sandbox/webhooks/signature';
import { listen } from '../../lab/zapier/listen';
import { readBody, toDelivery } from '../../lab/zapier/starts/read-delivery';
import { endpoints, pageSize } from '../../src/api/endpoints';
import { message } from '../../src/api/resources';
import { runStep } from '../support/zapier';

const failureShare = 0.2;
const connections = 16;

type ListedMessages = z.output<typeof endpoints.listMessages.response>;

type Service = { base_url: string; api_token: string };

const request = async ({ base_url, api_token }: Service, method: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${api_token}`, 'content-type': 'application/json' };
  const response = await fetch(base_url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text && JSON.parse(text);
};

/** Runs the work `count` times over several connections at once. */
const repeat = async (count: number, work: (index: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const run = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: connections }, run));
};

const count = (texts: string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
};

const countRepeated = (counts: Map<string, number>): number => [...counts.values()].filter((each) => each > 1).length;

const phone = (prefix: string, index: number): string => `${prefix}${String(index).padStart(7, '0')}`;

const failures = ['500', '429', 'cut before', 'cut after'] as const;

/** Turns on a Zap behind an unreliable connection. `started` collects the text of each message that starts it. */
const startZap = async (authData: Service) => {
  const started: string[] = [];
  let running = 0;
  const operation = 'triggers.message_received.operation';

  const respond = async (received: IncomingMessage, response: ServerResponse): Promise<void> => {
    const failure = Math.random() < failureShare && failures[Math.floor(Math.random() * failures.length)];
    const delivery = toDelivery(received, (await readBody(received)) ?? '');
    if (failure === 'cut before') return void response.destroy();
    if (failure === '500' || failure === '429') return void response.writeHead(Number(failure)).end();
    running += 1;
    const records = await runStep(`${operation}.perform`, { authData, subscribeData, ...delivery }).catch(() => []);
    started.push(
      ...z
        .array(message.schema)
        .parse(records)
        .map(({ text }) => `${text}`),
    );
    running -= 1;
    if (failure === 'cut after') return void response.destroy();
    response.writeHead(200).end();
  };

  const server = await listen(respond);
  const targetUrl = `${server.url}/`;
  const subscription = await runStep(`${operation}.performSubscribe`, { authData, targetUrl });
  const subscribeData = z.object({ id: z.string(), secret: z.string() }).parse(subscription);
  const stop = async (): Promise<void> => {
    await runStep(`${operation}.performUnsubscribe`, { authData, subscribeData });
    await server.stop();
  };
  return { started, targetUrl, isIdle: () => running === 0, stop };
};

const sendForged = async (targetUrl: string, index: number): Promise<void> => {
  const id = `evt_forged_${index}`;
  const data = { ...message.sample, text: `forged ${index}` };
  const body = JSON.stringify({ id, type: 'message.received', data });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = signatureHeaders({ id, timestamp, body }, [Buffer.from(id).toString('base64')]);
  await fetch(targetUrl, { method: 'POST', headers, body }).catch(() => undefined);
};

const list = z.object({ data: z.array(z.unknown()) });

/** Advances the sandbox's clock until no delivery is left and the Zap is idle. Throws after two minutes. */
const settle = async (service: Service, isIdle: () => boolean): Promise<void> => {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await pause(50)) {
    await request(service, 'POST', '/sandbox/clock', { advance_seconds: 300 });
    const open = ['pending', 'sending', 'held'].map((status) =>
      request(service, 'GET', `/sandbox/deliveries?status=${status}`),
    );
    if ((await Promise.all(open)).every((each) => list.parse(each).data.length === 0) && isIdle()) return;
  }
  throw new Error('Some deliveries were still open after two minutes.');
};

const receiveAll = async (service: Service, inbound: number) => {
  const zap = await startZap(service);
  for (const kind of ['delivery_twice', 'delivery_late', 'delivery_out_of_order']) {
    await request(service, 'POST', '/sandbox/faults', { kind, count: Math.ceil(inbound / 3), share: failureShare });
  }
  await repeat(inbound, async (index) => {
    const from = phone('+3162', index % 500);
    await request(service, 'POST', '/sandbox/messages', { from, text: `message ${index}` });
    if (index % 10 === 0) await sendForged(zap.targetUrl, index);
  });
  await request(service, 'DELETE', '/sandbox/faults');
  await settle(service, zap.isIdle);
  await zap.stop();
  const counts = count(zap.started);
  const genuine = [...counts.keys()].filter((text) => !text.startsWith('forged'));
  return {
    lost: inbound - genuine.length,
    startedTwice: countRepeated(counts),
    forgedLetIn: counts.size - genuine.length,
  };
};

/** Sends until it succeeds, as Zapier does when a step is throttled or fails through no fault of its input. */
const sendWithRetries = async (authData: Service, to: string): Promise<void> => {
  const variables = { parcel_id: to, arrival_time: '14:30' };
  const template = { channel: 'whatsapp', template: 'parcel_out_for_delivery', variables };
  const inputData = { ...template, to, deduplication_key: to };
  for (let attempt = 1; ; attempt++) {
    try {
      await runStep('creates.send_message.operation.perform', { authData, inputData });
      return;
    } catch (error) {
      const isRetried = error instanceof Error && ['ThrottledError', 'AppError'].includes(error.name);
      if (!isRetried || attempt === 20) throw error;
    }
  }
};

const listRecipients = async ({ base_url: url, api_token: token }: Service): Promise<string[]> => {
  const recipients: string[] = [];
  for (let after: string | null | undefined = ''; after !== null && after !== undefined; ) {
    const query = { direction: 'outbound', limit: pageSize.max, ...(after && { after }) };
    const page: ListedMessages = await callApi({ url, token }, endpoints.listMessages, { query });
    recipients.push(...page.data.map(({ to }) => `${to}`));
    after = page.next_cursor;
  }
  return recipients;
};

const sendAll = async (service: Service, sends: number) => {
  const faults = [
    { kind: 'drop' },
    { kind: 'drop', when: 'after' },
    { kind: '429' },
    { kind: '500' },
    { kind: '503', when: 'after' },
    { kind: 'html', when: 'after' },
    { kind: 'half_json' },
  ];
  const limits = { count: Math.ceil((sends / faults.length) * 1.2), share: failureShare };
  for (const fault of faults) {
    await request(service, 'POST', '/sandbox/faults', {
      ...fault,
      ...limits,
      path: endpoints.sendMessage.path,
      method: 'POST',
    });
  }
  const prefix = '+3163';
  await repeat(sends, (index) => sendWithRetries(service, phone(prefix, index)));
  await request(service, 'DELETE', '/sandbox/faults');
  const sent = count((await listRecipients(service)).filter((to) => to.startsWith(prefix)));
  return { notSent: sends - sent.size, sentTwice: countRepeated(sent) };
};

const command = {
  name: 'npm run soak',
  summary: `Simulates failures between the app, Zapier and the sandbox in ${failureShare * 100}% of all requests. Exits with 1 when a message is lost, sent twice or starts a Zap twice.`,
  options: {
    inbound: { type: 'string', value: 'COUNT', default: '10000', help: 'Messages from customers.' },
    sends: { type: 'string', value: 'COUNT', default: '2000', help: 'Messages to customers.' },
  },
  examples: ['npm run soak', 'npm run soak -- --inbound 500 --sends 100'],
} as const satisfies Command;

const main = async (args: string[]): Promise<number> => {
  const values = parseFlags(command, args);
  const inbound = readNumberFlag('inbound', values.inbound, { min: 0, max: 1_000_000 });
  const sends = readNumberFlag('sends', values.sends, { min: 0, max: 1_000_000 });
  console.log(`${inbound} inbound messages, ${sends} sends, failures in ${failureShare * 100}% of the requests:`);
  const sandbox = await startSandbox({ speed: 20, rateLimit: 1_000_000 });
  const service = { base_url: sandbox.url, api_token: sandbox.tokens.advanced };
  try {
    const harm = { ...(await receiveAll(service, inbound)), ...(await sendAll(service, sends)) };
    console.table(harm);
    return Object.values(harm).some(Boolean) ? 1 : 0;
  } finally {
    await sandbox.stop();
  }
};

runCommand(command, main);
