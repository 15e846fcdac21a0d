import { defineTrigger } from 'zapier-platform-core';
import { watchedChannelFields } from '../src/trigger/fields';
import { instantTrigger, recentConversations } from '../src/trigger/instant-trigger';

export default defineTrigger({
  key: 'conversation_opened',
  noun: 'Conversation',
  display: {
    label: 'New Conversation',
    description: 'Triggers when a conversation with a contact starts (Advanced plan).',
  },
  operation: instantTrigger({
    events: ['conversation.opened'],
    inputFields: watchedChannelFields,
    filter: ({ channel }) => ({ channel }),
    list: (z, { channel }) => recentConversations(z, { status: 'open', channel }),
  }),
});
