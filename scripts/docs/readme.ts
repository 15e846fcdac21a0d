import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../../lab/cli/environment';
import { recipes } from '../../lab/recipes';
import type { Kind } from '../../lab/zapier/core/app-definition';
import type { Access } from './access';

const counts = /\d+ triggers, \d+ actions, \d+ searches and \d+ ready-made Zaps/;

/** Returns the text of README.md with the numbers of steps and recipes that the app has now. */
export const renderReadme = (accesses: Access[]): string => {
  const count = (wanted: Kind): number => accesses.filter(({ kind }) => kind === wanted).length;
  const readme = readFileSync(join(project, 'README.md'), 'utf8');
  if (!counts.test(readme)) throw new Error(`README.md has no line that matches ${counts}.`);
  return readme.replace(
    counts,
    `${count('triggers')} triggers, ${count('creates')} actions, ${count('searches')} searches and ${recipes.length} ready-made Zaps`,
  );
};
