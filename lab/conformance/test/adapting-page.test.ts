/** The table of docs/adapting.md that says what to do about what conformance says. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../../cli/environment';

const page = readFileSync(join(project, 'docs/adapting.md'), 'utf8');
const [, table = ''] = /^\| The command says \| Do this \|\n\| --- \| --- \|\n((?:\|.*\n)+)/m.exec(page) ?? [];
const rows = [...table.matchAll(/^\| (.+?) \| /gm)].map(([, said = '']) => said);

/** Returns a text with `…` for each name, word, number and type of a value. */
const withoutNames = (text: string): string =>
  text
    .replaceAll('\\`', '`')
    .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}|`[\w.-]+`|\b[1-9]\d*\b|\b(?:a number|a list|an object|text)\b/g, '…')
    .replaceAll(/["`]?…["`]?|\bthe body(?= is)|"\w"/g, '…');

const sources = globSync('lab/conformance/{*.ts,checks/*.ts}', { cwd: project })
  .map((file) => withoutNames(readFileSync(join(project, file), 'utf8')))
  .join('\n');

test('every row has the words of conformance', () => {
  expect(rows.length).toBeGreaterThan(20);
  const told = rows.flatMap((row) => withoutNames(row).split(/; |, or | and /));
  expect(told.filter((part) => !sources.includes(part))).toEqual([]);
});
