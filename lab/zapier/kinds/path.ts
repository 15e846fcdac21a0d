import { byRules } from './by-rules';
import { kind } from './kind';

/**
 * A path of Paths by Zapier, with the steps up to the next one. They run when all rules match. Without rules, it's the
 * fallback, which runs when the paths before it don't.
 */
export const path = kind({
  type: 'path',
  tool: { title: 'Paths', icon: 'git-branch', hue: 'rust' },
  ...byRules,
  title: () => 'Path',
  description:
    'The steps up to the next path run only if all rules match. A path without rules is the fallback: it runs if no path before it does.',
  guide: (step, show) => (step.rules.length === 0 ? [['Rules', 'Fallback']] : byRules.guide(step, show)),
  named: ({ name = 'Path' }) => ({ app: 'Paths by Zapier', event: name }),
});
