import { byRules } from './by-rules';
import { kind } from './kind';

/** A path of Paths by Zapier, with the steps up to the next one. They run when all rules match. */
export const path = kind({
  type: 'path',
  tool: { title: 'Paths', icon: 'git-branch', hue: 'rust' },
  ...byRules,
  title: () => 'Path',
  description: 'The steps up to the next path run only if all rules match. Without a rule, this path always runs.',
  outcomes: { passes: 'Would take this path', stops: 'Would skip this path' },
  named: ({ name = 'Path' }) => ({ app: 'Paths by Zapier', event: name }),
});
