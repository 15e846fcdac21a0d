/**
 * `npm test`: checks types and style while jest runs. They print only what is wrong, as soon as they know.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { stopOnSignal } from '../lab/cli/command';

// npm and jest start processes of their own, which end with their group. Windows has no groups.
const detached = process.platform !== 'win32';
const children: ChildProcess[] = [];

const end = ({ pid, exitCode }: ChildProcess): void => {
  if (pid && exitCode === null) process.kill(detached ? -pid : pid);
};

/** Runs an npm script. Prints what it printed when it fails, and returns whether it succeeded. */
const check = async (script: string): Promise<boolean> => {
  const child = spawn(`npm run --silent ${script} 2>&1`, {
    shell: true,
    detached,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) process.stderr.write(`\n${printed}\nnpm run ${script} failed.\n\n`);
  return code === 0;
};

const runTests = async (args: string[]): Promise<boolean> => {
  const child = spawn(process.execPath, [require.resolve('jest/bin/jest'), ...args], { detached, stdio: 'inherit' });
  children.push(child);
  const [code] = await once(child, 'exit');
  return code === 0;
};

const checks = ['typecheck', 'lint'];

/** What jest runs: what a person asks for, or all that it takes to trust a change (`test/jest.config.cjs`). */
const asked = process.argv.slice(2);
const jestArguments = asked.length > 0 ? asked : ['--selectProjects', 'unit', 'smoke'];

const main = async (): Promise<void> => {
  stopOnSignal(async () => {
    children.forEach(end);
    process.exit(1);
  });
  const [areTestsGood, ...results] = await Promise.all([runTests(jestArguments), ...checks.map(check)]);
  const failed = checks.filter((_, index) => !results[index]);
  for (const script of failed) process.stderr.write(`npm run ${script} failed. Its problems are above.\n`);
  if (!areTestsGood || failed.length > 0) process.exitCode = 1;
};

void main();
