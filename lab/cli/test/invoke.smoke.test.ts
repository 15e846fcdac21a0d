/** The app as Zapier's own tool runs it: the commands of the README, and raw access to the API. */
import { rmSync } from 'node:fs';
import app from '../../../src';
import { documents } from '../../../test/support/documents';
import { invokeAll } from '../../../test/support/invoke';
import { receivedCalls } from '../../../test/support/received';
import { parcelMessage, Running } from '../../../test/support/running';
import { copyContract, makeFolder, runIn } from '../../conformance/test/adapting/copy';

const running = new Running();
let folder: string;

const { commands } = documents.find(({ path }) => path === 'README.md') ?? { commands: [] };
const shown = commands.filter(([program, tool]) => program === 'npx' && tool === 'zapier-platform');
const api_token = 'tok_7h1s1s4s3cr3t';
/** The CLI signs a request to this address, whatever the account says. */
const signedHost = 'https://example.com';
const parcel = JSON.stringify(parcelMessage('+12025550123'));
let printed: string[];

beforeAll(async () => {
  folder = makeFolder();
  const copy = copyContract(folder);
  expect(await runIn(copy, 'scripts/build.ts')).toBe('');
  const account = { base_url: running.url, api_token: running.sandbox.tokens.advanced };
  printed = await invokeAll(copy, [
    ...shown.map(([, , , ...args]) => ({ account, args })),
    { account, args: ['trigger', 'message_received', '--inputData', '{"channel": "whatsapp"}'] },
    { account, args: ['create', 'send_message_and_wait', '--inputData', parcel] },
    { account: { base_url: 'https://api.example.com', api_token }, args: ['auth', 'template'] },
    { account: { base_url: 'https://api.example.com', api_token }, args: ['auth', 'render'] },
    { account: { base_url: signedHost, api_token }, args: ['auth', 'render'] },
  ]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('each zapier-platform command of the README works as shown', () => {
  expect(shown.map(([, , ...words]) => words.slice(0, 3).join(' '))).toEqual([
    'invoke auth test',
    'invoke search find_template',
    'invoke create send_message',
  ]);
  expect(printed.slice(0, 3).map((text) => JSON.parse(text))).toEqual([
    expect.objectContaining({ plan: 'advanced' }),
    [expect.objectContaining({ name: 'parcel_out_for_delivery' })],
    expect.objectContaining({ to: '+12025550123', text: 'Your parcel PX-20418 arrives today at about 14:30.' }),
  ]);
});

test('a trigger is listed, and a step that waits for a reply sends nothing outside a Zap', async () => {
  const [listed = '', waiting = ''] = printed.slice(3);
  expect(JSON.parse(listed)).toContainEqual(expect.objectContaining({ direction: 'inbound', channel: 'whatsapp' }));
  expect(waiting).toContain("This step can wait for a reply only in a Zap that's turned on, so nothing was sent.");
  const sends = (await receivedCalls(running.sandbox)).filter(({ call }) => call === 'sendMessage');
  expect(sends).toHaveLength(1);
});

test("raw access has no template for any host, and refuses to sign a request to another host than the account's", () => {
  const [template = '', rendered = ''] = printed.slice(5);
  expect(template + rendered).not.toContain(api_token);
  expect(JSON.parse(template)).toMatchObject({ supported: false });
  expect(JSON.parse(rendered)).toEqual({
    authType: app.authentication?.type,
    error: expect.stringContaining("This request isn't for the API Base URL of the account, so it wasn't sent."),
    template: {},
  });
});

test("raw access signs a request to the account's own host", () => {
  const template = { headers: { authorization: `Bearer ${api_token}` } };
  expect(JSON.parse(printed[7] ?? '')).toMatchObject({ template });
});
