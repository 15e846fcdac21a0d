/** CONTRIBUTING.md adds a trigger and a search. A copy of the project gets its edits, and runs the checks that it names. */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../lab/cli/environment';
import { copyProject, makeEdit, makeFolder, readEdits, runIn, runTestsIn } from '../lab/conformance/test/adapting/copy';
import { found } from '../lab/playground/test/playground-client';
import { blocksOf } from './support/documents';

const page = readFileSync(join(project, 'CONTRIBUTING.md'), 'utf8');
const sectionOf = (heading: string): string => found(page, new RegExp(`\n## ${heading}\n([\\s\\S]*?)\n## `));
const codeOf = (section: string, language: string): string =>
  blocksOf(section).find(({ info }) => info === language)?.content ?? '';
const steps = ['Add a trigger in five minutes', 'Add an action or a search'].map(sectionOf);

/** A copy that has the new files alone, one that only forgets the runs and the changelog, and one that has every edit. */
const [added, forgetful, whole] = [makeFolder(), makeFolder(), makeFolder()];
const copies = [added, forgetful, whole];
afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});

const change = (copy: string, file: string, edit: (text: string) => string): void => {
  const path = join(copy, file);
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
};

/** Copies the most similar step, and replaces everything from the first line of the page's code. */
const addFile = (copy: string, section: string): void => {
  const [, from = '', to = ''] = /^cp (\S+) (\S+)$/m.exec(codeOf(section, 'sh')) ?? [];
  copyFileSync(join(copy, from), join(copy, to));
  const code = codeOf(section, 'ts');
  const [first = ''] = code.split('\n', 1);
  change(copy, to, (text) => {
    expect({ first, times: text.split(first).length - 1 }).toEqual({ first, times: 1 });
    return text.slice(0, text.indexOf(first)) + code;
  });
};

const makeEdits = (copy: string, isWanted: (file: string) => boolean): void => {
  for (const edit of steps.flatMap(readEdits)) if (isWanted(edit.file)) makeEdit(copy, edit);
};

const announce = (copy: string, section: string): void => {
  const line = found(codeOf(section, 'md'), /^(- New .*\n)/m);
  change(copy, 'CHANGELOG.md', (text) => text.replace('### Added\n\n', (heading) => heading + line));
};

const compiler = join(project, 'node_modules/typescript/bin/tsc');
const include = ['src', 'triggers', 'searches', 'test/runs.ts'];
const named = found(sectionOf('Check a new step'), /^npx jest (.*)$/m).split(' ');
const [app, docs, release] = ['test/definition.test.ts', 'test/documents.test.ts', 'test/release.process.test.ts'];
/** A test that runs every step, and lists them at its beginning. */
const fuzz = 'test/fuzz.test.ts';

let failures: Map<string, string>;
const failureOf = (copy: string, file: string): string => failures.get(join(copy, file)) ?? 'It did not run.';

beforeAll(async () => {
  for (const copy of copies) {
    copyProject(copy);
    for (const section of steps) addFile(copy, section);
  }
  makeEdits(forgetful, (file) => file !== 'test/runs.ts');
  makeEdits(whole, () => true);
  for (const section of steps) announce(whole, section);
  failures = await runTestsIn({ [added]: [app], [forgetful]: [app, fuzz, release], [whole]: named });
});

test('the edits of CONTRIBUTING.md add a trigger and a search that compile', async () => {
  writeFileSync(join(whole, 'edited.json'), JSON.stringify({ extends: './tsconfig.json', include }));
  expect(await runIn(whole, compiler, '-p', 'edited.json', '--checkers', '1', '--incremental', 'false')).toBe('');
});

test.each(named.filter((file) => file !== docs))('they pass %s, which the page names', (file) => {
  expect(failureOf(whole, file)).toBe('');
});

test('all that is left is to write the documents, which have the new steps', () => {
  const failed = [...failureOf(whole, docs).matchAll(/^ +● (.*)/gm)].map(([, name]) => name);
  expect([named.includes(docs), failed]).toEqual([
    true,
    ['pages › the generated documents are up to date (run `npm run docs`)'],
  ]);
  expect(failureOf(whole, docs)).toContain('expect(received).toBe(expected)');
});

test('a step that is not registered is named', () => {
  expect(failureOf(added, app)).toContain('Register triggers/message-read.ts in triggers/index.ts.');
  expect(failureOf(added, app)).toContain('Register searches/find-campaign-by-id.ts in searches/index.ts.');
  expect(failureOf(forgetful, app)).toBe('');
});

test('a step without a run, or without a line in the changelog, is named', () => {
  expect(failureOf(forgetful, fuzz)).toContain('Add a run of searches.find_campaign_by_id to test/runs.ts.');
  for (const name of ['trigger/message_read', 'search/find_campaign_by_id'])
    expect(failureOf(forgetful, release)).toContain(`- New ${name}: …`);
});
