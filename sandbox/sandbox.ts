import { once } from 'node:events';
import { createServer } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import * as z from 'zod/mini';
import { campaignRuns } from './domain/campaign-runs';
import { idleConversations } from './domain/conversations';
import { messageLife } from './domain/message-lifecycle';
import { firstToken, workspaceOf } from './domain/workspaces';
import { startClock } from './engine/clock';
import { trueRandom } from './engine/random';
import { Scheduler } from './engine/scheduler';
import { notedTime, timekeeping } from './engine/timekeeping';
import { type DeliveryFault, FaultList, type RequestFault } from './faults';
import { createControl } from './http/control';
import { releaseKeys } from './http/idempotency';
import { RateLimit } from './http/rate-limit';
import { RequestLog } from './http/request-log';
import { createApp } from './http/server';
import { seedDatabase } from './seed';
import { Database } from './store/database';
import { Deliveries } from './webhooks/deliveries';
import { DeliverySender } from './webhooks/sender';
import { webhookExpiry } from './webhooks/webhooks';

export interface SandboxOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  /** A file, or `:memory:`, the default. */
  database?: string;
  /** The number that the seed data grows from. */
  seed?: number;
  /** How fast life goes: 1 with realistic pauses, 100 a hundred times faster. */
  speed?: number;
  /** Requests a minute for each token. */
  rateLimit?: number;
  /** How many real milliseconds a webhook receiver may take to respond. */
  deliveryTimeoutMs?: number;
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** A token with every scope for the workspace of each plan. */
  tokens: { starter: string; growth: string; advanced: string };
  /** Ends everything; the promise resolves when nothing of the sandbox is left behind. */
  stop(): Promise<void>;
}

const address = z.object({ port: z.number() });

/** Starts the messaging service on this machine. Rejects with the reason when the port is taken. */
export const startSandbox = async ({
  port = 0,
  database: location = ':memory:',
  seed = 1,
  speed = 1,
  rateLimit = 600,
  deliveryTimeoutMs = 10_000,
}: SandboxOptions = {}): Promise<Sandbox> => {
  const database = new Database(location);
  const clock = startClock(Math.max(Date.now(), notedTime(database)), speed);
  const service = { database, clock, random: trueRandom, deliveryFaults: new FaultList<DeliveryFault>(trueRandom) };
  const requestFaults = new FaultList<RequestFault>(trueRandom);
  const shutdown = new AbortController();
  const log = new RequestLog();
  releaseKeys(database);
  seedDatabase(service, seed);

  const deliveries = new Deliveries(service, new DeliverySender(deliveryTimeoutMs));
  const scheduler = new Scheduler(clock, [
    messageLife(service),
    campaignRuns(service),
    idleConversations(service),
    webhookExpiry(service),
    timekeeping(database, clock),
    deliveries,
  ]);
  database.onCommit(() => scheduler.wake());

  const app = createApp(
    { service, log, shutdown: shutdown.signal, faults: requestFaults, rateLimit: new RateLimit(rateLimit, clock) },
    createControl({ service, log, clock, scheduler, deliveries, requestFaults }),
  );
  const server = createServer(getRequestListener(app.fetch));

  const close = () => {
    scheduler.stop();
    deliveries.stop();
    database.close();
  };
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    close();
    throw error;
  }
  scheduler.wake();

  const token = (plan: 'starter' | 'growth' | 'advanced') => firstToken(database, workspaceOf(database, plan));
  return {
    url: `http://127.0.0.1:${address.parse(server.address()).port}`,
    tokens: { starter: token('starter'), growth: token('growth'), advanced: token('advanced') },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      shutdown.abort();
      // Lets requests that were waiting end while the database is still open.
      await setImmediate();
      close();
    },
  };
};
