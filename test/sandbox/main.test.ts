import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runNode, startNode } from '../processes';
import { sandboxCommand, startProcess } from './process';
import { ask, newNumber, requestFrom } from './running';
import { startSeeded, writeSeeded } from './seeded';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** A database that needs no seeding. */
const seeded = () => ['--database', writeSeeded(folder)];

const run = (...options: string[]) => runNode([...sandboxCommand, ...options]);

test('prints its address and tokens, then a line for each request and webhook delivery, until Ctrl-C', async () => {
  const { child, url, token } = await startProcess(...seeded());
  let printed = '';
  child.stdout?.on('data', (text) => {
    printed += text;
  });
  // The sandbox delivers to itself, which has nothing at this path.
  const body = { url: `${url}/receiver`, events: ['message.received'] };
  await requestFrom({ url, token }, 'createWebhook', { body });
  await ask(`${url}/sandbox/messages`, 'POST', { from: newNumber(), text: 'Hello' });
  await ask(`${url}/sandbox/clock`, 'POST', { advance_seconds: 0 });
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(printed).toMatch(/^\d\d:\d\d:\d\d {2}request {3}POST +201 +\d+ ms {2}\/\S+\/webhooks$/m);
  expect(printed).toMatch(/^\d\d:\d\d:\d\d {2}webhook {3}POST +404 +\d+ ms {2}http:\/\/127\.0\.0\.1:\d+\/receiver$/m);
});

test('exits quietly when nobody reads its output any longer', async () => {
  const { child, stdout, stderr } = startNode([...sandboxCommand, '--port', '0', ...seeded()]);
  stdout.destroy();
  const [err, [code]] = await Promise.all([text(stderr), once(child, 'exit')]);
  expect({ err, code }).toEqual({ err: '', code: 0 });
});

test('names a port that is in use and exits with 1', async () => {
  const sandbox = await startSeeded();
  const { port } = new URL(sandbox.url);
  const { out, err, code } = await run('--port', port, ...seeded()).finally(sandbox.stop);
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
