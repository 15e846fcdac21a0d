import { setImmediate } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { listen } from '../cli/listen';
import type { Plan } from '../src/api/resources';
import { dueWork } from './domain/due-work';
import { firstToken, workspaceOnPlan } from './domain/workspaces';
import { startClock } from './engine/clock';
import type { OnExchange } from './engine/exchange';
import { type DeliveryFault, FaultList, type RequestFault } from './engine/faults';
import { systemRandom } from './engine/random';
import { Scheduler } from './engine/scheduler';
import { createControl } from './http/control';
import { releaseKeys } from './http/idempotency';
import { RateLimit } from './http/rate-limit';
import { RequestLog } from './http/request-log';
import { createApp, createRehearsal } from './http/server';
import { seedDatabase } from './seed';
import { Database } from './store/database';
import { dueRecords } from './store/due-records';
import { savedTime, saveTime } from './store/timekeeping';
import { Deliveries } from './webhooks/deliveries';

export interface SandboxOptions {
  /** 0, the default, picks a free port. */
  port?: number;
  /** A file path, or `:memory:`, the default. */
  database?: string | undefined;
  /** The same number generates the same seed data. */
  seed?: number;
  /** 100 runs the clock 100 times faster. */
  speed?: number;
  /** Requests per minute for each token. */
  rateLimit?: number;
  /** How many real milliseconds a webhook receiver may take to respond. */
  deliveryTimeoutMs?: number;
  /** Called after each request and each webhook delivery. */
  onExchange?: OnExchange;
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** Where the API responds as at `url` and changes nothing. It has no faults, no rate limit and no control calls. */
  rehearsalUrl: string;
  /** A token with all scopes for the workspace of each plan. */
  tokens: Record<Plan, string>;
  /** Stops the sandbox. Resolves when all its connections, timers and files are closed. */
  stop(): Promise<void>;
}

/** Starts the messaging service on a loopback address. Rejects when the port is in use. */
export const startSandbox = async ({
  port = 0,
  database: location = ':memory:',
  seed = 1,
  speed = 1,
  rateLimit = 600,
  deliveryTimeoutMs = 10_000,
  onExchange = () => undefined,
}: SandboxOptions = {}): Promise<Sandbox> => {
  const database = new Database(location);
  const clock = startClock(Math.max(Date.now(), savedTime(database)), speed);
  database.beforeCommit = () => saveTime(database, clock);
  const context = { database, clock, random: systemRandom, deliveryFaults: new FaultList<DeliveryFault>(systemRandom) };
  const requestFaults = new FaultList<RequestFault>(systemRandom);
  const shutdown = new AbortController();
  const log = new RequestLog();
  releaseKeys(database);
  seedDatabase(context, seed);

  const deliveries = new Deliveries(context, { timeoutMs: deliveryTimeoutMs, shutdown: shutdown.signal, onExchange });
  const scheduler = new Scheduler(clock, [dueRecords(context, dueWork), deliveries]);
  database.onCommit = () => scheduler.wake();

  const common = { context, shutdown: shutdown.signal };
  const app = createApp(
    { ...common, log, onExchange, faults: requestFaults, rateLimit: new RateLimit(rateLimit, clock) },
    createControl({ context, log, clock, scheduler, deliveries, requestFaults }),
  );
  const rehearsal = createRehearsal(common);
  const close = () => {
    scheduler.stop();
    shutdown.abort();
    database.close();
  };
  const server = await listen(getRequestListener(app.fetch), port).catch((error) => {
    close();
    throw error;
  });
  const rehearsals = await listen(getRequestListener(rehearsal.fetch));
  scheduler.wake();

  const token = (plan: Plan) => firstToken(database, workspaceOnPlan(database, plan));
  return {
    url: server.url,
    rehearsalUrl: rehearsals.url,
    tokens: { starter: token('starter'), growth: token('growth'), advanced: token('advanced') },
    stop: async () => {
      await Promise.all([server.stop(), rehearsals.stop()]);
      shutdown.abort();
      // Lets delayed requests end while the database is still open.
      await setImmediate();
      close();
    },
  };
};
