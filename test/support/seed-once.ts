import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../lab/sandbox/sandbox';

/** Seeds one database before all tests, which the sandboxes of the tests copy. */
export default async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'seeded-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // A run that is stopped leaves nothing either.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  process.env.SEEDED_DATABASE = join(folder, 'sandbox.db');
  const sandbox = await startSandbox({ database: process.env.SEEDED_DATABASE });
  await sandbox.stop();
};
