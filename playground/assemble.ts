import type { Sandbox } from '../sandbox/sandbox';
import { Chats } from './chats';
import { Clock } from './clock';
import { Live } from './live';
import { Observer } from './observer';
import { connect } from './service';
import { Simulation } from './simulation';
import type { Store } from './store';
import { Connection } from './zaps/connection';
import { Editor } from './zaps/editor';
import { HookReceiver } from './zaps/hook-receiver';
import { Polling } from './zaps/polling';
import { RpcStore } from './zaps/rpc';
import type { StepResult } from './zaps/run';
import { Runner } from './zaps/runner';
import { Subscriptions } from './zaps/subscriptions';
import { Zaps } from './zaps/zaps';

interface Setting {
  /** The address of the playground, whose routes receive deliveries and callbacks. */
  address: string;
  sandbox: Sandbox;
  store: Store;
}

/** Puts the parts of the playground together: the service, the simulated Zapier and what the page shows. */
export const assemble = async ({ address, sandbox, store }: Setting) => {
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

/** Everything that the page shows or changes. */
export type Parts = Awaited<ReturnType<typeof assemble>>;
