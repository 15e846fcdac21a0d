import { byRules } from './by-rules';
import { kind } from './kind';

/** A path of Paths by Zapier, with the steps up to the next one. They run when all rules match. */
export const path = kind({
  type: 'path',
  listed: 'Paths',
  ...byRules,
  title: () => 'Path',
  named: ({ name = 'Path' }) => ({ app: 'Paths by Zapier', event: name }),
});
