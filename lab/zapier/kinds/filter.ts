import { byRules } from './by-rules';
import { kind } from './kind';

/** Filter by Zapier. A run stops here unless all rules match. */
export const filter = kind({
  type: 'filter',
  tool: { title: 'Filter', icon: 'funnel', hue: 'amber' },
  app: 'Filter by Zapier',
  event: 'Only continue if',
  ...byRules,
  title: () => 'Filter',
  unfilled: (step) =>
    step.rules.length === 0 ? { operation: 'The filter has no rule. Add one and try again.' } : byRules.unfilled(step),
});
