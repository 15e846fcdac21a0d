/** `npm run listing`: the folder to paste into Zapier's forms. */
import '../../lab/cli/sandboxed';
import '../../lab/zapier/core/quiet-core';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Command, parseFlags, runCommand } from '../../lab/cli/command';
import { project } from '../../lab/cli/environment';
import { recipes } from '../../lab/recipes';
import { apiPlan, endpoints } from '../../src/api/endpoints';
import { toLabel } from '../../src/api/labels';
import { brand } from '../../src/brand';
import { alignTables, bullets } from '../docs/markdown';
import { fillIn } from '../docs/page';
import { demoAccount } from './account';
import { listProblems } from './problems';
import { renderTemplate, templates } from './templates';

const folder = 'build/listing';

const otherRecipes = (): string =>
  bullets(recipes.flatMap(({ name, notATemplate }) => (notATemplate ? `${name}: ${notATemplate}` : [])));

const plans = { 'plan of the API': toLabel(apiPlan), 'plan of webhooks': toLabel(endpoints.createWebhook.plan) };

const valuesFor = (): Record<string, Record<string, string>> => ({
  '1-forms': { ...plans, 'API documentation': demoAccount.apiDocumentation },
  '2-account': { ...plans, inbox: demoAccount.inbox, 'demo email': demoAccount.email, 'demo API': demoAccount.api },
  '3-templates': { 'list of other recipes': otherRecipes() },
});

/** Returns the files to paste, by their paths in the folder. */
export const renderFiles = (): Record<string, string> => {
  const pages = Object.entries(valuesFor()).map(([name, values]): [string, string] => [
    `${name}.md`,
    alignTables(fillIn(`scripts/listing/pages/${name}.md`, values)),
  ]);
  const numbered = templates.map((recipe, index): [string, string] => {
    const name = recipe.name.toLowerCase().replaceAll(/\W+/g, '-');
    return [`templates/${String(index + 1).padStart(2, '0')}-${name}.md`, `${renderTemplate(recipe).trimEnd()}\n`];
  });
  return Object.fromEntries([...pages, ...numbered]);
};

const command = {
  name: 'npm run listing',
  summary: `Writes what you paste into Zapier's forms to ${folder}. Exits with 1 while a placeholder is left, or while Zapier's rules don't allow a text.`,
  options: {},
  examples: ['npm run listing'],
} as const satisfies Command;

const main = async (args: string[]): Promise<void> => {
  parseFlags(command, args);
  const files = renderFiles();
  rmSync(join(project, folder), { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    const target = join(project, folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  copyFileSync(join(project, 'docs/logo.png'), join(project, folder, 'logo.png'));
  console.log(`Wrote ${Object.keys(files).length} files and the logo to ${folder}.`);
  const logo = readFileSync(join(project, 'docs/logo.svg'), 'utf8');
  // The page for reviewers names the demo account too.
  const review = readFileSync(join(project, 'docs/review.md'), 'utf8');
  const problems = listProblems({ ...files, 'docs/review.md': review }, { brand, logo, templates });
  if (problems.length > 0) throw new Error(`The listing isn't ready.\n- ${problems.join('\n- ')}`);
};

if (require.main === module) runCommand(command, main);
