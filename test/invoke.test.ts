import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../sandbox/sandbox';
import { project, runNode } from './processes';
import { receivedBy } from './received';
import { startSeeded } from './sandbox/seeded';

let sandbox: Sandbox;
let folder: string;

// A separate folder, because a developer's `.env` would override the environment of this test.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'invoke-'));
  for (const file of ['package.json', 'index.js']) cpSync(join(project, file), join(folder, file));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  await runNode(['scripts/build.ts', join(folder, 'dist')]);
  sandbox = await startSeeded();
});

afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `zapier-platform invoke` and returns the JSON that it prints. Throws what it prints when it fails. */
const invoke = async (...parts: string[]): Promise<unknown> => {
  const cli = join(project, 'node_modules/zapier-platform-cli/src/bin/run');
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    DISABLE_ZAPIER_ANALYTICS: '1',
    authData_base_url: sandbox.url,
    authData_api_token: sandbox.tokens.advanced,
  };
  const { out, err, code } = await runNode([cli, 'invoke', ...parts], { cwd: folder, env });
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
};

const template = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to: '+1 202 555 0123' };
const variables = { parcel_id: 'PX-20418', arrival_time: '14:30' };

test('`invoke create send_message` sends the message once and prints it', async () => {
  const inputData = JSON.stringify({ ...template, variables });
  await expect(invoke('create', 'send_message', '--inputData', inputData)).resolves.toMatchObject({
    to: '+12025550123',
    status: 'queued',
    text: 'Your parcel PX-20418 arrives today at about 14:30.',
  });
  const requests = await receivedBy(sandbox);
  expect(requests.filter(({ path }) => path === '/v1/messages')).toEqual([
    expect.objectContaining({
      method: 'POST',
      body: { channel: 'whatsapp', to: '+12025550123', template: 'parcel_out_for_delivery', variables },
    }),
  ]);
});

test('`invoke create send_message_and_wait` says that it waits only in a Zap, and makes no request', async () => {
  await fetch(`${sandbox.url}/sandbox/requests`, { method: 'DELETE' });
  const inputData = JSON.stringify({ ...template, variables });
  await expect(invoke('create', 'send_message_and_wait', '--inputData', inputData)).rejects.toThrow(
    "This step can wait for a reply only in a Zap that's turned on",
  );
  await expect(receivedBy(sandbox)).resolves.toEqual([]);
});

test('`invoke trigger message_received` prints recent messages of customers', async () => {
  await expect(invoke('trigger', 'message_received', '--inputData', '{"channel": "whatsapp"}')).resolves.toEqual(
    expect.arrayContaining([expect.objectContaining({ direction: 'inbound', channel: 'whatsapp' })]),
  );
});
