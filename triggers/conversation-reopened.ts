import { channelFilter } from '../src/channel-field';
import { hook } from '../src/hook';
import { defineTrigger } from '../src/platform';
import { recentConversations } from '../src/recent';

export default defineTrigger({
  key: 'conversation_reopened',
  noun: 'Conversation',
  display: {
    label: 'Conversation Reopened',
    description: 'Triggers when a closed conversation is opened again.',
  },
  operation: hook({
    events: ['conversation.reopened'],
    inputFields: [channelFilter],
    filter: ({ channel }) => ({ channel }),
    list: (z, { channel }) => recentConversations(z, { status: 'open', channel }),
  }),
});
