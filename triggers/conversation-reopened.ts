import { defineTrigger } from 'zapier-platform-core';
import { watchedChannelFields } from '../src/trigger/fields';
import { hook } from '../src/trigger/instant-trigger';
import { recentConversations } from '../src/trigger/recent';

export default defineTrigger({
  key: 'conversation_reopened',
  noun: 'Conversation',
  display: {
    label: 'Conversation Reopened',
    description: 'Triggers when a closed conversation is reopened (Advanced plan).',
  },
  operation: hook({
    events: ['conversation.reopened'],
    inputFields: watchedChannelFields,
    filter: ({ channel }) => ({ channel }),
    list: (z, { channel }) => recentConversations(z, { status: 'open', channel }),
  }),
});
