import type { DeliveryFault, FaultList } from '../faults';
import type { Database } from '../store/database';
import type { Clock } from './clock';
import type { Random } from './random';

/** The state that all parts of the sandbox share. */
export interface SandboxContext {
  database: Database;
  clock: Clock;
  random: Random;
  deliveryFaults: FaultList<DeliveryFault>;
}

/** The same context with the clock at `time`, so that work that runs late gets the time at which it was due. */
export const withClockAt = (context: SandboxContext, time: number): SandboxContext => ({
  ...context,
  clock: { now: () => time },
});
