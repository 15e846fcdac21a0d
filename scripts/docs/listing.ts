import { demoAccount } from '../listing/account';
import type { Access } from './access';
import { renderPage } from './page';

/** Renders the page about the folder that `npm run listing` writes, and about the account that reviewers need. */
export const renderListing = (accesses: Access[]): string =>
  renderPage('listing', {
    'number of steps': String(accesses.length),
    'number that replies': demoAccount.replies,
    'number that fails': demoAccount.fails,
    'number that opted out': demoAccount.optedOut,
  });
