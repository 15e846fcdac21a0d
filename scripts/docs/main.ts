import '../../lab/cli/sandboxed';
import '../../lab/zapier/core/quiet-core';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, parseFlags, runCommand } from '../../lab/cli/command';
import { UsageError } from '../../lab/cli/errors';
import { missing } from '../../src/api/service';
import { demoAccount } from '../listing/account';
import { accessOf } from './access';
import { renderApi } from './api';
import { renderContributing } from './contributing';
import { renderCurl } from './curl';
import { expandForms } from './definition';
import { renderPage } from './page';
import { renderReadme } from './readme';
import { renderRecipes } from './recipes';
import { renderReference } from './reference';
import { recordStepRequests, type StepRequests } from './requests';
import { renderReview } from './review';
import { renderTroubleshooting } from './troubleshooting';

/** Renders the documents generated from the app, by their path. Runs every step, unless its requests are recorded. */
export const renderDocs = async (recorded?: StepRequests[]): Promise<Record<string, string>> => {
  const app = await expandForms();
  const requests = recorded ?? (await recordStepRequests(app));
  const accesses = accessOf(app, requests);
  return {
    'README.md': renderReadme(accesses),
    'CONTRIBUTING.md': renderContributing(),
    'docs/api.md': renderApi(accesses, requests, await renderCurl()),
    'docs/reference.md': renderReference(app, accesses),
    'docs/recipes.md': renderRecipes(accesses),
    'docs/listing.md': renderPage('listing', {
      'number that replies': demoAccount.replies,
      'number that fails': demoAccount.fails,
      'number that opted out': demoAccount.optedOut,
    }),
    'docs/review.md': renderReview(accesses),
    'docs/troubleshooting.md': renderTroubleshooting(),
  };
};

const command = {
  name: 'npm run docs',
  summary: 'Writes the documents that are generated from the app, and their pictures of the playground.',
  options: {
    pictures: {
      type: 'boolean',
      default: false,
      help: 'Replaces every picture. Without this option, a picture that would look nearly the same is kept.',
    },
    text: { type: 'boolean', default: false, help: 'Leaves the pictures as they are, which saves half a minute.' },
  },
  examples: ['npm run docs', 'npm run docs -- --text', 'npm run docs -- --pictures'],
} as const satisfies Command;

/** Writes a document, unless that's what it says already. Returns whether it did. */
const writeChanged = (path: string, text: string): boolean => {
  const file = join(__dirname, '../..', path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
  writeFileSync(file, text);
  return true;
};

const main = async (args: string[]): Promise<void> => {
  const { pictures, text: isTextOnly } = parseFlags(command, args);
  if (isTextOnly && pictures) throw new UsageError('Use either --text or --pictures.');
  // Only where it's needed. The playground loads before a server starts, which replaces the global Response.
  const screenshots = isTextOnly ? undefined : await import('./screenshots');
  const documents = await renderDocs();
  const written = Object.entries(documents).flatMap(([path, text]) => (writeChanged(path, text) ? [path] : []));
  console.log(written.length > 0 ? `Wrote ${written.join(', ')}.` : 'Every document is up to date.');
  if (!screenshots) return;
  if (Object.values(missing).flat().length > 0) {
    return console.log('Kept docs/pictures, because they show an app that lacks nothing.');
  }
  await screenshots.takeScreenshots({ replacesAll: pictures });
};

if (require.main === module) runCommand(command, main);
