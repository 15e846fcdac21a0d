/** The tests of the wire go on when a service calls its fields otherwise. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyWithTests, makeFolder, runTestsIn } from './adapting/copy';

const folder = makeFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const optional = /^( +)(\w+): (nullish\.\w+),$/gm;

test('no test of the wire breaks when every optional field of every record has another name', async () => {
  copyWithTests(folder);
  const file = join(folder, 'src/api/resources.ts');
  const text = readFileSync(file, 'utf8');
  expect([...text.matchAll(optional)].length).toBeGreaterThan(50);
  writeFileSync(
    file,
    text.replaceAll(
      optional,
      (_, indent, name, schema) => `${indent}${name}: wire.renamed('their_${name}', ${schema}),`,
    ),
  );
  const tests = ['decode', 'literal', 'delivery'].map((name) => `test/api/${name}.test.ts`);
  expect([...(await runTestsIn({ [folder]: tests })).values()]).toEqual(['', '', '']);
});
