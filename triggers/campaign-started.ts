import { defineTrigger } from 'zapier-platform-core';
import { watchedCampaignFields } from '../src/hook/fields';
import { recentCampaigns } from '../src/hook/recent';
import { hook } from '../src/hook/rest-hook';

export default defineTrigger({
  key: 'campaign_started',
  noun: 'Campaign',
  display: {
    label: 'Campaign Started',
    description: 'Triggers when a campaign starts sending its messages (Advanced plan).',
  },
  operation: hook({
    events: ['campaign.started'],
    inputFields: watchedCampaignFields,
    filter: ({ campaign }) => ({ campaign_id: campaign }),
    list: (z) => recentCampaigns(z, { status: ['sending', 'completed'] }),
  }),
});
