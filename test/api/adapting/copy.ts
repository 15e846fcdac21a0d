import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { project } from '../../../cli/environment';
import { blocksOf } from '../../support/documents';
import { runNode } from '../../support/processes';

const copied = [
  'package.json',
  'src',
  'triggers',
  'creates',
  'searches',
  'sandbox',
  'playground',
  'zapier',
  'test/support/zapier.ts',
  'recipes',
  'conformance',
  'cli',
  'test/api/adapting/round.ts',
  'test/api/adapting/recorder.ts',
];

/** Returns a new folder for copies of the project. */
export const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'adapting-'));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
};

/** Copies the project into a folder. */
export const copyProject = (copy: string): void => {
  for (const part of copied) cpSync(join(project, part), join(copy, part), { recursive: true });
};

const left = new Set(['node_modules', '.git', 'build', 'dist', '.playground', '.env']);

/** Copies the whole project into a folder, with its tests and documents. */
export const copyWithTests = (copy: string): void => {
  for (const part of readdirSync(project).filter((name) => !left.has(name)))
    cpSync(join(project, part), join(copy, part), { recursive: true });
};

/** Runs a program in a copy. Returns what it printed if it failed. */
export const runIn = async (copy: string, ...args: string[]): Promise<string> => {
  const { JEST_WORKER_ID: _, NODE_ENV: __, ...env } = process.env;
  const { out, err, code } = await runNode(args, { cwd: copy, env });
  return code === 0 ? '' : out + err;
};

/** Runs tests of a copy. Returns what failed. */
export const runTestsIn = (copy: string, ...files: string[]): Promise<string> =>
  runIn(copy, join(project, 'node_modules/jest/bin/jest.js'), '--runInBand', '--rootDir', copy, ...files);

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

/** Reads the edits of a page: its blocks that begin with `--- ` and the path of a file. */
export const readEdits = (page: string): Edit[] =>
  blocksOf(page).flatMap(({ info, content }) => {
    const [, file = '', diff = ''] = /^--- (\S+)\n(.*)$/s.exec(info === 'diff' ? content : '') ?? [];
    return file ? [{ file, from: linesOf(diff, ' -'), to: linesOf(diff, ' +') }] : [];
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
