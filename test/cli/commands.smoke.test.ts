/** Each command once, as npm starts it. What it does is tested in process. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode } from '../support/processes';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('npm run adapt reads an OpenAPI file in YAML', async () => {
  const file = join(folder, 'openapi.yaml');
  const reference = "{ $ref: '#/x-contact' }";
  writeFileSync(
    file,
    `openapi: 3.1.0\npaths:\n  /v1/contacts/{id}: ${reference}\nx-contact:\n  get: { responses: {} }\n`,
  );
  const { out, err, code } = await runNode(['conformance/adapt/main.ts', '--openapi', file]);
  expect({ err, code }).toEqual({ err: '', code: 1 });
  expect(out).toMatch(/^ {2}getContact +GET \/v1\/contacts\/\{id\}$/m);
});
