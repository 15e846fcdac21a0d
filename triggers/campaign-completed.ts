import { defineTrigger } from 'zapier-platform-core';
import { watchedCampaignFields } from '../src/trigger/fields';
import { instantTrigger, recentCampaigns } from '../src/trigger/instant-trigger';

export default defineTrigger({
  key: 'campaign_completed',
  noun: 'Campaign',
  display: {
    label: 'Campaign Completed',
    description: 'Triggers when a campaign has sent all its messages (Advanced plan).',
  },
  operation: instantTrigger({
    events: ['campaign.completed'],
    inputFields: watchedCampaignFields,
    filter: ({ campaign }) => ({ campaign_id: campaign }),
    list: (z) => recentCampaigns(z, { status: 'completed' }),
  }),
});
