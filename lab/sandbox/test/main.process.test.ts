import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { endProcess, runNode, startNode } from '../../../test/support/processes';
import { ask, newNumber, requestFrom } from '../../../test/support/running';
import { sandboxCommand, startSandboxIn, startSandboxProcess } from '../../../test/support/sandbox-process';
import { startSeeded, writeSeeded } from '../../../test/support/seeded';
import { project } from '../../cli/environment';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** A database that needs no seeding. */
const seeded = () => ['--database', writeSeeded(folder)];

const run = (...options: string[]) => runNode([...sandboxCommand, ...options]);

test('prints its address and tokens, then a line for each request and webhook delivery, until Ctrl-C', async () => {
  const { child, url, token } = await startSandboxProcess(...seeded());
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

test('explains a port that is in use with 1, and a wrong option with 2', async () => {
  const sandbox = await startSeeded();
  const { port } = new URL(sandbox.url);
  const taken = `Port ${port} is in use. Choose another with --port, or 0 for a free one.\n`;
  expect(await run('--port', port, ...seeded()).finally(sandbox.stop)).toEqual({ out: '', err: taken, code: 1 });
  const wrong = '--port takes a port from 0 to 65535, not "http".\nFor help, run: npm run sandbox -- --help\n';
  expect(await run('--port', 'http')).toEqual({ out: '', err: wrong, code: 2 });
});

describe('with --env', () => {
  let copy: string;
  let env: string;

  // The `.env` of the project itself may be somebody's own.
  beforeEach(() => {
    copy = join(folder, 'project');
    env = join(copy, '.env');
    for (const part of ['package.json', 'src', 'lab']) {
      cpSync(join(project, part), join(copy, part), { recursive: true });
    }
    symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'), 'junction');
  });

  const stop = async ({ child, errors }: Awaited<ReturnType<typeof startSandboxIn>>, signal: NodeJS.Signals) => {
    await endProcess(child, signal);
    return errors();
  };

  test('saves its address while it runs, and keeps a token that a person writes into the file, and says so', async () => {
    const first = await startSandboxIn(copy, '--env', ...seeded());
    expect(readFileSync(env, 'utf8')).toContain(`BASE_URL=${first.url}\n`);
    expect(await stop(first, 'SIGTERM')).toBe('');
    expect(existsSync(env)).toBe(false);
    const second = await startSandboxIn(copy, '--env', ...seeded());
    const changed = readFileSync(env, 'utf8').replaceAll(second.token, 'tok_live');
    writeFileSync(env, changed);
    expect(await stop(second, 'SIGINT')).toBe(
      `${env} stays, because you changed it. If it has the address or token of this sandbox, remove those lines.\n`,
    );
    const { err, code } = await runNode([...sandboxCommand, '--port', '0', '--env', ...seeded()], { cwd: copy });
    expect([err, code]).toEqual([expect.stringContaining(`${env} already exists, so it stays as it is.`), 2]);
    expect(readFileSync(env, 'utf8')).toBe(changed);
  });

  test('ends quietly, and removes the file, also when nobody reads its output any longer', async () => {
    const { stdout, stderr, child } = startNode([...sandboxCommand, '--port', '0', '--env', ...seeded()], {
      cwd: copy,
    });
    stdout.destroy();
    const [err, [code]] = await Promise.all([text(stderr), once(child, 'exit')]);
    expect({ err, code, isLeft: existsSync(env) }).toEqual({ err: '', code: 0, isLeft: false });
  });
});
