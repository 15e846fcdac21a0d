import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { project } from '../../cli/environment';

const preloaded = ['typescript.cjs', 'end-with-parent.cjs'].flatMap((file) => ['--require', join(__dirname, file)]);
const flags = ['--disable-warning=ExperimentalWarning', ...preloaded, join(project, 'playground/main.ts')];

/** Starts the playground in its own process. Without options it takes a free port and keeps nothing. */
export const startPlayground = async (options: readonly string[] = [], cwd = project) => {
  const { JEST_WORKER_ID: _, NODE_ENV: __, ...env } = process.env;
  const child = spawn(process.execPath, [...flags, '--port', '0', '--database', ':memory:', ...options], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('The process has no pipes.');
  let errors = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  let printed = '';
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (printed.includes('http')) break;
  }
  stdout.resume();
  const stop = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  const url = z.string().parse(printed.match(/http:\S+/)?.[0], { error: () => `It did not start: ${errors}` });
  return { url, stop, errors: () => errors };
};
