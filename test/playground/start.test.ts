import type { Sandbox } from '../../sandbox/sandbox';
import { runNode } from '../processes';
import { receivedBy } from '../received';
import { startSeeded } from '../sandbox/seeded';

const { JEST_WORKER_ID: _, NODE_ENV: __, ...environment } = process.env;

/** Runs what `npm start` runs, and returns what it printed and its exit code. */
const start = (env: Record<string, string> = {}) =>
  runNode(['playground/start.ts'], { env: { ...environment, BASE_URL: '', API_TOKEN: '', ...env } });

test('npm start shows a whole Zap, step by step, and ends with the next command', async () => {
  const { out, err, code } = await start();
  expect(out.match(/^✓ \d+\. .+/gm)).toEqual([
    '✓ 1. The account is connected: Zapier tests the API token.',
    '✓ 2. The Zap is turned on: "New Inbound Message", containing the word "parcel".',
    '✓ 3. A customer writes on WhatsApp.',
    '✓ 4. The service sends a signed webhook. The Zap verifies it and starts.',
    '✓ 5. The Zap runs its action: "Send Template Message".',
    '✓ 6. The Zap is replayed with the same Send Only Once Per: nothing is sent twice.',
    '✓ 7. The search "Find Message" follows the message until the customer reads it.',
    '✓ 8. The Zap is turned off and removes its own webhook.',
  ]);
  expect(out).toContain('Your parcel PX-20418 arrives today at about 14:30.');
  expect(out).toMatch(/Status +((queued|sent|delivered), then )*read\n/);
  expect(out).toMatch(/Webhooks left +0\n/);
  expect(out).toMatch(/All 8 steps worked, in [\d.]+ seconds\.\n.*npm run playground\n$/);
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(err).toBe('');
  expect(code).toBe(0);
});

describe('with BASE_URL and API_TOKEN', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSeeded();
  });
  afterAll(() => sandbox.stop());

  test('npm start connects to that service and only reads', async () => {
    const { out, code } = await start({ BASE_URL: sandbox.url, API_TOKEN: sandbox.tokens.growth });
    expect(out).toMatch(/Workspace +.+ \(plan: growth\)/);
    expect(out).toContain('✓ 2. The Template dropdown has these templates.');
    expect(out).toContain('✓ 3. Customers sent these messages most recently.');
    expect(code).toBe(0);
    const requests = await receivedBy(sandbox);
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  test('npm start with a wrong token says what to do, without a stack trace', async () => {
    const { out, err, code } = await start({ BASE_URL: sandbox.url, API_TOKEN: 'tok_unknown' });
    expect(out + err).toContain('Create a new API token');
    expect(out + err).not.toMatch(/tok_unknown|\n +at /);
    expect(code).toBe(1);
  });
});
