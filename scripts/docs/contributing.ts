import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../../lab/cli/environment';
import { alignTables, table } from './markdown';
import { contents } from './rooms';

const place = /\| folder .+?(?=\n\n)/s;

const linkTo = (path: string): string => `[${path}](${path})`;

/** Returns the text of CONTRIBUTING.md with the parts that the project has now. */
export const renderContributing = (): string => {
  const page = readFileSync(join(project, 'CONTRIBUTING.md'), 'utf8');
  if (!place.test(page)) throw new Error('CONTRIBUTING.md has no table with the heading "folder".');
  const rows = Object.entries(contents).map(([paths, holds]) => [paths.split(' ').map(linkTo).join(', '), holds]);
  const docs = ['[docs](docs/README.md)', 'all documents, by what you want to do'];
  return page.replace(place, () => alignTables(table(['folder', 'what it holds'], [...rows, docs])));
};
