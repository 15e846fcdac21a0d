import type { DeliveryFault, FaultList } from '../faults';
import type { Database } from '../store/database';
import type { Clock } from './clock';
import type { Random } from './random';

/** What every part of the sandbox works with. */
export interface Service {
  database: Database;
  clock: Clock;
  random: Random;
  deliveryFaults: FaultList<DeliveryFault>;
}

/** The service as it is at that moment: what was due then happens then, even when it is done later. */
export const at = (service: Service, time: number): Service => ({ ...service, clock: { now: () => time } });
