import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../sandbox/sandbox';
import { encode } from '../src/api/encode';
import { endpoints } from '../src/api/endpoints';
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

const separator = '----';

/** Runs `zapier-platform invoke` with each of these arguments in one process, since the CLI takes two seconds to load. */
const invokeAll = async (...commands: string[][]): Promise<string[]> => {
  const script = `
    const cli = require.resolve('zapier-platform-cli/package.json');
    const { run } = require(require.resolve('@oclif/core', { paths: [cli] }));
    const runAll = async () => {
      for (const command of ${JSON.stringify(commands)}) {
        await run(['invoke', ...command], cli).catch(({ message }) => console.log(message));
        console.log('${separator}');
      }
    };
    runAll();`;
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    DISABLE_ZAPIER_ANALYTICS: '1',
    authData_base_url: sandbox.url,
    authData_api_token: sandbox.tokens.advanced,
  };
  const { out } = await runNode(['-e', script], { cwd: folder, env });
  return out.split(separator).map((text) => text.trim());
};

const template = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to: '+1 202 555 0123' };
const variables = { parcel_id: 'PX-20418', arrival_time: '14:30' };

test('`zapier-platform invoke` tests the account, lists a trigger, and sends a message once', async () => {
  const inputData = JSON.stringify({ ...template, variables });
  const [account, inbound, sent, waiting] = await invokeAll(
    ['auth', 'test'],
    ['trigger', 'message_received', '--inputData', '{"channel": "whatsapp"}'],
    ['create', 'send_message', '--inputData', inputData],
    ['create', 'send_message_and_wait', '--inputData', inputData],
  );
  expect(JSON.parse(account ?? '')).toMatchObject({ name: 'Harbour Parcels', plan: 'advanced' });
  expect(JSON.parse(inbound ?? '')).toContainEqual(
    expect.objectContaining({ direction: 'inbound', channel: 'whatsapp' }),
  );
  expect(JSON.parse(sent ?? '')).toMatchObject({
    id: expect.any(String),
    to: '+12025550123',
  });
  expect(waiting).toContain("This step can wait for a reply only in a Zap that's turned on");
  const requests = await receivedBy(sandbox);
  const { path, body } = encode(endpoints.sendMessage, { body: { ...template, to: '+12025550123', variables } });
  expect(requests.filter(({ method }) => method !== 'GET')).toMatchObject([{ path, body }]);
});
