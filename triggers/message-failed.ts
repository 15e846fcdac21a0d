import { defineInputFields, defineTrigger } from 'zapier-platform-core';
import { campaignFilter, channelFilter } from '../src/step/dropdowns';
import { limitSources, sourcesFilter } from '../src/trigger/fields';
import { instantTrigger, recentMessages } from '../src/trigger/instant-trigger';

const inputFields = defineInputFields([channelFilter, sourcesFilter(), campaignFilter]);

export default defineTrigger({
  key: 'message_failed',
  noun: 'Message',
  display: {
    label: 'Message Failed',
    description: "Triggers when a message you sent can't be delivered (Advanced plan).",
  },
  operation: instantTrigger({
    events: ['message.failed'],
    direction: 'outbound',
    inputFields,
    filter: ({ channel, sources, campaign }) => ({ channel, source: limitSources(sources), campaign_id: campaign }),
    list: (z, { channel }) => recentMessages(z, { direction: 'outbound', status: 'failed', channel }),
  }),
});
