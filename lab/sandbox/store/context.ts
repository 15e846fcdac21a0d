import type { Clock } from '../../zapier/clock';
import type { DeliveryFault, FaultList } from '../engine/faults';
import type { Random } from '../engine/random';
import type { Database } from './database';

/** The state that all parts of the sandbox share. */
export interface SandboxContext {
  database: Database;
  clock: Pick<Clock, 'now'>;
  random: Random;
  deliveryFaults: FaultList<DeliveryFault>;
  /** Where the service responds, such as `http://127.0.0.1:4000`. */
  url: string;
}

/** The context of work in one workspace. */
export interface WorkspaceContext extends SandboxContext {
  workspaceId: string;
}

/** Returns the context for work in the workspace. Work that runs late gets the time `dueAt` at which it was due. */
export const inWorkspace = (context: SandboxContext, workspaceId: string, dueAt?: number): WorkspaceContext => ({
  ...context,
  workspaceId,
  clock: dueAt === undefined ? context.clock : { now: () => dueAt },
});
