import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { contract } from '../../../../src/api/presets';
import { blocksOf } from '../../../../test/support/documents';
import { printedBy } from '../../../../test/support/printed';
import { runNode } from '../../../../test/support/processes';
import { project } from '../../../cli/environment';
import { readJson } from '../../json';

interface JestConfig {
  testTimeout: number;
  projects: { globalSetup: string }[];
}

/** Returns a new folder for copies of the project. */
export const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'adapting-'));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
};

/**
 * Runs conformance of a project in this process, with variables of the environment. Returns what it printed, and its exit
 * code. A copy that was edited since it ran needs a new folder, because its modules are loaded once.
 */
export const runConformance = async (
  folder: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
) => {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    const { conformance }: typeof import('../../main') = require(join(folder, 'lab/conformance/main'));
    return await printedBy(() => conformance([...args]));
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
    Object.assign(process.env, before);
  }
};

const left = new Set(['node_modules', '.git', 'build', 'dist', '.playground', '.env']);

/** Copies the project into a folder, with its tests and documents. */
export const copyProject = (copy: string): void => {
  for (const part of readdirSync(project).filter((name) => !left.has(name)))
    cpSync(join(project, part), join(copy, part), { recursive: true });
};

/** Returns a copy of the project in a folder, with a service that is as the contract says, whatever this project's is. */
export const copyContract = (folder: string): string => {
  const copy = join(folder, 'contract');
  copyProject(copy);
  // Where a build looks for licenses.
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const isWhole = 'keepsIdempotencyKeys = true, missing = { calls: [], events: [], filters: [], fields: [] }';
  writeFileSync(
    join(copy, 'src/api/service.ts'),
    `import { contract } from './presets';
export const { ${Object.keys(contract).join(', ')} } = contract;
export const ${isWhole};
`,
  );
  const file = join(copy, 'src/api/connection.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<=connectionFields = )\{.*?\}(?= satisfies)/s, '{}'));
  return copy;
};

/** The environment of a process that isn't a test. */
const withoutJest = (): NodeJS.ProcessEnv => {
  const { JEST_WORKER_ID: _, NODE_ENV: __, ...env } = process.env;
  return env;
};

/** Runs a program in a copy. Returns what it printed if it failed. */
export const runIn = async (copy: string, ...args: string[]): Promise<string> => {
  const { out, err, code } = await runNode(args, { cwd: copy, env: withoutJest() });
  return code === 0 ? '' : out + err;
};

/** The tests of this project, which begin with a database of the outer tests. */
const { testTimeout, projects }: JestConfig = require('../../../../test/jest.config.cjs');

const report = z.object({ testResults: z.array(z.object({ name: z.string(), message: z.string() })) });

/**
 * Runs tests of copies by one start of jest, which takes longer than most tests. Returns what failed in each, by the path
 * of the file in its copy: nothing where all passed.
 */
export const runTestsIn = async (wanted: Readonly<Record<string, readonly string[]>>): Promise<Map<string, string>> => {
  const copies = Object.keys(wanted);
  const [config = ''] = copies.map((copy) => join(copy, 'copies.jest.config.json'));
  const rooted = copies.flatMap((rootDir) => projects.map(({ globalSetup, ...each }) => ({ ...each, rootDir })));
  writeFileSync(config, JSON.stringify({ testTimeout, projects: rooted }));
  const paths = Object.entries(wanted).flatMap(([copy, files]) => files.map((file) => join(copy, file)));
  const jest = join(project, 'node_modules/jest/bin/jest.js');
  const args = ['--runInBand', '--json', '--config', config, '--runTestsByPath', ...paths];
  const { out, err } = await runNode([jest, ...args], { env: withoutJest() });
  const { data } = report.safeParse(readJson(out));
  if (!data) throw new Error(`Jest didn't run:\n${err}`);
  expect(data.testResults.map(({ name }) => name).toSorted()).toEqual(paths.toSorted());
  return new Map(data.testResults.map(({ name, message }) => [name, message]));
};

/** An edit that a page describes: replaces whole lines of a file. */
export interface Edit {
  file: string;
  from: string;
  to: string;
}

const linesOf = (diff: string, marks: string): string =>
  diff
    .split('\n')
    .filter((line) => line !== '' && marks.includes(line.charAt(0)))
    .map((line) => `${line.slice(1)}\n`)
    .join('');

/** Reads the edits of a page: its blocks that begin with `--- ` and the path of a file, with `@@` between edits. */
export const readEdits = (page: string): Edit[] =>
  blocksOf(page).flatMap(({ info, content }) => {
    const [, file = '', diff = ''] = /^--- (\S+)\n(.*)$/s.exec(info === 'diff' ? content : '') ?? [];
    const hunks = file ? diff.split('@@\n') : [];
    return hunks.map((hunk) => ({ file, from: linesOf(hunk, ' -'), to: linesOf(hunk, ' +') }));
  });

/** Makes an edit in a copy. What it replaces must be there once. */
export const makeEdit = (copy: string, { file, from, to }: Edit): void => {
  const text = readFileSync(join(copy, file), 'utf8');
  expect({ file, from, times: text.split(from).length - 1 }).toEqual({ file, from, times: 1 });
  writeFileSync(
    join(copy, file),
    text.replace(from, () => to),
  );
};
