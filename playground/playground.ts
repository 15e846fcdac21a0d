import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { startSandbox } from '../sandbox/sandbox';
import { assemble, type Parts } from './assemble';
import { listen } from './listen';
import { requireWebhooks } from './require-webhooks';
import { createRoutes } from './routes/app';
import type { Env } from './routes/parts';
import { Store } from './store';

interface PlaygroundOptions {
  /** 0 picks a free port. */
  port: number;
  /** A file path, or `:memory:`. The Zaps and runs are in a file beside it, whose name ends in `.playground`. */
  database: string;
}

export interface Playground {
  /** `http://127.0.0.1:PORT` */
  url: string;
  stop(): Promise<void>;
}

const rateLimit = 6000;

/** Takes over what an earlier process left in the database: chats, subscriptions, and runs that wait. */
const restore = async ({ service, chats, observer, subscriptions, runner }: Parts): Promise<void> => {
  await chats.load(service);
  await observer.subscribe();
  await subscriptions.restore(new Set((await service.listWebhooks()).map(({ id }) => id)));
  runner.paused.restore();
  await runner.paused.releaseHeld();
};

/** Starts the service, a simulated Zapier and the page on loopback addresses. Rejects when the port is in use, or without webhooks. */
export const startPlayground = async ({ port, database }: PlaygroundOptions): Promise<Playground> => {
  requireWebhooks();
  const started: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end();
  };
  try {
    const sandbox = await startSandbox({ database, rateLimit });
    started.push(sandbox.stop);
    const store = new Store(database === ':memory:' ? database : `${database}.playground`);
    started.push(() => store.close());
    // The service retries a delivery that gets a 503.
    let routes: Hono<Env> = new Hono<Env>().all('*', (c) => c.text('The playground is starting.', 503));
    const respond = getRequestListener((request, env) => routes.fetch(request, env));
    const server = await listen(respond, port);
    started.push(server.stop);
    const parts = await assemble({ address: server.url, sandbox, store });
    started.push(() => parts.stop());
    routes = createRoutes(parts);
    await restore(parts);
    return { url: server.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
