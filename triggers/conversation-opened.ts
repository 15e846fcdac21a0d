import { defineInputFields, defineTrigger } from 'zapier-platform-core';
import { channelFilter } from '../src/forms/reference-fields';
import { recentConversations } from '../src/polling/recent';
import { hook } from '../src/webhooks/rest-hook';

const inputFields = defineInputFields([channelFilter]);

export default defineTrigger({
  key: 'conversation_opened',
  noun: 'Conversation',
  display: {
    label: 'New Conversation',
    description: 'Triggers when a conversation with a contact starts (Advanced plan).',
  },
  operation: hook({
    events: ['conversation.opened'],
    inputFields,
    filter: ({ channel }) => ({ channel }),
    list: (z, { channel }) => recentConversations(z, { status: 'open', channel }),
  }),
});
