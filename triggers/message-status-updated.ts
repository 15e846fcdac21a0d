import { channelFilter } from '../src/channel-field';
import { hook } from '../src/hook';
import { defineInputFields, defineTrigger } from '../src/platform';
import { recentMessages } from '../src/recent';

const events = {
  sent: 'message.sent',
  delivered: 'message.delivered',
  read: 'message.read',
  failed: 'message.failed',
} as const;
type Status = keyof typeof events;

const usualStatuses: Status[] = ['delivered', 'read', 'failed'];

const inputFields = defineInputFields([
  {
    key: 'statuses',
    label: 'New Status',
    list: true,
    choices: { sent: 'Sent', delivered: 'Delivered', read: 'Read', failed: 'Failed' },
    helpText: 'Leave empty for delivered, read and failed.',
  },
  channelFilter,
]);

const isStatus = (text: string): text is Status => Object.hasOwn(events, text);

const wanted = ({ statuses = [] }: { statuses?: string[] }): Status[] =>
  statuses.length > 0 ? statuses.filter(isStatus) : usualStatuses;

export default defineTrigger({
  key: 'message_status_updated',
  noun: 'Message',
  display: {
    label: 'Message Status Updated',
    description: 'Triggers when a message that you sent is delivered, read or fails.',
  },
  operation: hook({
    events: ['message.delivered', 'message.read', 'message.failed', 'message.sent'],
    inputFields,
    watch: (input) => wanted(input).map((status) => events[status]),
    filter: ({ channel }) => ({ channel }),
    list: (z, input) => recentMessages(z, { direction: 'outbound', status: wanted(input), channel: input.channel }),
  }),
});
