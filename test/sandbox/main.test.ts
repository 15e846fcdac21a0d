import { once } from 'node:events';
import { runNode } from '../processes';
import { sandboxCommand, startProcess } from './process';
import { ask } from './running';
import { startSeeded } from './seeded';

const run = (...options: string[]) => runNode([...sandboxCommand, ...options]);

test('prints its address and tokens, and exits with 0 on SIGTERM', async () => {
  const { child, url, token } = await startProcess();
  const answer = await ask(`${url}/v1/workspace`, 'GET', undefined, { authorization: `Bearer ${token}` });
  expect(answer).toMatchObject({ status: 200, body: { plan: 'advanced' } });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('names a port that is in use and exits with 1', async () => {
  const sandbox = await startSeeded();
  const { port } = new URL(sandbox.url);
  const { out, err, code } = await run('--port', port).finally(sandbox.stop);
  expect({ out, err, code }).toEqual({
    out: '',
    err: `Port ${port} is in use. Choose another with --port, or 0 for a free one.\n`,
    code: 1,
  });
});

test('refuses a wrong option without a stack trace', async () => {
  const { err, code } = await run('--port', 'http');
  expect(err).toBe('--port takes a number from 0 to 65535, not "http".\n');
  expect(code).toBe(1);
});
