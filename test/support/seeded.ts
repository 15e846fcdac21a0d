import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox';
import { deadlineMs } from './deadline';

/** Writes a database with the seed data into the folder, and returns its path. */
export const writeSeeded = (folder: string): string => {
  const database = join(folder, 'sandbox.db');
  copyFileSync(z.string().parse(process.env.SEEDED_DATABASE), database);
  return database;
};

/** How many times faster than real time the clock of a sandbox runs. */
export const sandboxSpeed = 100;

/** Starts a fast and patient sandbox without the third of a second that seeding takes. */
export const startSeeded = async (options: SandboxOptions = {}): Promise<Sandbox> => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const database = writeSeeded(folder);
  const defaults = { speed: sandboxSpeed, rateLimit: 100_000, deliveryTimeoutMs: deadlineMs };
  const sandbox = await startSandbox({ database, ...defaults, ...options });
  const stop = () => sandbox.stop().finally(() => rmSync(folder, { recursive: true, force: true }));
  return { ...sandbox, stop };
};
