import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../cli/environment';
import { recipes } from '../recipes';
import { currentApp } from '../scripts/docs/definition';
import { renderDocs } from '../scripts/docs/main';
import { renderPage } from '../scripts/docs/page';
import { plainFields, visibleStepsOf } from '../zapier/core/app-definition';
import { documents } from './support/documents';

test('the generated documents are up to date (run `npm run docs`)', async () => {
  for (const [path, text] of Object.entries(await renderDocs())) {
    expect(readFileSync(join(project, path), 'utf8')).toBe(text);
  }
});

const values = { recipes: '- One | two', 'table recipes': '| a | b |\n| --- | --- |\n| long | longer |' };

test('a page gets a value for each placeholder, and tables with columns of even width', () => {
  expect(renderPage('recipes', values)).toMatch(
    /\n\| a {4}\| b {3}\|\n\| -{4} \| -{3} \|\n\| long \| longer \|\n\n- One \| two\n$/,
  );
});

test('a placeholder that nothing fills in is an error that names it and its file', () => {
  const page = 'scripts/docs/pages/recipes.md';
  expect(() => renderPage('recipes', { recipes: '' })).toThrow(`${page}: nothing fills in {{table recipes}}.`);
  expect(() => renderPage('recipes', { ...values, more: '' })).toThrow(`${page} doesn't use {{more}}.`);
});

test.each(['docs/faq.md', 'docs/how-to.md'])('the list at the top of %s has every section', (path) => {
  const page = documents.find((document) => document.path === path);
  const sections = page?.anchors.slice(1) ?? [];
  expect(sections.length).toBeGreaterThan(10);
  expect(sections.filter((anchor) => !page?.links.includes(`#${anchor}`))).toEqual([]);
});

test.each(documents)('$path links to no placeholder of src/brand.ts', ({ links }) => {
  expect(links.filter((link) => /\bexample\.com\b/.test(link))).toEqual([]);
});

const firstZap = readFileSync(join(project, 'docs/first-zap.md'), 'utf8');
const [, inPlayground = ''] = /^## Without a Zapier account$(.+?)^## /ms.exec(firstZap) ?? [];
const named = [...inPlayground.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = '']) => label.replace(/\s+/g, ' '));

test.each(named)('the playground shows "%s", which docs/first-zap.md tells people to use', (label) => {
  const steps = visibleStepsOf(currentApp).map(({ step }) => step);
  const shown = [
    ...globSync('playground/page/**/*.tsx', { cwd: project }).map((path) => readFileSync(join(project, path), 'utf8')),
    ...recipes.map(({ name }) => name),
    ...steps.flatMap((step) => [step.display.label, ...plainFields(step).map((field) => field.label)]),
  ];
  expect(shown.some((text) => text?.includes(label))).toBe(true);
});
