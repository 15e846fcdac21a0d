/** CONTRIBUTING.md adds a trigger and a search. A copy of the project gets its edits, and runs the checks that it names. */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../cli/environment';
import { copyWithTests, makeEdit, makeFolder, readEdits, runIn, runTestsIn } from './api/adapting/copy';
import { blocksOf } from './support/documents';
import { found } from './support/playground-client';

const page = readFileSync(join(project, 'CONTRIBUTING.md'), 'utf8');
const sectionOf = (heading: string): string => found(page, new RegExp(`\n## ${heading}\n([\\s\\S]*?)\n## `));
const codeOf = (section: string, language: string): string =>
  blocksOf(section).find(({ info }) => info === language)?.content ?? '';
const steps = ['Add a trigger in five minutes', 'Add an action or a search'].map(sectionOf);

const folder = makeFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(() => copyWithTests(folder));

const change = (file: string, edit: (text: string) => string): void => {
  const path = join(folder, file);
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
};

/** Copies the most similar step, and replaces everything from the first line of the page's code. */
const addFile = (section: string): void => {
  const [, from = '', to = ''] = /^cp (\S+) (\S+)$/m.exec(codeOf(section, 'sh')) ?? [];
  copyFileSync(join(folder, from), join(folder, to));
  const code = codeOf(section, 'ts');
  const [first = ''] = code.split('\n', 1);
  change(to, (text) => {
    expect({ first, times: text.split(first).length - 1 }).toEqual({ first, times: 1 });
    return text.slice(0, text.indexOf(first)) + code;
  });
};

const makeEdits = (isWanted: (file: string) => boolean): void => {
  for (const edit of steps.flatMap(readEdits)) if (isWanted(edit.file)) makeEdit(folder, edit);
};

const announce = (section: string): void => {
  const line = found(codeOf(section, 'md'), /^(- New .*\n)/m);
  change('CHANGELOG.md', (text) => text.replace('### Added\n\n', (heading) => heading + line));
};

const run = (...args: string[]) => runIn(folder, ...args);
const runTests = (...files: string[]) => runTestsIn(folder, ...files);

const writeDocs = `require('./scripts/docs/main').renderDocs().then((documents) => {
  for (const [path, text] of Object.entries(documents)) require('node:fs').writeFileSync(path, text);
});`;

const named = found(sectionOf('Check a new step'), /^npx jest (.*)$/m).split(' ');

test('the edits of CONTRIBUTING.md add a trigger and a search that compile and pass, and a test names a forgotten one', async () => {
  for (const section of steps) addFile(section);
  const unregistered = await runTests('test/app.test.ts');
  expect(unregistered).toContain('Register triggers/message-read.ts in triggers/index.ts.');
  expect(unregistered).toContain('Register searches/find-campaign-by-id.ts in searches/index.ts.');

  makeEdits((file) => file !== 'test/runs.ts');
  expect(await runTests('test/app.test.ts')).toBe('');
  expect(await runTests('test/docs.test.ts')).toContain('Add a run of searches.find_campaign_by_id to test/runs.ts.');
  const unannounced = await runTests('test/release.process.test.ts');
  for (const name of ['trigger/message_read', 'search/find_campaign_by_id'])
    expect(unannounced).toContain(`- New ${name}: …`);

  makeEdits((file) => file === 'test/runs.ts');
  for (const section of steps) announce(section);
  expect(await run('-e', writeDocs)).toBe('');
  expect(await run(join(project, 'node_modules/typescript/bin/tsc'), '--checkers', '1', '--incremental', 'false')).toBe(
    '',
  );
  expect(await runTests(...named)).toBe('');
});
