import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const project = resolve(__dirname, '../..');

test('loses, repeats and forges nothing while a fifth of the requests fail', async () => {
  // Core ends a process that has run many steps and uses as much memory as a test runner.
  const node = ['--disable-warning=ExperimentalWarning', '--import', 'tsx', join(__dirname, 'soak.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, [...node, '--inbound', '150', '--sends', '50'], {
    cwd: project,
    timeout: 110_000,
    killSignal: 'SIGKILL',
  });
  for (const harm of ['lost', 'startedTwice', 'forgedLetIn', 'notSent', 'sentTwice']) {
    expect(stdout).toMatch(new RegExp(`${harm} +│ 0 `));
  }
}, 120_000);
