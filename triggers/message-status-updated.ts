import { defineInputFields, defineTrigger } from 'zapier-platform-core';
import { exists } from '../src/api/missing';
import { campaignFilter, channelFilter } from '../src/step/dropdowns';
import { ordered } from '../src/step/input';
import { limitSources, loopNote, sourcesFilter, withoutCampaigns } from '../src/trigger/fields';
import { instantTrigger, recentMessages } from '../src/trigger/instant-trigger';

const events = {
  sent: 'message.sent',
  delivered: 'message.delivered',
  read: 'message.read',
  failed: 'message.failed',
} as const;
type Status = keyof typeof events;

const defaultStatuses: Status[] = ['delivered', 'read', 'failed'];

const isStatus = (value: string | number): value is Status => Object.hasOwn(events, value);

const statuses = ordered(['sent', 'Sent'], ['delivered', 'Delivered'], ['read', 'Read'], ['failed', 'Failed']);

const inputFields = defineInputFields([
  loopNote(
    "A message that this Zap sends can start it again. To prevent loops, don't send messages in this Zap, or choose only colleagues and automations in **Sent By**.",
  ),
  {
    key: 'statuses',
    label: 'New Status',
    list: true,
    choices: statuses.filter(({ value }) => exists(events[value])),
    helpText: 'Leave empty for delivered, read and failed.',
  },
  channelFilter,
  sourcesFilter('Leave empty to skip campaigns, which start a run per recipient.'),
  campaignFilter,
]);

const watchedStatuses = ({ statuses = [] }: { statuses?: readonly (string | number)[] }): Status[] =>
  statuses.length > 0 ? statuses.filter(isStatus) : defaultStatuses;

/**
 * Returns the events to listen to. A message that is read at once may have no event of its delivery (Meta's documentation
 * of message statuses).
 */
const watchedEvents = (input: { statuses?: readonly (string | number)[] }) => {
  const watched = watchedStatuses(input);
  const isReadAsWell = watched.includes('delivered');
  return [...new Set([...watched, ...(isReadAsWell ? (['read'] as const) : [])])].map((status) => events[status]);
};

/** Without a campaign or a sender in the form, one campaign can't start thousands of runs. */
const watchedSources = (sources: readonly string[] = [], campaign?: string): readonly string[] =>
  sources.length === 0 && !campaign ? withoutCampaigns : limitSources(sources);

export default defineTrigger({
  key: 'message_status_updated',
  noun: 'Message',
  display: {
    label: 'Message Status Updated',
    description: 'Triggers when a message you sent is delivered, is read, or fails (Advanced plan).',
  },
  operation: instantTrigger({
    events: ['message.delivered', 'message.read', 'message.failed', 'message.sent'],
    direction: 'outbound',
    inputFields,
    watch: watchedEvents,
    // Its delivery may still be reported later.
    meaning: (event, { delivered_at }, input) =>
      event === events.read && !delivered_at && !watchedStatuses(input).includes('read') ? events.delivered : event,
    accepts: (_, input, event) => !event || watchedStatuses(input).some((status) => events[status] === event),
    filter: ({ channel, sources, campaign }) => ({
      channel,
      source: watchedSources(sources, campaign),
      campaign_id: campaign,
    }),
    list: (z, input) =>
      recentMessages(z, { direction: 'outbound', status: watchedStatuses(input), channel: input.channel }),
  }),
});
