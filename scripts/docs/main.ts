import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessOf } from './access';
import { renderApi } from './api';
import { expandForms, present } from './definition';
import { renderListing } from './listing';
import { renderRecipes } from './recipes';
import { renderReference } from './reference';
import { recordRequests, renderRequests } from './requests';
import { renderTroubleshooting } from './troubleshooting';

/** Renders the documents generated from the app, by their path. */
export const renderDocs = async (): Promise<Record<string, string>> => {
  const requests = await recordRequests(present);
  const accesses = accessOf(present, requests);
  return {
    'docs/api.md': renderApi(),
    'docs/reference.md': renderReference(await expandForms(), accesses),
    'docs/recipes.md': renderRecipes(present, accesses),
    'docs/listing.md': renderListing(accesses),
    'docs/requests.md': renderRequests(requests),
    'docs/troubleshooting.md': renderTroubleshooting(),
  };
};

const write = (documents: Record<string, string>): void => {
  for (const [path, text] of Object.entries(documents)) writeFileSync(join(__dirname, '../..', path), text);
};

if (require.main === module) renderDocs().then(write);
