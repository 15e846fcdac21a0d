/** Each command once, as npm starts it. What it does is tested in process. */
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runNode, startNode } from '../../../test/support/processes';
import { Running } from '../../../test/support/running';
import { copyContract, makeFolder } from '../../conformance/test/adapting/copy';
import { type ProxyFault, withFaultyProxy } from '../../conformance/test/faulty-proxy';
import { project } from '../environment';

const running = new Running({ isSmall: true });

let folder: string;
let copy: string;
beforeAll(() => {
  folder = makeFolder();
  copy = copyContract(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('npm run conformance removes what it created when it is stopped, and lists what is left', async () => {
  let stop = (): void => undefined;
  const fault: ProxyFault = {
    // The process is told to stop while the service works.
    afterwards: {
      createWebhook: (got) => {
        stop();
        return got;
      },
    },
    instead: { deleteContact: () => new Response('{}', { status: 500 }) },
  };
  const { err, code } = await withFaultyProxy(running.url, fault, async (url) => {
    const env = { ...process.env, BASE_URL: url, API_TOKEN: running.sandbox.tokens.advanced };
    const { child, stdout, stderr } = startNode(['lab/conformance/main.ts', '--write'], { cwd: copy, env });
    stop = () => void child.kill('SIGINT');
    stdout.resume();
    const [err, [code]] = await Promise.all([text(stderr), once(child, 'exit')]);
    return { err, code };
  });
  const contacts = (await running.read('listContacts', { query: { tag: 'conformance-check' } })).data;
  expect(err).toMatch(/^The run was stopped\. Remove what is left yourself: contact \S+(, contact \S+)*\.\n$/);
  for (const { id } of contacts) expect(err).toContain(`contact ${id}`);
  expect(contacts.length).toBeGreaterThan(0);
  expect(await running.read('listWebhooks')).toMatchObject({ data: [] });
  expect(code).toBe(2);
  for (const { id } of contacts) await running.request('deleteContact', { id });
});

const { JEST_WORKER_ID: _, NODE_ENV: __, ...environment } = process.env;

test('npm run demo shows a whole Zap, step by step, with the sandbox even if a live service is set', async () => {
  const { out, err, code } = await runNode(['scripts/demo.ts'], {
    cwd: copy,
    env: { ...environment, BASE_URL: 'https://api.example.com', API_TOKEN: 'tok_live' },
  });
  expect(out.match(/^✓ \d+\. .+/gm)).toEqual([
    '✓ 1. The account is connected: Zapier tests the API token.',
    '✓ 2. The Zap is turned on: "New Inbound Message", containing the word "open".',
    '✓ 3. A customer writes on WhatsApp.',
    '✓ 4. The service sends a signed webhook, and the Zap verifies it and starts.',
    '✓ 5. The Zap runs its action: "Send Template Message".',
    '✓ 6. The run is replayed with the same Send Once for Each value, so nothing is sent twice.',
    '✓ 7. The search "Find Message Status" follows the message until the customer reads it.',
    '✓ 8. The Zap is turned off and removes its own webhook.',
  ]);
  expect(out).toContain('Thank you for your question. We are open until 21:00, on Saturdays too.');
  expect(out).toMatch(/Status +((queued|sent|delivered), then )*read\n/);
  expect(out).toMatch(/Webhooks left +0\n/);
  expect(out).toMatch(/All 8 steps worked, in [\d.]+ seconds\.\n.*npm start\n$/);
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(err).toBe('');
  expect(code).toBe(0);
});

test('npm run openapi writes the committed document, in which the linter finds no problem', async () => {
  const file = join(folder, 'openapi.json');
  const { out, err } = await runNode(['scripts/openapi/main.ts', '--output', file]);
  expect(out + err).toContain('Problems: 0');
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(project, 'docs/openapi.json'), 'utf8'));
});
