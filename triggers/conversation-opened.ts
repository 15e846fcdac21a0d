import { defineTrigger } from 'zapier-platform-core';
import { watchedChannelFields } from '../src/trigger/fields';
import { hook } from '../src/trigger/instant-trigger';
import { recentConversations } from '../src/trigger/recent';

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
