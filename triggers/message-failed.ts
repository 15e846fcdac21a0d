import { defineInputFields, defineTrigger } from 'zapier-platform-core';
import { limitSources, sourcesFilter } from '../src/hook/fields';
import { recentMessages } from '../src/hook/recent';
import { hook } from '../src/hook/rest-hook';
import { campaignFilter, channelFilter } from '../src/step/reference-fields';

const inputFields = defineInputFields([channelFilter, sourcesFilter(), campaignFilter]);

export default defineTrigger({
  key: 'message_failed',
  noun: 'Message',
  display: {
    label: 'Message Failed',
    description: "Triggers when a message you sent can't be delivered (Advanced plan).",
  },
  operation: hook({
    events: ['message.failed'],
    direction: 'outbound',
    inputFields,
    filter: ({ channel, sources, campaign }) => ({ channel, source: limitSources(sources), campaign_id: campaign }),
    list: (z, { channel }) => recentMessages(z, { direction: 'outbound', status: 'failed', channel }),
  }),
});
