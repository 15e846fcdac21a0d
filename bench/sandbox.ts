import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import * as z from 'zod/mini';
import { ask, memoryOf, repeat, type Server, startServer } from './server';

const sizes = [1000, 10_000, 100_000] as const;

/** The median time of a call in milliseconds. */
const timeOf = async (server: Server, path: string): Promise<number> => {
  const times: number[] = [];
  for (let call = 0; call < 60; call += 1) {
    const began = performance.now();
    await ask(server, 'GET', path);
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[30] ?? 0;
};

const phone = (index: number) => `+3162${String(index).padStart(7, '0')}`;

const write = (server: Server, index: number) =>
  ask(server, 'POST', '/sandbox/messages', { from: phone(index), text: `Where is parcel PX-${index}?` });

const send = (server: Server, index: number) =>
  ask(server, 'POST', '/v1/messages', {
    channel: 'whatsapp',
    to: phone(index),
    template: 'parcel_out_for_delivery',
    variables: { parcel_id: `PX-${index}`, arrival_time: '14:30' },
  });

const idOf = (answer: unknown): string => z.object({ id: z.string() }).parse(answer).id;

/** How many signed deliveries arrive in a second, of messages of which ten webhooks hear. */
const deliveryRate = async (server: Server): Promise<number> => {
  const messages = 400;
  const webhooks = 10;
  let missing = messages * webhooks;
  const arrived = new EventEmitter();
  const receiver = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end());
    missing -= 1;
    if (missing === 0) arrived.emit('all');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = z.object({ port: z.number() }).parse(receiver.address());
  const subscription = { url: `http://127.0.0.1:${port}/`, events: ['message.received'] };
  const made = await Promise.all(
    Array.from({ length: webhooks }, () => ask(server, 'POST', '/v1/webhooks', subscription)),
  );

  const began = performance.now();
  const all = once(arrived, 'all');
  await repeat(messages, (index) => write(server, index));
  await all;
  const perSecond = ((messages * webhooks) / (performance.now() - began)) * 1000;

  await Promise.all(made.map((each) => ask(server, 'DELETE', `/v1/webhooks/${idOf(each)}`)));
  receiver.close();
  receiver.closeAllConnections();
  return perSecond;
};

const lists = [
  '/v1/messages',
  '/v1/messages?limit=100',
  '/v1/messages?status=received,read',
  '/v1/messages?direction=inbound&channel=sms',
  '/v1/contacts',
  '/v1/contacts?tag=newsletter,business',
  '/v1/contacts?query=noor%20visser',
  '/v1/conversations?status=open',
];

/** The time of each list call at each number of messages, contacts and conversations. */
const listTimes = async (server: Server): Promise<{ rows: number; memory: number; times: number[] }[]> => {
  const measured: { rows: number; memory: number; times: number[] }[] = [];
  let rows = 0;
  for (const size of sizes) {
    const before = rows;
    await repeat(size - rows, (index) => write(server, 1_000_000 + before + index));
    rows = size;
    const times: number[] = [];
    for (const path of lists) times.push(await timeOf(server, path));
    measured.push({ rows, memory: memoryOf(server), times });
  }
  return measured;
};

const inMilliseconds = (time: number): string => `${time.toFixed(2)} ms`;

/** Requests and deliveries a second, memory, and list calls while rows grow to 100,000. Takes about a minute. */
export default async (): Promise<void> => {
  const server = await startServer();
  try {
    const rates = {
      'GET /v1/workspace': await repeat(4000, () => ask(server, 'GET', '/v1/workspace')),
      'GET /v1/messages, 20 rows': await repeat(2000, () => ask(server, 'GET', '/v1/messages')),
      'POST /v1/messages': await repeat(2000, (index) => send(server, index)),
      'signed deliveries': await deliveryRate(server),
    };
    console.table(
      Object.fromEntries(Object.entries(rates).map(([what, rate]) => [what, { 'per second': Math.round(rate) }])),
    );
    const measured = await listTimes(server);
    console.table(
      Object.fromEntries(
        lists.map((path, index) => {
          const times = measured.map(({ rows, times: each }) => [`${rows} rows`, each[index] ?? 0] as const);
          const ratio = (times.at(-1)?.[1] ?? 0) / (times[0]?.[1] ?? 1);
          const shown = times.map(([rows, time]) => [rows, inMilliseconds(time)]);
          return [path, { ...Object.fromEntries(shown), 'last : first': ratio.toFixed(2) }];
        }),
      ),
    );
    console.table(
      Object.fromEntries(measured.map(({ rows, memory }) => [`${rows} messages`, { MB: Math.round(memory) }])),
    );
  } finally {
    await server.stop();
  }
};
