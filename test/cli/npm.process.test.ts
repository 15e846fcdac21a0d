/** The two commands of the README, as npm runs them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { project } from '../../cli/environment';

const folder = mkdtempSync(join(tmpdir(), 'npm-'));
const children: ChildProcess[] = [];

const parts = ['package.json', 'tsconfig.json', 'cli', 'src', 'sandbox', 'zapier', 'recipes', 'playground'];
const steps = ['triggers', 'creates', 'searches'];

// The `.env` of the project itself may be somebody's own.
beforeAll(() => {
  for (const part of [...parts, ...steps]) cpSync(join(project, part), join(folder, part), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
});

afterAll(() => {
  for (const { pid } of children) {
    try {
      if (pid) process.kill(-pid, 'SIGKILL');
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
  expect(await fetch(url)).toBeInstanceOf(Response);
  expect(existsSync(join(folder, '.env'))).toBe(hasEnv);
  child.stdout.resume();
  // Once nobody has the output any more, all of its processes have ended.
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
  await expect(fetch(url)).rejects.toThrow();
  expect(existsSync(join(folder, '.env'))).toBe(false);
});
