import { defineTrigger } from 'zapier-platform-core';
import { watchedCampaignFields } from '../src/trigger/fields';
import { instantTrigger, recentCampaigns } from '../src/trigger/instant-trigger';

export default defineTrigger({
  key: 'campaign_started',
  noun: 'Campaign',
  display: {
    label: 'Campaign Started',
    description: 'Triggers when a campaign starts sending its messages (Advanced plan).',
  },
  operation: instantTrigger({
    events: ['campaign.started'],
    inputFields: watchedCampaignFields,
    filter: ({ campaign }) => ({ campaign_id: campaign }),
    list: (z) => recentCampaigns(z, { status: ['sending', 'completed'] }),
  }),
});
