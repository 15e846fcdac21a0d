import { defineTrigger } from 'zapier-platform-core';
import { watchedCampaignFields } from '../src/trigger/fields';
import { instantTrigger, recentCampaigns } from '../src/trigger/instant-trigger';

export default defineTrigger({
  key: 'campaign_failed',
  noun: 'Campaign',
  display: {
    label: 'Campaign Failed',
    description: 'Triggers when a campaign stops because of an error (Advanced plan).',
  },
  operation: instantTrigger({
    events: ['campaign.failed'],
    inputFields: watchedCampaignFields,
    filter: ({ campaign }) => ({ campaign_id: campaign }),
    list: (z) => recentCampaigns(z, { status: 'failed' }),
  }),
});
