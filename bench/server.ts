import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';

const project = resolve(__dirname, '..');
const connections = 16;

/** The sandbox in a process of its own, so that what is measured is not the measuring. */
export interface Server {
  pid: number;
  url: string;
  token: string;
  stop: () => Promise<void>;
}

/** Starts it on a free port, with hardly any limit on requests, and further options of `npm run sandbox`. */
export const startServer = async (...further: string[]): Promise<Server> => {
  const node = ['--disable-warning=ExperimentalWarning', '--import', 'tsx', 'sandbox/main.ts'];
  const options = ['--port', '0', '--rate-limit', '1000000', ...further];
  const child = spawn(process.execPath, [...node, ...options], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.includes('README')) break;
  }
  const find = (pattern: RegExp) => z.string().parse(lines.join('\n').match(pattern)?.[1]);
  const stop = async (): Promise<void> => {
    child.kill();
    await once(child, 'exit');
  };
  return { pid: child.pid ?? 0, url: find(/API Base URL +(\S+)/), token: find(/Token, Advanced +(\S+)/), stop };
};

/** Resident memory of the process in MB. */
export const memoryOf = ({ pid }: Server): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / 1024;

/** Makes a call with the token and gives the JSON of the answer. Throws when it is refused. */
export const ask = async (
  { url, token }: Server,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  content?: object,
): Promise<unknown> => {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(content && { body: JSON.stringify(content) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  const text = await response.text();
  return text && JSON.parse(text);
};

/** Does the work `count` times over several connections at once, and gives how many times a second. */
export const repeat = async (count: number, work: (index: number) => Promise<unknown>): Promise<number> => {
  let next = 0;
  const began = performance.now();
  const connection = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return (count / (performance.now() - began)) * 1000;
};
