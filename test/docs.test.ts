import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../cli/environment';
import { renderDocs } from '../scripts/docs/main';
import { renderPage } from '../scripts/docs/page';

test('the generated documents are up to date (run `npm run docs`)', async () => {
  for (const [path, text] of Object.entries(await renderDocs())) {
    expect(readFileSync(join(project, path), 'utf8')).toBe(text);
  }
});

const values = { 'list of recipes': '- One | two', recipes: '| a |\n| --- |\n| long |' };

test('a page gets a value for each placeholder, and tables of even width', () => {
  expect(renderPage('recipes', values)).toMatch(/\n- One \| two\n\n\| a {4}\|\n\| -{4} \|\n\| long \|\n$/);
});

test('a placeholder that nothing fills in is an error that names it and its file', () => {
  const page = 'scripts/docs/pages/recipes.md';
  expect(() => renderPage('recipes', { recipes: '' })).toThrow(`${page}: nothing fills in {{list of recipes}}.`);
  expect(() => renderPage('recipes', { ...values, more: '' })).toThrow(`${page} doesn't use {{more}}.`);
});
