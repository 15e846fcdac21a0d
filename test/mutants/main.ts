/** `npm run mutants` makes one wrong change of the app after another, and prints which test stops it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { styleText } from 'node:util';
import { type Command, parseFlags, readNumberFlag, runCommand } from '../../lab/cli/command';
import { project } from '../../lab/cli/environment';
import { errorMessage, UsageError } from '../../lab/cli/errors';
import { listMutants, type PlacedMutant, place } from './mutants';

const command = {
  name: 'npm run mutants',
  summary:
    'Makes one wrong change of the app after another, and prints which test stops it. Ends with 1 if the tests stop too few of them, or if a change fits no place or several.',
  options: {
    only: {
      type: 'string',
      value: 'TEXT',
      default: '',
      help: 'Makes only the changes with this text, or one of several texts, in their names.',
    },
    targeted: { type: 'boolean', default: false, help: 'Runs only the test files that each change names.' },
    wanted: { type: 'string', value: 'PERCENT', default: '95', help: 'How many the tests must stop.' },
  },
  examples: ['npm run mutants', 'npm run mutants -- --only key,token --targeted'],
} as const satisfies Command;

/** What `jest --json` prints, as far as it's read. */
interface Results {
  success: boolean;
  testResults: {
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

/** The longest that tests take with a mutant, in milliseconds. Some mutants never end. */
const maxMs = 10 * 60_000;

type Change = Pick<PlacedMutant, 'name' | 'file' | 'before' | 'after'>;

/** Runs test files, or all without processes, with a mutant. Returns the name of a test that stops it. */
const findStop = async ({ name, file, before, after }: Change, testFiles: readonly string[]) => {
  // Two mutants at a time have the cores, so a few files need no workers.
  const inBand = testFiles.length < 5 ? ['--runInBand'] : [];
  const files = testFiles.length > 0 ? [...inBand, '--runTestsByPath', ...testFiles] : [];
  const args = [require.resolve('jest/bin/jest'), '--config', 'test/mutants/jest.config.cjs', '--json'];
  const child = spawn(process.execPath, [...args, ...files], {
    cwd: project,
    env: { ...process.env, MUTANT: JSON.stringify({ file, before, after }) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: maxMs,
    killSignal: 'SIGKILL',
  });
  const [printed, errors, [, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  if (signal) return 'The tests never end.';
  if (!printed.startsWith('{')) throw new Error(`The tests don't run with the mutant "${name}": ${errors}`);
  const { success, testResults }: Results = JSON.parse(printed);
  if (success) return undefined;
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter((each) => each.status === 'failed'),
  );
  return (
    failed[0]?.fullName ??
    testResults
      .find(({ status }) => status === 'failed')
      ?.message.trim()
      .split('\n')[0]
  );
};

/** Throws an error when a test is red without a mutant, because it would seem to stop every one. */
const requireGreen = async (mutants: readonly PlacedMutant[]): Promise<void> => {
  const testFiles = [...new Set(mutants.flatMap((mutant) => mutant.testFiles))];
  const red = await findStop({ name: 'none', file: '', before: '', after: '' }, testFiles);
  if (red) throw new UsageError(`This test is red without a mutant, so first make it green: ${red}`);
};

const workers = 2;

/** Runs the named tests of each mutant, two mutants at a time, and prints which one stops it. Returns the survivors. */
const runTargeted = async (mutants: readonly PlacedMutant[]): Promise<PlacedMutant[]> => {
  const queue = mutants.values();
  const survivors: PlacedMutant[] = [];
  const takeTurns = async (): Promise<void> => {
    for (const mutant of queue) {
      const stop = await findStop(mutant, mutant.testFiles);
      if (!stop) survivors.push(mutant);
      console.log(`${mutant.name}: ${stop ?? styleText('yellow', 'not stopped by the tests that it names')}`);
    }
  };
  await Promise.all(Array.from({ length: workers }, takeTurns));
  return survivors;
};

const placeAll = (only: string) => {
  const names = only.split(',');
  const placed: PlacedMutant[] = [];
  const problems: string[] = [];
  for (const mutant of listMutants().filter(({ name }) => names.some((each) => name.includes(each)))) {
    try {
      placed.push(place(mutant));
    } catch (error) {
      problems.push(errorMessage(error));
    }
  }
  return { placed, problems };
};

const run = async (args: string[]): Promise<number> => {
  const { only, targeted, wanted } = parseFlags(command, args);
  const percent = readNumberFlag('wanted', wanted, { min: 0, max: 100 });
  const { placed, problems } = placeAll(only);
  await requireGreen(placed);
  const survivors = await runTargeted(placed);
  const alive: PlacedMutant[] = [];
  for (const mutant of targeted ? [] : survivors) {
    const stop = await findStop(mutant, []);
    if (!stop) alive.push(mutant);
    console.log(`${mutant.name}: ${stop ?? styleText('red', 'nothing stops it')}`);
  }
  for (const problem of problems) console.error(styleText('red', problem));
  const left = targeted ? survivors : alive;
  console.log(`\n${placed.length - survivors.length} of ${placed.length} are stopped by the tests that they name.`);
  console.log(
    `${placed.length - left.length} are stopped in all. Not stopped: ${left.map(({ name }) => name).join(', ') || 'none'}.`,
  );
  const isEnough = placed.length - left.length >= (placed.length * percent) / 100;
  return isEnough && problems.length === 0 && placed.length > 0 ? 0 : 1;
};

void runCommand(command, run);
