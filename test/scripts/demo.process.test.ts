import { runNode } from '../support/processes';

const { JEST_WORKER_ID: _, NODE_ENV: __, ...environment } = process.env;

/** Runs what `npm run demo` runs, and returns what it printed and its exit code. */
const start = (env: Record<string, string>) => runNode(['scripts/demo.ts'], { env: { ...environment, ...env } });

test('npm run demo shows a whole Zap, step by step, with the sandbox even if a live service is set', async () => {
  const { out, err, code } = await start({ BASE_URL: 'https://api.example.com', API_TOKEN: 'tok_live' });
  expect(out.match(/^✓ \d+\. .+/gm)).toEqual([
    '✓ 1. The account is connected: Zapier tests the API token.',
    '✓ 2. The Zap is turned on: "New Inbound Message", containing the word "parcel".',
    '✓ 3. A customer writes on WhatsApp.',
    '✓ 4. The service sends a signed webhook, and the Zap verifies it and starts.',
    '✓ 5. The Zap runs its action: "Send Template Message".',
    '✓ 6. The run is replayed with the same Send Only Once Per value, so nothing is sent twice.',
    '✓ 7. The search "Find Message Status" follows the message until the customer reads it.',
    '✓ 8. The Zap is turned off and removes its own webhook.',
  ]);
  expect(out).toContain('Your parcel PX-20418 arrives today at about 14:30.');
  expect(out).toMatch(/Status +((queued|sent|delivered), then )*read\n/);
  expect(out).toMatch(/Webhooks left +0\n/);
  expect(out).toMatch(/All 8 steps worked, in [\d.]+ seconds\.\n.*npm start\n$/);
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(err).toBe('');
  expect(code).toBe(0);
});
