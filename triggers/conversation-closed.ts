import { channelFilter } from '../src/channel-field';
import { hook } from '../src/hook';
import { defineTrigger } from '../src/platform';
import { recentConversations } from '../src/recent';

export default defineTrigger({
  key: 'conversation_closed',
  noun: 'Conversation',
  display: {
    label: 'Conversation Closed',
    description: 'Triggers when a conversation is closed.',
  },
  operation: hook({
    events: ['conversation.closed'],
    inputFields: [channelFilter],
    filter: ({ channel }) => ({ channel }),
    list: (z, { channel }) => recentConversations(z, { status: 'closed', channel }),
  }),
});
