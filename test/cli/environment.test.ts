import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '../../cli/environment';

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
