import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../../cli/environment';
import { planted, plantIn } from './planted';

const page = readFileSync(join(__dirname, 'README.md'), 'utf8');

test.each(planted)('the bug $id fits one place, changes it, and is in the list', (bug) => {
  const text = readFileSync(join(project, bug.file), 'utf8');
  expect(plantIn(text, bug)).not.toBe(text);
  expect(page).toContain(`| \`${bug.id}\` |`);
});

test('bugs have different names, and there are at least 40', () => {
  expect(new Set(planted.map(({ id }) => id)).size).toBe(planted.length);
  expect(planted.length).toBeGreaterThanOrEqual(40);
});
