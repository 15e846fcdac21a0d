import { defineTrigger } from 'zapier-platform-core';
import { watchedChannelFields } from '../src/forms/trigger-fields';
import { recentConversations } from '../src/polling/recent';
import { hook } from '../src/webhooks/rest-hook';

export default defineTrigger({
  key: 'conversation_opened',
  noun: 'Conversation',
  display: {
    label: 'New Conversation',
    description: 'Triggers when a conversation with a contact starts (Advanced plan).',
  },
  operation: hook({
    events: ['conversation.opened'],
    inputFields: watchedChannelFields,
    filter: ({ channel }) => ({ channel }),
    list: (z, { channel }) => recentConversations(z, { status: 'open', channel }),
  }),
});
