import { join } from 'node:path';
import * as z from 'zod/mini';
import { endProcess, startServer } from '../../../test/support/processes';
import { project } from '../../cli/environment';

/** Starts the playground in its own process. Without options it takes a free port and keeps nothing. */
export const startPlayground = async (options: readonly string[] = [], cwd = project) => {
  const { JEST_WORKER_ID: _, NODE_ENV: __, ...env } = process.env;
  const args = [join(project, 'lab/playground/main.ts'), '--port', '0', '--database', ':memory:', ...options];
  const { child, printed, errors } = await startServer(args, 'http', { cwd, env });
  const url = z.string().parse(printed.match(/http:\S+/)?.[0]);
  return { url, stop: (signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL') => endProcess(child, signal), errors };
};
