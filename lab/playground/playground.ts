import { rmSync } from 'node:fs';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { errorMessage } from '../cli/errors';
import { requireWebhooks } from '../cli/require-webhooks';
import { startSandbox } from '../sandbox/sandbox';
import { listen } from '../zapier/listen';
import { createRoutes } from './routes/app';
import type { Env } from './routes/parts';
import { assemble, type Parts } from './service/assemble';
import { Store } from './service/store';

interface PlaygroundOptions {
  /** 0 picks a free port. */
  port: number;
  /** A file path, or `:memory:`. The Zaps and runs are in a file beside it, whose name ends in `.playground`. */
  database: string;
}

export interface Playground {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** The address of the service. */
  serviceUrl(): string | undefined;
  /** Responds to a request of the page without a connection. */
  respond(request: Request): Promise<Response>;
  stop(): Promise<void>;
}

const rateLimit = 6000;
const inMemory = ':memory:';

const zapsFile = (database: string): string => (database === inMemory ? database : `${database}.playground`);

/** Removes what the playground keeps, with the files that SQLite has beside each database. */
const removeFiles = (database: string): void => {
  if (database === inMemory) return;
  for (const file of [database, zapsFile(database)]) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  }
};

/** Takes over what an earlier process left in the database: chats, subscriptions, and runs that wait. */
const takeOver = async ({ service, chats, observer, restore }: Parts): Promise<void> => {
  await chats.load(service);
  await observer.subscribe();
  await restore(new Set((await service.listWebhooks()).map(({ id }) => id)));
};

const startService = (database: string) =>
  startSandbox({ database, rateLimit }).catch((error: unknown) => {
    throw new Error(`${errorMessage(error)} Move the file away, or name another with --database.`);
  });

interface Opened {
  parts: Parts;
  stop(): Promise<void>;
}

/** Starts the service and everything on it, with what the database has. */
const open = async (database: string, address: string, startOver: () => Promise<void>): Promise<Opened> => {
  const started: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end();
  };
  try {
    const sandbox = await startService(database);
    started.push(sandbox.stop);
    const store = new Store(zapsFile(database));
    started.push(() => store.close());
    const parts = await assemble({ address, sandbox, store, startOver });
    started.push(() => parts.stop());
    return { parts, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

// The service retries a delivery that gets a 503.
const starting = new Hono<Env>().all('*', (c) => c.text('The playground is starting.', 503));

/** Starts the service, a simulated Zapier and the page on loopback addresses. Rejects when the port is in use, or without webhooks. */
export const startPlayground = async ({ port, database }: PlaygroundOptions): Promise<Playground> => {
  requireWebhooks();
  let routes: Hono<Env> = starting;
  let opened: Opened | undefined;
  const reading = new Set<Promise<Response>>();
  const respond = (request: Request, env?: object): Promise<Response> => {
    const response = Promise.resolve(routes.fetch(request, env));
    if (request.method !== 'GET') return response;
    reading.add(response);
    return response.finally(() => reading.delete(response));
  };
  const server = await listen(
    getRequestListener((request, env) => respond(request, env)),
    port,
  );

  const begin = async (): Promise<void> => {
    opened = await open(database, server.url, startOver);
    routes = createRoutes(opened.parts);
    await takeOver(opened.parts);
  };

  const replace = async (before: Opened): Promise<void> => {
    // Another tab may be reading from the service.
    await Promise.allSettled([...reading]);
    await before.stop();
    removeFiles(database);
    await begin();
    before.parts.live.end();
  };

  let startingOver: Promise<void> | undefined;
  const startOver = (): Promise<void> => {
    if (startingOver || !opened) return startingOver ?? Promise.resolve();
    const done = replace(opened).finally(() => {
      startingOver = undefined;
    });
    startingOver = done;
    // What is asked for meanwhile waits for the new routes. A part of an open page may be of a Zap that's gone.
    routes = new Hono<Env>().all('*', async (c) => {
      await done;
      return c.req.header('hx-request') ? c.body(null, 204) : routes.fetch(c.req.raw, c.env);
    });
    return done;
  };

  const stop = async (): Promise<void> => {
    await opened?.stop();
    await server.stop();
  };

  try {
    await begin();
    return {
      url: server.url,
      serviceUrl: () => opened?.parts.service.url,
      respond: (request) => respond(request),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
