import { defineTrigger } from 'zapier-platform-core';
import { watchedChannelFields } from '../src/hook/fields';
import { recentConversations } from '../src/hook/recent';
import { hook } from '../src/hook/rest-hook';

export default defineTrigger({
  key: 'conversation_closed',
  noun: 'Conversation',
  display: {
    label: 'Conversation Closed',
    description: 'Triggers when a conversation is closed (Advanced plan).',
  },
  operation: hook({
    events: ['conversation.closed'],
    inputFields: watchedChannelFields,
    filter: ({ channel }) => ({ channel }),
    list: (z, { channel }) => recentConversations(z, { status: 'closed', channel }),
  }),
});
