import * as z from 'zod/mini';
import type { Database } from '../store/database';
import type { Clock } from './clock';
import type { Job } from './scheduler';

const row = z.object({ value: z.number() });

/** The latest time noted in the database, so that after a restart a clock that ran ahead does not go back. */
export const notedTime = (database: Database): number =>
  database.first(row, "SELECT value FROM settings WHERE name = 'time'")?.value ?? 0;

/** Notes the time once a minute by the clock, and when the clock is put forward. */
export const timekeeping = (database: Database, clock: Clock): Job => ({
  nextDue: () => notedTime(database) + 60_000,
  run: () => {
    database.run("INSERT OR REPLACE INTO settings (name, value) VALUES ('time', ?)", clock.now());
  },
});
