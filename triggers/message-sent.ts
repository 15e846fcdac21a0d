import { defineInputFields, defineTrigger } from 'zapier-platform-core';
import { channelFilter } from '../src/step/dropdowns';
import { limitSources, loopNote, sourcesFilter } from '../src/trigger/fields';
import { instantTrigger, recentMessages } from '../src/trigger/instant-trigger';

/** Without the API, a Zap can't start itself. Without campaigns, one campaign can't start hundreds of runs. */
const defaultSources = ['colleague', 'automation'];

const inputFields = defineInputFields([
  loopNote(
    "A message that this Zap sends can start it again. To prevent loops, don't choose the API or a campaign in **Sent By** if this Zap sends messages or starts campaigns.",
  ),
  channelFilter,
  sourcesFilter('Leave empty for colleagues and automations.'),
]);

export default defineTrigger({
  key: 'message_sent',
  noun: 'Message',
  display: {
    label: 'New Outbound Message',
    description: 'Triggers when a message is sent to a contact (Advanced plan).',
  },
  operation: instantTrigger({
    events: ['message.sent'],
    direction: 'outbound',
    inputFields,
    filter: ({ channel, sources = [] }) => ({
      channel,
      source: sources.length > 0 ? limitSources(sources) : defaultSources,
    }),
    list: (z, { channel }) => recentMessages(z, { direction: 'outbound', channel }),
  }),
});
