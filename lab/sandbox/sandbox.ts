import type { RequestListener } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { Plan } from '../../src/api/resources';
import { LabClock } from '../zapier/clock';
import { listen } from '../zapier/listen';
import { dueWork } from './domain/due-work';
import { firstToken, workspaceOnPlan } from './domain/workspaces';
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
  /** The clock of the service. Others may do work by it. */
  clock: LabClock;
  /** Responds to a request at `url` without a connection. `env` holds the connection, if there is one. */
  respond(request: Request, env?: object): Promise<Response>;
  /** Stops the sandbox. Resolves when all its connections, timers and files are closed. */
  stop(): Promise<void>;
}

/** A server whose address is known before what responds there, since messages link to files there. */
interface Server {
  url: string;
  respond: (listener: RequestListener) => void;
  stop: () => Promise<void>;
}

/** Starts what responds at the address, once the server listens there. */
const openSandbox = async (
  { url, respond, stop }: Server,
  {
    database: location = ':memory:',
    seed = 1,
    speed = 1,
    rateLimit = 600,
    deliveryTimeoutMs = 10_000,
    onExchange = () => undefined,
  }: SandboxOptions,
): Promise<Sandbox> => {
  const database = new Database(location);
  const clock = new LabClock(Math.max(Date.now(), savedTime(database)), speed);
  database.beforeCommit = () => saveTime(database, clock);
  const deliveryFaults = new FaultList<DeliveryFault>(systemRandom);
  const context = { database, clock, random: systemRandom, deliveryFaults, url };
  const requestFaults = new FaultList<RequestFault>(systemRandom);
  const shutdown = new AbortController();
  const log = new RequestLog();
  releaseKeys(database);
  seedDatabase(context, seed);

  const deliveries = new Deliveries(context, { timeoutMs: deliveryTimeoutMs, shutdown: shutdown.signal, onExchange });
  const scheduler = new Scheduler(clock, [dueRecords(context, dueWork), deliveries]);
  database.onCommit = () => scheduler.wake();
  clock.catchUp = async (now) => {
    saveTime(database, clock);
    await scheduler.catchUp(now);
    await deliveries.settle(now);
  };

  const common = { context, shutdown: shutdown.signal };
  const app = createApp(
    { ...common, log, onExchange, faults: requestFaults, rateLimit: new RateLimit(rateLimit, clock) },
    createControl({ context, log, clock, scheduler, deliveries, requestFaults }),
  );
  const rehearsal = createRehearsal(common);
  const close = () => {
    clock.stop();
    scheduler.stop();
    shutdown.abort();
    database.close();
  };
  respond(getRequestListener(app.fetch));
  const rehearsals = await listen(getRequestListener(rehearsal.fetch));
  scheduler.wake();

  const token = (plan: Plan) => firstToken(database, workspaceOnPlan(database, plan));
  return {
    url,
    rehearsalUrl: rehearsals.url,
    clock,
    tokens: { starter: token('starter'), growth: token('growth'), advanced: token('advanced') },
    respond: async (request, env) => app.fetch(request, env),
    stop: async () => {
      await Promise.all([stop(), rehearsals.stop()]);
      shutdown.abort();
      // Lets delayed requests end while the database is still open.
      await setImmediate();
      close();
    },
  };
};

/** Starts the messaging service on a loopback address. Rejects when the port is in use. */
export const startSandbox = async (options: SandboxOptions = {}): Promise<Sandbox> => {
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = await listen((...exchange) => listener(...exchange), options.port ?? 0);
  const respond = (next: RequestListener) => {
    listener = next;
  };
  return openSandbox({ ...server, respond }, options).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
};
