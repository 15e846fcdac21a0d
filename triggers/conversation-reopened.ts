import { defineInputFields, defineTrigger } from 'zapier-platform-core';
import { channelFilter } from '../src/forms/reference-fields';
import { recentConversations } from '../src/polling/recent';
import { hook } from '../src/webhooks/rest-hook';

const inputFields = defineInputFields([channelFilter]);

export default defineTrigger({
  key: 'conversation_reopened',
  noun: 'Conversation',
  display: {
    label: 'Conversation Reopened',
    description: 'Triggers when a closed conversation is reopened (Advanced plan).',
  },
  operation: hook({
    events: ['conversation.reopened'],
    inputFields,
    filter: ({ channel }) => ({ channel }),
    list: (z, { channel }) => recentConversations(z, { status: 'open', channel }),
  }),
});
