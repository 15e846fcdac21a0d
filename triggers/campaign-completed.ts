import { defineTrigger } from 'zapier-platform-core';
import { watchedCampaignFields } from '../src/hook/fields';
import { recentCampaigns } from '../src/hook/recent';
import { hook } from '../src/hook/rest-hook';

export default defineTrigger({
  key: 'campaign_completed',
  noun: 'Campaign',
  display: {
    label: 'Campaign Completed',
    description: 'Triggers when a campaign has sent all its messages (Advanced plan).',
  },
  operation: hook({
    events: ['campaign.completed'],
    inputFields: watchedCampaignFields,
    filter: ({ campaign }) => ({ campaign_id: campaign }),
    list: (z) => recentCampaigns(z, { status: 'completed' }),
  }),
});
