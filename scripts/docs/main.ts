import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, parseFlags, runCommand } from '../cli/command';
import { renderApi } from './api';
import { expandForms, present } from './definition';
import { renderListing } from './listing';
import { renderReference } from './reference';
import { renderRequests } from './requests';
import { takeScreenshots } from './screenshots';
import { renderTroubleshooting } from './troubleshooting';

/** Renders the documents generated from the app, by their path. */
export const renderDocs = async (): Promise<Record<string, string>> => ({
  'docs/api.md': renderApi(),
  'docs/reference.md': renderReference(await expandForms()),
  'docs/listing.md': renderListing(present),
  'docs/requests.md': await renderRequests(present),
  'docs/troubleshooting.md': renderTroubleshooting(),
});

const command = {
  name: 'npm run docs',
  summary: 'Writes the documents that are generated from the app, and their pictures of the playground.',
  options: {},
  examples: ['npm run docs'],
} as const satisfies Command;

const main = async (args: string[]): Promise<void> => {
  parseFlags(command, args);
  const documents = await renderDocs();
  for (const [path, text] of Object.entries(documents)) writeFileSync(join(__dirname, '../..', path), text);
  await takeScreenshots();
  console.log(`Wrote ${Object.keys(documents).join(', ')} and docs/pictures.`);
};

if (require.main === module) runCommand(command, main);
