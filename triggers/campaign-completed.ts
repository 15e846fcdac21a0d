import { campaignFilter } from '../src/choice-fields';
import { hook } from '../src/hook';
import { defineTrigger } from '../src/platform';
import { recentCampaigns } from '../src/recent';

export default defineTrigger({
  key: 'campaign_completed',
  noun: 'Campaign',
  display: {
    label: 'Campaign Completed',
    description: 'Triggers when a campaign has sent all its messages.',
  },
  operation: hook({
    events: ['campaign.completed'],
    inputFields: [campaignFilter],
    filter: ({ campaign }) => ({ campaign_id: campaign }),
    list: (z) => recentCampaigns(z, { status: 'completed' }),
  }),
});
