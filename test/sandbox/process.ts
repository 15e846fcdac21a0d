import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { eventually } from './running';

const project = resolve(__dirname, '../..');
const node = ['--disable-warning=ExperimentalWarning', '--import', 'tsx', 'sandbox/main.ts'];

/** Runs the sandbox in a process of its own, without another process in between, so that a signal reaches it. */
export const spawnSandbox = (...options: string[]): ChildProcessByStdio<null, Readable, Readable> =>
  spawn(process.execPath, [...node, ...options], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });

/** A sandbox that runs in a process of its own. */
export interface Started {
  child: ReturnType<typeof spawnSandbox>;
  url: string;
  token: string;
}

/** Starts the sandbox on a free port and waits until it says where it is. */
export const startProcess = async (...options: string[]): Promise<Started> => {
  const child = spawnSandbox('--port', '0', ...options);
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  await eventually(() => expect(printed).toContain('README'));
  const find = (pattern: RegExp) => z.string().parse(printed.match(pattern)?.[1]);
  return { child, url: find(/API Base URL +(\S+)/), token: find(/Token, Advanced +(\S+)/) };
};
