import { channelFilter } from '../src/channel-field';
import { hook } from '../src/hook';
import { defineTrigger } from '../src/platform';
import { recentMessages } from '../src/recent';

export default defineTrigger({
  key: 'message_failed',
  noun: 'Message',
  display: {
    label: 'Message Failed',
    description: 'Triggers when a message that you sent cannot be delivered.',
  },
  operation: hook({
    events: ['message.failed'],
    inputFields: [channelFilter],
    filter: ({ channel }) => ({ channel }),
    list: (z, { channel }) => recentMessages(z, { direction: 'outbound', status: 'failed', channel }),
  }),
});
