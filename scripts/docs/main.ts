import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderApi } from './api';
import { expandForms, present } from './definition';
import { renderListing } from './listing';
import { renderReference } from './reference';
import { renderRequests } from './requests';
import { renderTroubleshooting } from './troubleshooting';

/** Renders the documents generated from the app, by their path. */
export const renderDocs = async (): Promise<Record<string, string>> => ({
  'docs/api.md': renderApi(),
  'docs/reference.md': renderReference(await expandForms()),
  'docs/listing.md': renderListing(present),
  'docs/requests.md': await renderRequests(present),
  'docs/troubleshooting.md': renderTroubleshooting(),
});

const write = (documents: Record<string, string>): void => {
  for (const [path, text] of Object.entries(documents)) writeFileSync(join(__dirname, '../..', path), text);
};

if (require.main === module) renderDocs().then(write);
