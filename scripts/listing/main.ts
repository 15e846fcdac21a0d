/** `npm run listing`: the folder to paste into Zapier's forms. */
import '../../cli/sandboxed';
import '../../zapier/core/quiet-core';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Command, parseFlags, runCommand } from '../../cli/command';
import { project } from '../../cli/environment';
import { brand } from '../../src/brand';
import { accessOf } from '../docs/access';
import { expandForms } from '../docs/definition';
import { renderListing } from '../docs/listing';
import { recordStepRequests } from '../docs/requests';
import { listProblems } from './problems';
import { renderTemplate, templates } from './templates';

const folder = 'build/listing';

/** The sections of docs/listing.md that are pasted, by the file of each. */
const sections = {
  '1-forms.md': 'What to enter',
  '2-scopes.md': 'What each scope is for',
  '3-reviewer.md': "The reviewer's script",
  '4-notes.md': 'Notes for the reviewer',
  '5-account.md': 'Credentials of the demo account',
};

const sectionOf = (page: string, heading: string): string => {
  const [, section] = page.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`docs/listing.md has no section "${heading}".`);
  const [pasted = ''] = section.replace(/^Paste .*\n\n/m, '').split('\n## ', 1);
  return `# ${heading}\n${pasted.trimEnd()}\n`;
};

/** Returns the files to paste, by their paths in the folder. `page` is docs/listing.md. */
export const renderFiles = (page: string): Record<string, string> => {
  const numbered = templates.map((recipe, index): [string, string] => {
    const name = recipe.name.toLowerCase().replaceAll(/\W+/g, '-');
    return [`templates/${String(index + 1).padStart(2, '0')}-${name}.md`, `${renderTemplate(recipe).trimEnd()}\n`];
  });
  return {
    ...Object.fromEntries(Object.entries(sections).map(([path, heading]) => [path, sectionOf(page, heading)])),
    ...Object.fromEntries(numbered),
  };
};

const command = {
  name: 'npm run listing',
  summary: `Writes what you paste into Zapier's forms to ${folder}. Exits with 1 while a placeholder is left, or while Zapier's rules don't allow a text.`,
  options: {
    slides: {
      type: 'boolean',
      default: false,
      help: 'Also takes slides, in which the playground shows the app.',
    },
  },
  examples: ['npm run listing', 'npm run listing -- --slides'],
} as const satisfies Command;

const writeSlides = async (): Promise<void> => {
  // Tests load the files alone.
  const { takeSlides } = await import('./slides');
  const slides = await takeSlides();
  mkdirSync(join(project, folder, 'slides'), { recursive: true });
  for (const [index, slide] of slides.entries()) {
    writeFileSync(join(project, folder, 'slides', `${String(index + 1).padStart(2, '0')}.png`), slide);
  }
  console.log(`Wrote ${slides.length} slides to ${folder}/slides.`);
};

const main = async (args: string[]): Promise<void> => {
  const { slides } = parseFlags(command, args);
  const app = await expandForms();
  const files = renderFiles(renderListing(accessOf(app, await recordStepRequests(app))));
  rmSync(join(project, folder), { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    const target = join(project, folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  copyFileSync(join(project, 'docs/logo.png'), join(project, folder, 'logo.png'));
  console.log(`Wrote ${Object.keys(files).length} files and the logo to ${folder}.`);
  if (slides) await writeSlides();
  const logo = readFileSync(join(project, 'docs/logo.svg'), 'utf8');
  const problems = listProblems(files, { brand, logo, templates });
  if (problems.length > 0) throw new Error(`The listing isn't ready.\n- ${problems.join('\n- ')}`);
};

if (require.main === module) runCommand(command, main);
