import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { project } from '../../cli/environment';
import { startNode } from './processes';

/** The command that runs the sandbox, as `npm run sandbox` does. */
export const sandboxCommand = ['sandbox/main.ts'];

/** A sandbox that runs in another process. */
export interface SandboxProcess {
  child: ReturnType<typeof startNode>['child'];
  url: string;
  token: string;
  /** Resolves with what it printed as errors when it ends. */
  errors: Promise<string>;
}

/**
 * Starts the sandbox of a project, or of a copy of it, on a free port. Rejects with its error output when it ends before
 * it prints its address.
 */
export const startProcessIn = async (cwd: string, ...options: string[]): Promise<SandboxProcess> => {
  const { child, stdout, stderr } = startNode([...sandboxCommand, '--port', '0', ...options], { cwd });
  const errors = text(stderr);
  let printed = '';
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (printed.includes('README')) break;
  }
  if (!printed.includes('README')) throw new Error(`The sandbox did not start: ${await errors}`);
  stdout.resume();
  const find = (pattern: RegExp) => z.string().parse(printed.match(pattern)?.[1]);
  return { child, url: find(/^BASE_URL=(\S+)/m), token: find(/^API_TOKEN=(\S+)/m), errors };
};

/** Starts the sandbox on a free port. Rejects with its error output when it ends before it prints its address. */
export const startProcess = (...options: string[]): Promise<SandboxProcess> => startProcessIn(project, ...options);
