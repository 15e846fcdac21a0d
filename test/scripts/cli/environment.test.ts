import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment, removeEnv, saveEnv } from '../../../scripts/cli/environment';
import { UsageError } from '../../../scripts/cli/errors';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'environment-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('reads .env for what the environment does not set', () => {
  writeFileSync(join(folder, '.env'), 'ENVIRONMENT_TEST="from the file"\nPATH=nowhere\n');
  const { ENVIRONMENT_TEST, PATH } = readEnvironment(folder);
  expect(ENVIRONMENT_TEST).toBe('from the file');
  expect(PATH).toBe(process.env.PATH);
});

test('saves the address and the token for each command, and replaces its own file', () => {
  saveEnv('http://127.0.0.1:4010', 'tok_1', folder);
  saveEnv('http://127.0.0.1:4010', 'tok_2', folder);
  expect(readEnvironment(folder)).toMatchObject({
    BASE_URL: 'http://127.0.0.1:4010',
    API_TOKEN: 'tok_2',
    authData_base_url: 'http://127.0.0.1:4010',
    authData_api_token: 'tok_2',
  });
});

test('keeps a .env that a person wrote', () => {
  writeFileSync(join(folder, '.env'), 'API_TOKEN=tok_live\n');
  expect(() => saveEnv('http://127.0.0.1:4010', 'tok_1', folder)).toThrow(UsageError);
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('API_TOKEN=tok_live\n');
});

test('removes only the .env of the same sandbox', () => {
  saveEnv('http://127.0.0.1:4010', 'tok_2', folder);
  removeEnv('http://127.0.0.1:4010', 'tok_1', folder);
  expect(readEnvironment(folder)).toMatchObject({ API_TOKEN: 'tok_2' });
  removeEnv('http://127.0.0.1:4010', 'tok_2', folder);
  expect(existsSync(join(folder, '.env'))).toBe(false);
});
