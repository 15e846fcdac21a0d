import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import * as z from 'zod/mini';
import { startSandbox } from '../sandbox/sandbox';
import { Chats } from './chats';
import { Live } from './live';
import { Observer } from './observer';
import { createRoutes } from './routes';
import { connect } from './service';
import { Simulation } from './simulation';
import { Connection } from './zaps/connection';
import { RpcStore } from './zaps/rpc';
import { Runner } from './zaps/runner';
import type { StepResult } from './zaps/zap';
import { Zaps } from './zaps/zaps';

export interface PlaygroundOptions {
  /** 0 picks a free port. */
  port: number;
  /** A file path, or `:memory:`. */
  database: string;
}

export interface Playground {
  /** `http://127.0.0.1:PORT` */
  url: string;
  stop(): Promise<void>;
}

const pollMs = 2000;
const rateLimit = 6000;
const address = z.object({ port: z.number() });

/** Starts the service, a simulated Zapier and the page on loopback addresses. Rejects when the port is in use. */
export const startPlayground = async ({ port, database }: PlaygroundOptions): Promise<Playground> => {
  let app: ReturnType<typeof createRoutes> | undefined;
  const server = createServer(getRequestListener((request, env) => app?.fetch(request, env) ?? new Response(null)));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${address.parse(server.address()).port}`;

  const sandbox = await startSandbox({ database, rateLimit });
  const service = await connect(sandbox.url);
  const live = new Live();
  const chats = new Chats();
  const observer = new Observer(chats, live);
  const zaps = new Zaps();
  const connection = new Connection(service, sandbox.tokens);
  const notify = (result?: StepResult) => {
    chats.putOutput(result?.output);
    live.changed('runs', 'activity', 'phones');
  };
  const runner = new Runner({ zaps, connection, notify }, url);
  const simulation = new Simulation(service, live);
  app = createRoutes({ service, live, chats, observer, zaps, connection, runner, simulation, rpc: new RpcStore() });
  await chats.load(service);
  await observer.subscribe(service, `${url}/observer`);
  const polling = setInterval(() => void runner.pollAll(), pollMs);

  return {
    url,
    stop: async () => {
      clearInterval(polling);
      simulation.stop();
      live.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await sandbox.stop();
    },
  };
};
