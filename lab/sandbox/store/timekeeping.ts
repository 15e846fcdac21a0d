import type { Clock } from '../../zapier/clock';
import type { Database } from './database';

/** Returns the saved time, or 0. A restarted sandbox continues from it, so that its clock never goes back. */
export const savedTime = (database: Database): number =>
  database.number("SELECT value FROM settings WHERE name = 'time'") ?? 0;

/** Saves the time. Every commit does. */
export const saveTime = (database: Database, clock: Pick<Clock, 'now'>): void => {
  database.run("INSERT OR REPLACE INTO settings (name, value) VALUES ('time', ?)", clock.now());
};
