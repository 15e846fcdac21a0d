import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { startSandbox } from '../../sandbox/sandbox';
import { spawnSandbox, startProcess } from './process';
import { ask } from './running';

/** The output and exit code of a process that ends by itself. */
const run = async (...options: string[]) => {
  const child = spawnSandbox(...options);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, code };
};

test.each(['SIGINT', 'SIGTERM'] as const)('prints its address and tokens and exits with 0 on %s', async (signal) => {
  const { child, url, token } = await startProcess();
  const answer = await ask(`${url}/v1/workspace`, 'GET', undefined, { authorization: `Bearer ${token}` });
  expect(answer).toMatchObject({ status: 200, body: { plan: 'advanced' } });
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('names a port that is in use and exits with 1', async () => {
  const sandbox = await startSandbox();
  const { port } = new URL(sandbox.url);
  const { out, err, code } = await run('--port', port).finally(sandbox.stop);
  expect({ out, err, code }).toEqual({
    out: '',
    err: `Port ${port} is in use. Choose another with --port, or 0 for a free one.\n`,
    code: 1,
  });
});

test.each([
  [['--port', 'http'], '--port takes a number from 0 to 65535, not "http".\n'],
  [['--sped', '10'], /--sped/],
])('refuses %j without a stack trace', async (options, message) => {
  const { err, code } = await run(...options);
  expect(err).toMatch(message);
  expect(err).not.toMatch(/\n +at /);
  expect(code).toBe(1);
});
