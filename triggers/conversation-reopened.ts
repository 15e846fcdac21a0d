import { defineTrigger } from 'zapier-platform-core';
import { watchedChannelFields } from '../src/hook/fields';
import { recentConversations } from '../src/hook/recent';
import { hook } from '../src/hook/rest-hook';

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
