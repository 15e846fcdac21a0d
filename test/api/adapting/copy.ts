import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { project } from '../../../cli/environment';

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

/** An example of `docs/adapting.md`: replaces whole lines of a file. */
export interface Edit {
  file: string;
  from: string;
  to: string;
}

/** Makes an edit in a copy. What it replaces must be there once. */
export const makeEdit = (copy: string, { file, from, to }: Edit): void => {
  const text = readFileSync(join(copy, file), 'utf8');
  expect({ file, from, times: text.split(from).length - 1 }).toEqual({ file, from, times: 1 });
  writeFileSync(
    join(copy, file),
    text.replace(from, () => to),
  );
};
