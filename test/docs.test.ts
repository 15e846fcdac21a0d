import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderDocs } from '../scripts/docs/main';

const project = resolve(__dirname, '..');

test('the generated documents are up to date (run `npm run docs`)', async () => {
  for (const [path, text] of Object.entries(await renderDocs())) {
    expect(readFileSync(join(project, path), 'utf8')).toBe(text);
  }
});
