import { brand } from '../../src/brand';
import { specialNumbers } from '../sandbox/domain/phone-numbers';
import type { Recipe, RecipeStep } from './recipe';

interface FollowUp extends Pick<Recipe, 'name' | 'line' | 'title' | 'description' | 'watchOut'> {
  /** How long after the campaign, such as `2d`. */
  later: string;
  /** The messages of the campaign whose customers get another one. */
  status: 'not_read' | 'failed';
  /** What keeps it from somebody. */
  unless?: readonly RecipeStep[];
  choices: { channel: string; template: string };
  /** The example: two people got the campaign, and the other one gets this. */
  example: string;
  to: string;
  text: string;
}

/** Sends another message to some of the people whom a campaign was for. */
const followUp = ({ later, status, unless = [], choices, example, to, text, ...texts }: FollowUp): Recipe => ({
  ...texts,
  group: 'Campaigns',
  notATemplate: 'It has a Looping step.',
  steps: [
    { type: 'app', operation: 'triggers.campaign_completed' },
    { type: 'delay', event: 'until', until: `{{1.completed_at}} +${later}` },
    {
      type: 'app',
      operation: 'searches.find_messages',
      values: { status, campaign: '{{1.id}}', message_limit: '500' },
      search: { results: 'all', whenNone: 'stop' },
    },
    { type: 'loop', values: { Phone: '{{3.to}}' } },
    ...unless,
    {
      type: 'app',
      operation: 'creates.send_message',
      values: { to: '{{4.Phone}}', deduplication_key: '{{1.id}}' },
      choices,
    },
  ],
  examples: [
    {
      name: example,
      before: [
        { type: 'contact is added', contact: { phone: '+12025550187', first_name: 'Sanne', tags: ['newsletter'] } },
        { type: 'contact is added', contact: { phone: to, first_name: 'Ruben', tags: ['newsletter'] } },
        { type: 'campaign completes', name: 'Autumn opening hours' },
      ],
      outcome: { sent: [{ to, text }] },
    },
  ],
});

export const campaignFollowUp = followUp({
  name: 'Follow up a campaign',
  line: "Remind those who haven't read it after two days.",
  title: `Send ${brand.name} reminders to people who didn't read a new completed campaign`,
  description: `Not everyone sees a campaign the first time. Two days after a campaign is completed in ${brand.name}, this automation finds the people who haven't read it and sends each of them another template. Those who read it, or couldn't be reached, get nothing.`,
  watchOut:
    "Some people turn read receipts off, so they get the reminder although they read the campaign. Step 3 finds up to 500 people. Don't replay a run from its start after a day, because everyone would get the reminder again.",
  later: '2d',
  status: 'not_read',
  unless: [{ type: 'filter', rules: [{ value: '{{4.Phone}}', condition: 'Exists', text: '' }] }],
  choices: { channel: 'whatsapp', template: 'opening_hours_reminder' },
  example: 'one of two people has read the campaign',
  to: specialNumbers.neverReads,
  text: 'Just a reminder: our parcel points are now open until 21:00, on Saturdays too.',
});

export const campaignTextMessage = followUp({
  name: 'Text the people a campaign did not reach',
  line: 'Send a text message where WhatsApp failed.',
  title: `Send ${brand.name} text messages to people whom a new completed campaign didn't reach`,
  description: `In every campaign, some numbers aren't on WhatsApp. An hour after a campaign is completed in ${brand.name}, this automation finds the messages that failed and sends those people a text message instead.`,
  watchOut:
    "A message also fails when the person blocked you, and then a text message isn't welcome either: **Failure Reason** of step 3 says why. Step 3 finds up to 500 people.",
  later: '1h',
  status: 'failed',
  choices: { channel: 'sms', template: 'opening_hours_sms' },
  example: 'one of two people is not on the channel',
  to: specialNumbers.failsLater,
  text: 'Our parcel points are now open until 21:00, on Saturdays too.',
});
