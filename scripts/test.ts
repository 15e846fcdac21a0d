/**
 * `npm test`: checks types and style while jest runs. They print only what is wrong, as soon as they know. The files that
 * start processes and browsers take turns, five days long, unless all of them run in CI.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { stopOnSignal } from '../cli/command';

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

/** Runs jest with these arguments. Returns whether all tests passed. */
const runTests = async (args: string[]): Promise<boolean> => {
  const child = spawn(process.execPath, [require.resolve('jest/bin/jest'), ...args], { detached, stdio: 'inherit' });
  children.push(child);
  const [code] = await once(child, 'exit');
  return code === 0;
};

const checks = ['typecheck', 'lint'];

/** Days until every file has run. Five and seven have no factor in common, so that a file draws other tests each time. */
const turns = 5;

/** What jest runs: what a person asks for, everything in CI, and else the files of the day. */
const jestArguments = (): string[] => {
  const asked = process.argv.slice(2);
  if (asked.length > 0 || process.env.CI) return asked;
  const turn = (Math.floor(Date.now() / 86_400_000) % turns) + 1;
  process.stderr.write(`Of the tests that start processes or a browser, a fifth runs today. CI=1 npm test runs all.\n`);
  return [`--shard=${turn}/${turns}`];
};

const main = async (): Promise<void> => {
  stopOnSignal(async () => {
    children.forEach(end);
    process.exit(1);
  });
  const [areTestsGood, ...results] = await Promise.all([runTests(jestArguments()), ...checks.map(check)]);
  const failed = checks.filter((_, index) => !results[index]);
  for (const script of failed) process.stderr.write(`npm run ${script} failed. Its problems are above.\n`);
  if (!areTestsGood || failed.length > 0) process.exitCode = 1;
};

void main();
