import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/mini';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../lab/sandbox/sandbox';
import { deadlineMs } from './deadline';

/** Writes a database with the seed data into the folder, and returns its path. */
export const writeSeeded = (folder: string): string => {
  const database = join(folder, 'sandbox.db');
  copyFileSync(z.string().parse(process.env.SEEDED_DATABASE), database);
  return database;
};

/** Gives the Advanced plan to the workspace on Growth, whose 20 contacts and their messages fit on one page. */
const swapPlans = (database: string): void => {
  const connection = new DatabaseSync(database);
  const other =
    "CASE document ->> 'plan' WHEN 'growth' THEN 'advanced' WHEN 'advanced' THEN 'growth' ELSE document ->> 'plan' END";
  connection.exec(`UPDATE records SET document = json_set(document, '$.plan', ${other}) WHERE kind = 'workspace'`);
  connection.close();
};

/** How many times faster than real time the clock of a sandbox runs. */
export const sandboxSpeed = 100;

/** How a sandbox of a test starts. */
export interface SeededOptions extends SandboxOptions {
  /** Whether the workspace of the Advanced token is a small one, of which a test reads everything many times. */
  isSmall?: boolean;
}

/** Starts a fast and patient sandbox without the third of a second that seeding takes. */
export const startSeeded = async ({ isSmall = false, ...options }: SeededOptions = {}): Promise<Sandbox> => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const database = writeSeeded(folder);
  if (isSmall) swapPlans(database);
  const defaults = { speed: sandboxSpeed, rateLimit: 100_000, deliveryTimeoutMs: deadlineMs };
  const sandbox = await startSandbox({ database, ...defaults, ...options });
  const stop = () => sandbox.stop().finally(() => rmSync(folder, { recursive: true, force: true }));
  return { ...sandbox, stop };
};
