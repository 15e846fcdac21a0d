import { channelFilter } from '../src/channel-field';
import { hook } from '../src/hook';
import { defineInputFields, defineTrigger } from '../src/platform';
import { recentMessages } from '../src/recent';

/** Everything but the API, so that what a Zap sends does not start the Zap again. */
const usualSources = ['agent', 'campaign', 'automation'];

const inputFields = defineInputFields([
  channelFilter,
  {
    key: 'sources',
    label: 'Sent By',
    list: true,
    choices: {
      agent: 'A colleague',
      campaign: 'A campaign',
      automation: 'An automation',
      api: 'The API or a Zap',
    },
    helpText:
      'Leave empty for everyone but the API. A Zap can start itself again and again: one that sends messages when the API is chosen, one that triggers campaigns when campaigns are.',
  },
]);

export default defineTrigger({
  key: 'message_sent',
  noun: 'Message',
  display: {
    label: 'New Outbound Message',
    description: 'Triggers when a message to a contact is sent.',
  },
  operation: hook({
    events: ['message.sent'],
    inputFields,
    filter: ({ channel, sources = [] }) => ({ channel, source: sources.length > 0 ? sources : usualSources }),
    list: (z, { channel }) => recentMessages(z, { direction: 'outbound', channel }),
  }),
});
