import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

test('a day of faults loses nothing, starts nothing twice, sends nothing twice and lets nothing forged in', async () => {
  // In a process of its own: core ends one that runs many steps in much memory, as that of a test runner has.
  const load = ['--inbound', '300', '--sends', '100'];
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'soak', '--', ...load], {
    cwd: resolve(__dirname, '..'),
  });
  for (const figure of ['lost', 'startedTwice', 'sentTwice', 'notSent', 'forgedLetIn']) {
    expect(stdout).toMatch(new RegExp(`'?${figure}'? +│ 0 `));
  }
  expect(stdout).toMatch(/deliveries'? +│ 300 /);
}, 60_000);
