/** The folder that `npm run listing` writes, as Zapier's forms take it. */
import { recipes } from '../recipes';
import { currentApp } from '../scripts/docs/definition';
import { renderFiles } from '../scripts/listing/main';
import { listProblems } from '../scripts/listing/problems';
import { listTwins, renderTemplate, templates } from '../scripts/listing/templates';
import { brand as currentBrand } from '../src/brand';
import { visibleStepsOf } from '../zapier/core/app-definition';

/** A publisher who has filled in everything. */
const brand = {
  ...currentBrand,
  name: 'Harbor Post',
  description: 'Harbor Post is a service for talking with customers on messaging apps.',
  color: '#0f6fa8',
};
const logo = '<svg><title>A harbor</title></svg>';
const files = {
  '1-forms.md': '- **Homepage**: https://harbor-post.test',
  '3-reviewer.md': 'Send a message to +31612345678.',
};
const ready = { brand, logo, templates };

test('a listing that is filled in is ready', () => {
  expect(listProblems(files, ready)).toEqual([]);
});

test.each([
  '- **Homepage**: https://www.example.com',
  'Send a message to +12025550104.',
  'Start the campaign "Weekend parcel points".',
  '- **API documentation**: The address where you publish it',
])('the placeholder in "%s" is named', (line) => {
  expect(listProblems({ ...files, '2-more.md': line }, ready)).toEqual([
    expect.stringMatching(/^2-more\.md has the placeholder /),
  ]);
});

test.each([
  ['the name of the project', { name: 'Messaging Service' }, 'is a placeholder'],
  ['a title in lower case', { name: 'harbor post' }, 'in title case'],
  ['a short description', { description: 'Harbor Post is a service.' }, 'Zapier takes 40 to 140'],
  ['a description that starts otherwise', { description: 'Talk with customers on every messaging app.' }, 'start with'],
  [
    'the name of Zapier',
    { description: 'Harbor Post is a service for talking with customers on Zapier.' },
    'name Zapier',
  ],
  ['a color by its name', { color: 'blue' }, 'color'],
])('%s is named', (_, change, sentence) => {
  expect(listProblems(files, { ...ready, brand: { ...brand, ...change } })).toContainEqual(
    expect.stringContaining(sentence),
  );
});

test('the logo of the project is named', () => {
  const placeholder = '<svg><desc>Placeholder: replace this drawing.</desc></svg>';
  expect(listProblems(files, { ...ready, logo: placeholder })).toEqual([expect.stringContaining('docs/logo.svg')]);
});

test('templates that say nearly the same are named as twins, and so is a text that is too long', () => {
  const [first, second] = templates;
  if (!first || !second) throw new Error('There are too few templates.');
  expect(listTwins(templates)).toEqual([]);
  const twin = { ...second, description: `${first.description} Try it.` };
  expect(listTwins([first, twin])).toEqual([[first.title, second.title]]);
  const long = { ...second, description: `${second.description} ${'It is long. '.repeat(20)}` };
  expect(listProblems(files, { ...ready, templates: [long] })).toEqual([expect.stringContaining('characters')]);
});

test('the folder has a file for each form and template, and the script of the reviewer names every step', async () => {
  const written = await renderFiles();
  expect(Object.keys(written).filter((path) => path.startsWith('templates/'))).toHaveLength(templates.length);
  expect(written['5-account.md']).toContain('**API Base URL**');
  const labels = visibleStepsOf(currentApp).map(({ step }) => step.display.label);
  expect(labels.filter((label) => !written['3-reviewer.md']?.includes(`| ${label} `))).toEqual([]);
});

test('a template prefills data of other apps, and none of the columns and questions that each account names', () => {
  const pages = new Map(templates.map((recipe) => [recipe.name, renderTemplate(recipe)]));
  expect(pages.get('Message for each new order')).toContain('- Prefill Phone Number: {1. Shipping Address Phone}');
  for (const name of ['Message for each new row', 'Contact from a form', 'Log completed campaigns']) {
    expect([name, pages.get(name)?.includes('- Prefill')]).toEqual([name, false]);
    expect(pages.get(name)).toContain('- Leave to the user: ');
  }
  expect(recipes.length).toBeGreaterThan(templates.length);
});
