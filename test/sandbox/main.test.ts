import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { runNode, startNode } from '../processes';
import { sandboxCommand, startProcess } from './process';
import { ask, newNumber } from './running';
import { startSeeded } from './seeded';

const run = (...options: string[]) => runNode([...sandboxCommand, ...options]);

test('prints its address and tokens, and exits with 0 on Ctrl-C', async () => {
  const { child, url, token } = await startProcess();
  const answer = await ask(`${url}/v1/workspace`, 'GET', undefined, { authorization: `Bearer ${token}` });
  expect(answer).toMatchObject({ status: 200, body: { plan: 'advanced' } });
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('prints a line for each request and each webhook delivery', async () => {
  const { child, url, token } = await startProcess();
  let printed = '';
  child.stdout?.on('data', (text) => {
    printed += text;
  });
  // The sandbox delivers to itself, which has nothing at this path.
  const webhook = { url: `${url}/receiver`, events: ['message.received'] };
  await ask(`${url}/v1/webhooks`, 'POST', webhook, { authorization: `Bearer ${token}` });
  await ask(`${url}/sandbox/messages`, 'POST', { from: newNumber(), text: 'Hello' });
  await ask(`${url}/sandbox/clock`, 'POST', { advance_seconds: 0 });
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(printed).toMatch(/^\d\d:\d\d:\d\d {2}request {3}POST +201 +\d+ ms {2}\/v1\/webhooks$/m);
  expect(printed).toMatch(/^\d\d:\d\d:\d\d {2}webhook {3}POST +404 +\d+ ms {2}http:\/\/127\.0\.0\.1:\d+\/receiver$/m);
});

test('exits quietly when nobody reads its output any longer', async () => {
  const { child, stdout, stderr } = startNode([...sandboxCommand, '--port', '0']);
  stdout.destroy();
  const [err, [code]] = await Promise.all([text(stderr), once(child, 'exit')]);
  expect({ err, code }).toEqual({ err: '', code: 0 });
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

test('explains a wrong option in one sentence and exits with 2', async () => {
  const { out, err, code } = await run('--port', 'http');
  expect({ out, err, code }).toEqual({
    out: '',
    err: '--port takes a port from 0 to 65535, not "http".\nFor help, run: npm run sandbox -- --help\n',
    code: 2,
  });
});

test('prints its help and exits with 0', async () => {
  const { out, code } = await run('--help');
  expect(out).toContain('  --port PORT               0 picks a free port. Default: 4010.\n');
  expect(code).toBe(0);
});
