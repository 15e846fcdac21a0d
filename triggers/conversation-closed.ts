import { defineTrigger } from 'zapier-platform-core';
import { watchedChannelFields } from '../src/trigger/fields';
import { instantTrigger, recentConversations } from '../src/trigger/instant-trigger';

export default defineTrigger({
  key: 'conversation_closed',
  noun: 'Conversation',
  display: {
    label: 'Conversation Closed',
    description: 'Triggers when a conversation is closed (Advanced plan).',
  },
  operation: instantTrigger({
    events: ['conversation.closed'],
    inputFields: watchedChannelFields,
    filter: ({ channel }) => ({ channel }),
    list: (z, { channel }) => recentConversations(z, { status: 'closed', channel }),
  }),
});
