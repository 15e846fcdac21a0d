import { defineTrigger } from 'zapier-platform-core';
import { watchedChannelFields } from '../src/hook/fields';
import { recentConversations } from '../src/hook/recent';
import { hook } from '../src/hook/rest-hook';

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
