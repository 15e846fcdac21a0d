import { join } from 'node:path';
import { project } from '../lab/cli/environment';
import { runNode } from './support/processes';
import { seed } from './support/width';

test('the app keeps its promises in five simulated worlds', async () => {
  const main = join(project, 'test/simulation/main.ts');
  const { code, out } = await runNode([main, '--worlds', '5', '--seed', `${seed}`]);
  expect(out).toMatch(/^5 worlds: 250 operations, \d+ runs, \d+ requests, [1-9]\d* faults\.\n$/);
  expect(code).toBe(0);
});
