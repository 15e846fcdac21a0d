import { getRequestListener } from '@hono/node-server';
import { startSandbox } from '../sandbox/sandbox';
import { Chats } from './chats';
import { Clock } from './clock';
import { listen } from './listen';
import { Live } from './live';
import { Observer } from './observer';
import { requireWebhooks } from './require-webhooks';
import { createRoutes } from './routes/app';
import type { Parts } from './routes/parts';
import { connect } from './service';
import { Simulation } from './simulation';
import { Store } from './store';
import { Connection } from './zaps/connection';
import { Editor } from './zaps/editor';
import { HookReceiver } from './zaps/hook-receiver';
import { Polling } from './zaps/polling';
import { RpcStore } from './zaps/rpc';
import type { StepResult } from './zaps/run';
import { Runner } from './zaps/runner';
import { Subscriptions } from './zaps/subscriptions';
import { Zaps } from './zaps/zaps';

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

/** Serves 503 until there are routes, so that a delivery that comes too early is sent again. */
const listenEarly = async (port: number) => {
  let app: ReturnType<typeof createRoutes> | undefined;
  const starting = () => new Response('The playground is starting.', { status: 503 });
  const server = await listen(
    getRequestListener((request, env) => app?.fetch(request, env) ?? starting()),
    port,
  );
  const serve = (routes: typeof app) => {
    app = routes;
  };
  return { ...server, serve };
};

interface Setting {
  address: string;
  sandbox: Awaited<ReturnType<typeof startSandbox>>;
  store: Store;
}

/** Puts the parts of the playground together. */
const assemble = async ({ address, sandbox, store }: Setting): Promise<Parts & { stop: () => void }> => {
  const service = await connect(sandbox.url);
  const clock = await Clock.read(service);
  const live = new Live();
  const chats = new Chats();
  const zaps = new Zaps(store, clock);
  const connection = new Connection(service, sandbox.tokens);
  const notify = (result?: StepResult) => {
    chats.putOutput(result?.output);
    live.changed('runs', 'activity', 'phones');
  };
  const common = { zaps, connection, clock, notify, address };
  const runner = new Runner(common);
  const polling = new Polling({ ...common, runner });
  const simulation = new Simulation({ service, clock, live });
  return {
    service,
    clock,
    live,
    chats,
    zaps,
    connection,
    runner,
    simulation,
    observer: new Observer({ service, clock, chats, live }, address),
    hooks: new HookReceiver({ ...common, runner }),
    editor: new Editor({ ...common, runner }),
    subscriptions: new Subscriptions({ ...common, runner, polling, service }),
    rpc: new RpcStore(store),
    stop: () => {
      for (const each of [polling, simulation, clock, live]) each.stop();
    },
  };
};

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
    const server = await listenEarly(port);
    started.push(server.stop);
    const parts = await assemble({ address: server.url, sandbox, store });
    started.push(() => parts.stop());
    server.serve(createRoutes(parts));
    await restore(parts);
    return { url: server.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
