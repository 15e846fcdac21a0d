import { defineTrigger } from 'zapier-platform-core';
import { watchedChannelFields } from '../src/trigger/fields';
import { instantTrigger, recentConversations } from '../src/trigger/instant-trigger';

export default defineTrigger({
  key: 'conversation_reopened',
  noun: 'Conversation',
  display: {
    label: 'Conversation Reopened',
    description: 'Triggers when a closed conversation is reopened (Advanced plan).',
  },
  operation: instantTrigger({
    events: ['conversation.reopened'],
    inputFields: watchedChannelFields,
    filter: ({ channel }) => ({ channel }),
    list: (z, { channel }) => recentConversations(z, { status: 'open', channel }),
  }),
});
