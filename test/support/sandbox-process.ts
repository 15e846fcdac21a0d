import * as z from 'zod/mini';
import { project } from '../../lab/cli/environment';
import { startServer } from './processes';

/** The command that runs the sandbox, as `npm run sandbox` does. */
export const sandboxCommand = ['lab/sandbox/main.ts'];

/** Starts the sandbox of a project, or of a copy of it, in another process and on a free port. */
export const startSandboxIn = async (cwd: string, ...options: string[]) => {
  const server = await startServer([...sandboxCommand, '--port', '0', ...options], 'README', { cwd });
  const find = (pattern: RegExp) => z.string().parse(server.printed.match(pattern)?.[1]);
  return { ...server, url: find(/^BASE_URL=(\S+)/m), token: find(/^API_TOKEN=(\S+)/m) };
};

/** Starts the sandbox in another process and on a free port. */
export const startSandboxProcess = (...options: string[]) => startSandboxIn(project, ...options);
