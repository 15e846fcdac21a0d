import { rmSync } from 'node:fs';
import { copyContract, makeFolder } from '../lab/conformance/test/adapting/copy';
import { runNode } from './support/processes';
import { seed } from './support/width';

const folder = makeFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the app keeps its promises in five simulated worlds', async () => {
  const args = ['--worlds', '5', '--seed', `${seed}`];
  const { code, out } = await runNode(['test/simulation/main.ts', ...args], { cwd: copyContract(folder) });
  expect(out).toMatch(/^5 worlds: 250 operations, \d+ runs, \d+ requests, [1-9]\d* faults\.\n$/);
  expect(code).toBe(0);
});
