/** Zapier's raw access to an API: the CLI shows how Zapier would sign a request of its own with an account's token. */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { project } from '../cli/environment';
import app from '../src';
import { invokeAll } from './support/invoke';
import { runNode } from './support/processes';

const token = 'tok_7h1s1s4s3cr3t';
/** The CLI signs a request to this address, whatever the account says. */
const signedHost = 'https://example.com';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'raw-access-'));
  const { code } = await runNode(['scripts/build.ts', join(folder, 'dist')]);
  expect(code).toBe(0);
  for (const file of ['index.js', 'package.json']) cpSync(join(project, file), join(folder, file));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const invoke = async (base_url: string, command: string): Promise<unknown> => {
  const [printed = ''] = await invokeAll(folder, { base_url, api_token: token }, ['auth', command]);
  expect(printed.includes(token)).toBe(command === 'render' && base_url === signedHost);
  return JSON.parse(printed);
};

test('there is no template for any host', async () => {
  await expect(invoke('https://api.example.com', 'template')).resolves.toMatchObject({ supported: false });
});

test("a request to the account's own host gets the token", async () => {
  const template = { headers: { Authorization: `Bearer ${token}` } };
  await expect(invoke(signedHost, 'render')).resolves.toMatchObject({ template });
});

test('a request to another host is refused, and gets no token', async () => {
  await expect(invoke('https://api.example.com', 'render')).resolves.toEqual({
    authType: app.authentication?.type,
    error: expect.stringContaining("This request isn't for the API Base URL of the account, so it wasn't sent."),
    template: {},
  });
});
