import type { Sandbox } from '../../sandbox/sandbox';
import { runNode } from '../processes';
import { receivedBy } from '../received';
import { startSeeded } from '../sandbox/seeded';

const { BASE_URL: _, API_TOKEN: __, JEST_WORKER_ID: ___, NODE_ENV: ____, ...environment } = process.env;

/** Runs what `npm start` runs, and returns what it printed and its exit code. */
const start = (env: Record<string, string> = {}) =>
  runNode(['playground/start.ts'], { env: { ...environment, ...env } });

test('npm start shows a whole Zap, step by step, and ends by itself with 0', async () => {
  const { out, code } = await start();
  expect(out.match(/^\d+\. .+/gm)).toEqual([
    '1. The account is connected: Zapier tests the API token.',
    '2. The Zap is turned on: "New Inbound Message", containing the word "parcel".',
    '3. A customer writes on WhatsApp.',
    '4. The service delivers the message, signed; the Zap checks it and starts.',
    '5. The Zap runs its action: "Send Template Message".',
    '6. The Zap is replayed with the same Send Only Once Per: nothing is sent twice.',
    '7. The message is followed with the search "Find Message".',
    '8. The Zap is turned off: its webhook, and no other, is removed.',
  ]);
  expect(out).toContain('Your parcel PX-20418 arrives today at about 14:30.');
  expect(out).toMatch(/Status +queued\n(.*\n)*.*Status +read\n/);
  expect(out).toMatch(/Webhooks left +0\n/);
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
    expect(out).toContain('The templates that a person can choose from.');
    expect(out).toContain('The most recent messages of customers.');
    expect(code).toBe(0);
    const requests = await receivedBy(sandbox);
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  });
});
