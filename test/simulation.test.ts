import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { project } from '../lab/cli/environment';
import app from '../src';
import { planted, plantIn } from './simulation/planted';
import { forms } from './simulation/stories';

test.each(planted)('the bug $id fits one place, changes it, and leaves code that can be built', (bug) => {
  const text = readFileSync(join(project, bug.file), 'utf8');
  const changed = plantIn(text, bug);
  expect(changed).not.toBe(text);
  expect(() => transformSync(changed, { loader: 'ts' })).not.toThrow();
});

test('bugs have different names', () => {
  expect(new Set(planted.map(({ id }) => id)).size).toBe(planted.length);
});

test('every action of the app has its stories', () => {
  const told = forms.map(({ step }) => step).filter((step) => step in app.creates);
  expect([...new Set(told)].toSorted()).toEqual(Object.keys(app.creates).toSorted());
});
