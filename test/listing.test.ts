/** The folder that `npm run listing` writes, as Zapier's forms take it. */
import { recipes } from '../recipes';
import { renderFiles } from '../scripts/listing/main';
import { listProblems } from '../scripts/listing/problems';
import { listTwins, renderTemplate, templates } from '../scripts/listing/templates';
import { brand } from '../src/brand';

/** The files with the publisher's own addresses and numbers. */
const fillIn = (files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      text.replaceAll('example.com', 'parcels.test').replaceAll(/\+1202555/g, '+1202444'),
    ]),
  );

test('only placeholders are missing in the listing, and it is ready with the addresses and numbers of a publisher', async () => {
  const files = await renderFiles();
  const missing = listProblems(files, templates);
  expect(missing.length).toBeGreaterThan(3);
  expect(missing.filter((problem) => !problem.includes(' has the placeholder '))).toEqual([]);
  expect(listProblems(fillIn(files), templates)).toEqual([]);
  expect(Object.keys(files).filter((path) => path.startsWith('templates/'))).toHaveLength(templates.length);
});

test.each([
  ['a title in lower case', { name: 'parcel messages' }, 'in title case'],
  ['a short description', { description: `${brand.name} is a service.` }, 'Zapier takes 40 to 140'],
  ['a description that starts otherwise', { description: 'Talk with customers on every messaging app.' }, 'start with'],
  [
    'the name of Zapier',
    { description: `${brand.name} is a service for talking with customers on Zapier.` },
    'name Zapier',
  ],
  ['a color by its name', { color: 'blue' }, 'color'],
])('%s is named', (_, change, sentence) => {
  expect(listProblems({}, templates, { ...brand, ...change })).toContainEqual(expect.stringContaining(sentence));
});

test('templates with the same sentence are named as twins', () => {
  const [first, second] = templates;
  if (!first || !second) throw new Error('There are too few templates.');
  expect(listTwins(templates)).toEqual([]);
  const [sentence = ''] = first.description.split(/(?<=\.) /);
  const twin = { ...second, description: `${second.description} ${sentence}` };
  expect(listTwins([first, twin])).toEqual([sentence]);
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
