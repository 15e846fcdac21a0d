/** The two commands of the README, as npm runs them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { eventually } from '../../../test/support/running';
import { project } from '../environment';

const folder = mkdtempSync(join(tmpdir(), 'npm-'));
const children: ChildProcess[] = [];

const parts = ['package.json', 'tsconfig.json', 'src', 'lab'];
const steps = ['triggers', 'creates', 'searches'];

// The `.env` of the project itself may be somebody's own.
beforeAll(() => {
  for (const part of [...parts, ...steps]) cpSync(join(project, part), join(folder, part), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
});

afterAll(() => {
  for (const pid of children.flatMap(({ pid }) => pid ?? [])) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // All of the group has ended.
    }
  }
  rmSync(folder, { recursive: true });
});

/** Runs npm in a process group of its own, until it prints an address. Returns the address too. */
const startNpm = async (...args: string[]) => {
  const child = spawn('npm', args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let printed = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    const [url] = /http:\/\/127\.0\.0\.1:\d+(?=\D)/.exec(printed) ?? [];
    if (url) return { child, url };
  }
  throw new Error(`npm ended: ${printed}`);
};

test.each([
  ['the sandbox and its .env', ['run', 'sandbox', '--', '--port', '0', '--env'], true],
  ['the playground', ['start', '--', '--port', '0', '--database', ':memory:'], false],
])('SIGTERM to npm ends %s', async (_what, args, hasEnv) => {
  const { child, url } = await startNpm(...args);
  expect((await fetch(url)).status).toBeLessThan(500);
  expect(existsSync(join(folder, '.env'))).toBe(hasEnv);
  child.stdout.resume();
  // Once nobody has the output any more, all of its processes have ended.
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
  await expect(fetch(url)).rejects.toThrow();
  expect(existsSync(join(folder, '.env'))).toBe(false);
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A program that never ends, and leaves a file with the number of its process. */
const endless = "require('node:fs').writeFileSync(process.pid + '.pid', ''); setInterval(() => undefined, 1000);";
const endlessTest = `test('ends never', () => { ${endless} return new Promise(() => undefined); }, 1e9);`;

const packageFile = z.object({ scripts: z.object({ test: z.string() }) });

test('SIGTERM to npm test ends the checks and the workers of jest', async () => {
  const cwd = join(folder, 'checks');
  mkdirSync(cwd);
  for (const part of ['scripts/test.ts', 'tsconfig.json', 'src', 'lab'])
    cpSync(join(project, part), join(cwd, part), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(cwd, 'node_modules'), 'junction');
  const { scripts } = packageFile.parse(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')));
  const checks = { typecheck: 'node endless.js', lint: 'node endless.js' };
  const files = {
    'package.json': JSON.stringify({ scripts: { ...checks, test: scripts.test }, jest: {} }),
    'endless.js': endless,
    'one.test.js': endlessTest,
    'two.test.js': endlessTest,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  const listStarted = () =>
    readdirSync(cwd).flatMap((name) => (name.endsWith('.pid') ? [Number.parseInt(name, 10)] : []));
  const child = spawn('npm', ['test', '--', '--maxWorkers', '2'], { cwd, detached: true, stdio: 'ignore' });
  children.push(child);
  await eventually(() => expect(listStarted()).toHaveLength(4));
  child.kill('SIGTERM');
  await eventually(() => expect(listStarted().filter(isRunning)).toEqual([]));
});
