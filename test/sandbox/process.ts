import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';

const project = resolve(__dirname, '../..');
const node = ['--disable-warning=ExperimentalWarning', '--import', 'tsx', 'sandbox/main.ts'];

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Runs the sandbox in a process that gets signals directly and is killed after the test. */
export const spawnSandbox = (...options: string[]): ChildProcessByStdio<null, Readable, Readable> => {
  const child = spawn(process.execPath, [...node, ...options], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
};

/** A sandbox that runs in another process. */
export interface SandboxProcess {
  child: ReturnType<typeof spawnSandbox>;
  url: string;
  token: string;
}

/** Starts the sandbox on a free port. Rejects with its error output when it ends before it prints its address. */
export const startProcess = async (...options: string[]): Promise<SandboxProcess> => {
  const child = spawnSandbox('--port', '0', ...options);
  const errors = text(child.stderr);
  let printed = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (printed.includes('README')) break;
  }
  if (!printed.includes('README')) throw new Error(`The sandbox did not start: ${await errors}`);
  child.stdout.resume();
  const find = (pattern: RegExp) => z.string().parse(printed.match(pattern)?.[1]);
  return { child, url: find(/API Base URL +(\S+)/), token: find(/Token, Advanced +(\S+)/) };
};
