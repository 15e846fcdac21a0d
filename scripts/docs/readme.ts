import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../../lab/cli/environment';
import { recipes } from '../../lab/recipes';
import type { Kind } from '../../lab/zapier/core/app-definition';
import { brand } from '../../src/brand';
import type { Access } from './access';

const title = /^# .+ integration for Zapier$/m;
const counts = /\d+ triggers, \d+ actions, \d+ searches and \d+ ready-made Zaps/;

/** Returns the text of README.md with the name of the service, and the numbers of steps and recipes that the app has now. */
export const renderReadme = (accesses: Access[]): string => {
  const count = (wanted: Kind): number => accesses.filter(({ kind }) => kind === wanted).length;
  const readme = readFileSync(join(project, 'README.md'), 'utf8');
  for (const line of [title, counts]) {
    if (!line.test(readme)) throw new Error(`README.md has no line that matches ${line}.`);
  }
  return readme
    .replace(title, `# ${brand.name} integration for Zapier`)
    .replace(
      counts,
      `${count('triggers')} triggers, ${count('creates')} actions, ${count('searches')} searches and ${recipes.length} ready-made Zaps`,
    );
};
