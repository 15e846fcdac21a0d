import type { HttpBindings } from '@hono/node-server';
import type { ActivitySources } from '../activity';
import type { Chats } from '../chats';
import type { Clock } from '../clock';
import type { Live } from '../live';
import type { Simulation } from '../simulation';
import type { Connection } from '../zaps/connection';
import type { Editor } from '../zaps/editor';
import type { RpcStore } from '../zaps/rpc';
import type { Runner } from '../zaps/runner';
import type { Subscriptions } from '../zaps/subscriptions';

/** Everything that the page shows or changes. */
export interface Parts extends ActivitySources {
  live: Live;
  chats: Chats;
  clock: Clock;
  simulation: Simulation;
  connection: Connection;
  runner: Runner;
  editor: Editor;
  subscriptions: Subscriptions;
  rpc: RpcStore;
}

export type Env = { Bindings: HttpBindings };
