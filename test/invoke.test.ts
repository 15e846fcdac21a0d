import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Sandbox, startSandbox } from '../sandbox/sandbox';
import { receivedBy } from './received';

const project = resolve(__dirname, '..');

let sandbox: Sandbox;
let folder: string;

// In a folder of its own, since a developer's `.env` would come before the environment that is given here.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'invoke-'));
  for (const file of ['package.json', 'index.js']) cpSync(join(project, file), join(folder, file));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  execFileSync('npm', ['run', '--silent', '_zapier-build', '--', join(folder, 'dist')], {
    cwd: project,
  });
  sandbox = await startSandbox();
});

afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `zapier-platform invoke`, as the README shows it, and gives the JSON that it prints. */
const invoke = async (...parts: string[]): Promise<unknown> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(project, 'node_modules/.bin/zapier-platform'), 'invoke', ...parts],
    {
      cwd: folder,
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        DISABLE_ZAPIER_ANALYTICS: '1',
        authData_base_url: sandbox.url,
        authData_api_token: sandbox.tokens.advanced,
      },
    },
  );
  return JSON.parse(stdout);
};

test('`invoke auth test` prints the workspace', async () => {
  await expect(invoke('auth', 'test')).resolves.toMatchObject({ name: 'Harbour Parcels', plan: 'advanced' });
});

const template = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to: '+31 6 12345678' };
const variables = { parcel_id: 'PX-20418', arrival_time: '14:30' };

test.each([
  ['in the field for any names', { variables }],
  ['in fields of their own', { variable_parcel_id: 'PX-20418', variable_arrival_time: '14:30' }],
])(
  '`invoke create send_message` with variables %s sends exactly the specified request and prints the message',
  async (_where, filledIn) => {
    await fetch(`${sandbox.url}/sandbox/requests`, { method: 'DELETE' });
    const inputData = JSON.stringify({ ...template, ...filledIn });
    await expect(invoke('create', 'send_message', '--inputData', inputData)).resolves.toMatchObject({
      to: '+31612345678',
      status: 'queued',
      text: 'Your parcel PX-20418 arrives today at about 14:30.',
    });
    const requests = await receivedBy(sandbox);
    expect(requests.filter(({ path }) => path === '/v1/messages')).toEqual([
      expect.objectContaining({
        method: 'POST',
        body: { channel: 'whatsapp', to: '+31612345678', template: 'parcel_out_for_delivery', variables },
      }),
    ]);
  },
  30_000,
);

test('`invoke trigger message_received` starts nothing, since nothing has arrived, and does not crash', async () => {
  await expect(invoke('trigger', 'message_received')).resolves.toEqual([]);
});

test('`invoke create send_message_and_wait` says that it waits only in a Zap, and sends nothing', async () => {
  await fetch(`${sandbox.url}/sandbox/requests`, { method: 'DELETE' });
  const inputData = JSON.stringify({ ...template, variables });
  await expect(invoke('create', 'send_message_and_wait', '--inputData', inputData)).rejects.toThrow(
    "This step can wait for a reply only in a Zap that's turned on",
  );
  await expect(receivedBy(sandbox)).resolves.toEqual([]);
}, 30_000);
