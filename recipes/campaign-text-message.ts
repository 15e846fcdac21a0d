import { specialNumbers } from '../sandbox/domain/phone-numbers';
import { brand } from '../src/brand';
import type { Recipe } from './recipe';

const reached = '+12025550187';
const failed = specialNumbers.failsLater;

export const campaignTextMessage: Recipe = {
  name: 'Text the people a campaign did not reach',
  group: 'Campaigns',
  line: 'Send a text message where WhatsApp failed.',
  title: `Send ${brand.name} text messages to people whom a new completed campaign didn't reach`,
  description: `In every campaign, some numbers aren't on WhatsApp. An hour after a campaign is completed in ${brand.name}, this automation finds the messages that failed and sends those people a text message instead.`,
  notATemplate: 'It has a Looping step.',
  watchOut:
    "A message also fails when the person blocked you, and then a text message isn't welcome either: **Failure Reason** of step 3 says why. Step 3 finds up to 500 people.",
  steps: [
    { type: 'app', operation: 'triggers.campaign_completed' },
    { type: 'delay', event: 'until', until: '{{1.completed_at}} +1h' },
    {
      type: 'app',
      operation: 'searches.find_messages',
      values: { status: 'failed', campaign: '{{1.id}}', message_limit: '500' },
      search: { results: 'all', whenNone: 'stop' },
    },
    { type: 'loop', values: { Phone: '{{3.to}}' } },
    {
      type: 'app',
      operation: 'creates.send_message',
      values: { to: '{{4.Phone}}', deduplication_key: '{{1.id}}' },
      choices: { channel: 'sms', template: 'opening_hours_sms' },
    },
  ],
  examples: [
    {
      name: 'one of two people is not on the channel',
      before: [
        { type: 'contact is added', contact: { phone: reached, first_name: 'Sanne', tags: ['newsletter'] } },
        { type: 'contact is added', contact: { phone: failed, first_name: 'Ruben', tags: ['newsletter'] } },
        { type: 'campaign completes', name: 'Autumn opening hours' },
      ],
      outcome: {
        sent: [{ to: failed, text: 'Our parcel points are now open until 21:00, on Saturdays too.' }],
      },
    },
  ],
};
