import { channelFilter } from '../src/channel-field';
import { hook } from '../src/hook';
import { defineTrigger } from '../src/platform';
import { recentConversations } from '../src/recent';

export default defineTrigger({
  key: 'conversation_opened',
  noun: 'Conversation',
  display: {
    label: 'New Conversation',
    description: 'Triggers when a conversation with a contact begins.',
  },
  operation: hook({
    events: ['conversation.opened'],
    inputFields: [channelFilter],
    filter: ({ channel }) => ({ channel }),
    list: (z, { channel }) => recentConversations(z, { status: 'open', channel }),
  }),
});
