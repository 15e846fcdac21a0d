import type { Database } from '../store/database';
import { type Clock, minute } from './clock';
import type { Job } from './scheduler';

/** Returns the time that the database last saved. A restarted sandbox continues from it, so its clock never goes back. */
export const savedTime = (database: Database): number =>
  database.number("SELECT value FROM settings WHERE name = 'time'") ?? 0;

/** Saves the time every minute of the sandbox's clock. */
export const timekeeping = (database: Database, clock: Clock): Job => ({
  nextDue: () => savedTime(database) + minute,
  run: () => {
    database.run("INSERT OR REPLACE INTO settings (name, value) VALUES ('time', ?)", clock.now());
  },
});
