import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../../cli/environment';
import { planted, plantIn } from './planted';

test.each(planted)('the bug $id fits one place and changes it', (bug) => {
  const text = readFileSync(join(project, bug.file), 'utf8');
  expect(plantIn(text, bug)).not.toBe(text);
});

test('bugs have different names, and there are at least 40', () => {
  expect(new Set(planted.map(({ id }) => id)).size).toBe(planted.length);
  expect(planted.length).toBeGreaterThanOrEqual(40);
});
