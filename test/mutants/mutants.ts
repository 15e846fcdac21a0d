/** The list of wrong changes, and the place of each in the app. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { project } from '../../lab/cli/environment';

/** A wrong change of one place of the app. */
export interface Mutant {
  name: string;
  /** The names of the test files that ought to stop it. */
  tests: readonly string[];
  before: string;
  after: string;
}

/** A mutant, with the file of the app that it changes and its test files, all from the folder of the project. */
export interface PlacedMutant extends Mutant {
  file: string;
  testFiles: readonly string[];
}

const readHunk = (hunk: string): Mutant => {
  const [head = '', ...lines] = hunk.split('\n');
  const [name = '', ...tests] = head.split(/,? /);
  const linesWith = (sign: string) =>
    lines.flatMap((each) => (each.startsWith(sign) ? [each.slice(1)] : [])).join('\n');
  return { name, tests, before: linesWith('-'), after: linesWith('+') };
};

/** Reads the mutants of a list in Markdown. */
export const readMutants = (markdown: string): Mutant[] => markdown.split('\n@@ ').slice(1).map(readHunk);

/** Returns the mutants of all lists in this folder. */
export const listMutants = (): Mutant[] =>
  globSync('*.md', { cwd: __dirname })
    .toSorted()
    .flatMap((file) => readMutants(readFileSync(join(__dirname, file), 'utf8')));

const readAll = (pattern: string): [file: string, text: string][] =>
  globSync(pattern, { cwd: project }).map((file) => [file, readFileSync(join(project, file), 'utf8')]);

/** Returns the files of the app with their texts. */
export const readApp = () => readAll('{src,creates,searches,triggers}/**/*.ts');

const listTests = (): string[] => globSync('test/**/*.test.ts', { cwd: project });

/** Finds a mutant's place and tests. Throws unless it fits one place, changes it, and names test files that exist. */
export const place = (mutant: Mutant, app = readApp(), tests = listTests()): PlacedMutant => {
  const { name, before, after } = mutant;
  const places = app.flatMap(([file, text]) =>
    text
      .split(before)
      .slice(1)
      .map(() => file),
  );
  const [file, other] = before === '' ? [] : places;
  if (file === undefined) throw new Error(`The mutant "${name}" fits no place of the app.`);
  if (other !== undefined) throw new Error(`The mutant "${name}" fits several places: ${file} and ${other}.`);
  if (before === after) throw new Error(`The mutant "${name}" changes nothing.`);
  const testFiles = mutant.tests.map((test) => {
    const found = tests.find((each) => basename(each) === `${test}.test.ts`);
    if (found === undefined) throw new Error(`The mutant "${name}" names the tests "${test}", which don't exist.`);
    return found;
  });
  return { ...mutant, file, testFiles };
};
