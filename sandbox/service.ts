import type { Clock } from './clock';
import type { Database } from './database';
import type { Random } from './random';

/** What every part of the sandbox works with. */
export interface Service {
  database: Database;
  clock: Clock;
  random: Random;
}
