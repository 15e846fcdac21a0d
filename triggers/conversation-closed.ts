import { defineInputFields, defineTrigger } from 'zapier-platform-core';
import { channelFilter } from '../src/forms/reference-fields';
import { recentConversations } from '../src/polling/recent';
import { hook } from '../src/webhooks/rest-hook';

const inputFields = defineInputFields([channelFilter]);

export default defineTrigger({
  key: 'conversation_closed',
  noun: 'Conversation',
  display: {
    label: 'Conversation Closed',
    description: 'Triggers when a conversation is closed (Advanced plan).',
  },
  operation: hook({
    events: ['conversation.closed'],
    inputFields,
    filter: ({ channel }) => ({ channel }),
    list: (z, { channel }) => recentConversations(z, { status: 'closed', channel }),
  }),
});
