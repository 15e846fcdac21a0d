import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { scripts } from '../package.json';
import { renderDocs } from '../scripts/docs/main';

const project = resolve(__dirname, '..');

test('the generated documents are up to date (run `npm run docs`)', async () => {
  for (const [path, text] of Object.entries(await renderDocs())) {
    expect(readFileSync(join(project, path), 'utf8')).toBe(text);
  }
});

const documents = [project, join(project, 'docs'), join(project, 'sandbox')].flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file): [name: string, file: string] => [join(folder, file).slice(project.length + 1), join(folder, file)]),
);

test.each(documents)('every link in %s works', (_, file) => {
  const text = readFileSync(file, 'utf8');
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const inside = links.filter((link) => link.startsWith('#')).map((link) => link.slice(1));
  expect(headings).toEqual(expect.arrayContaining(inside));
  const files = links.filter((link) => !/^(#|https:|mailto:)/.test(link)).map((link) => link.replace(/#.*/, ''));
  expect(files.filter((link) => !existsSync(join(dirname(file), link)))).toEqual([]);
});

const commandsOf = (text: string, tool: RegExp): string[] =>
  [...text.matchAll(tool)].map(([, command = '']) => command);

test.each(documents)('every command in %s exists', (_, file) => {
  const text = readFileSync(file, 'utf8');
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commandsOf(text, /npm run (?:--silent )?(\w+)/g)));
  const tools = join(project, 'node_modules/zapier-platform-cli/src/oclif/commands');
  for (const command of commandsOf(text, /npx zapier-platform ([a-z]+(?::[a-z]+)?)/g)) {
    expect(() => require.resolve(join(tools, command.replace(':', '/')))).not.toThrow();
  }
});
