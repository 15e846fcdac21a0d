import { brand } from '../../src/brand';
import { specialNumbers } from '../sandbox/domain/phone-numbers';
import type { Recipe } from './recipe';

const tags = ['newsletter'];

export const campaignFollowUp: Recipe = {
  name: 'Follow up a campaign',
  group: 'Campaigns',
  line: "Remind those who haven't read it after two days.",
  title: `Send ${brand.name} reminders to people who didn't read a new completed campaign`,
  description: `Not everyone sees a campaign the first time. Two days after a campaign is completed in ${brand.name}, this automation finds the people who haven't read it and sends each of them another template. Those who read it, or couldn't be reached, get nothing.`,
  watchOut:
    "Some people turn read receipts off, so they get the reminder although they read the campaign. Step 3 finds up to 500 people. Don't replay a run from its start after a day, because everyone would get the reminder again.",
  notATemplate: 'It has a Looping step.',
  steps: [
    { type: 'app', operation: 'triggers.campaign_completed' },
    { type: 'delay', event: 'until', until: '{{1.completed_at}} +2d' },
    {
      type: 'app',
      operation: 'searches.find_messages',
      values: { status: 'not_read', campaign: '{{1.id}}', message_limit: '500' },
      search: { results: 'all', whenNone: 'stop' },
    },
    { type: 'loop', values: { Phone: '{{3.to}}' } },
    { type: 'filter', rules: [{ value: '{{4.Phone}}', condition: 'Exists', text: '' }] },
    {
      type: 'app',
      operation: 'creates.send_message',
      values: { to: '{{4.Phone}}', deduplication_key: '{{1.id}}' },
      choices: { channel: 'whatsapp', template: 'opening_hours_reminder' },
    },
  ],
  examples: [
    {
      name: 'one of two people has read the campaign',
      before: [
        { type: 'contact is added', contact: { phone: '+12025550187', first_name: 'Sanne', tags } },
        { type: 'contact is added', contact: { phone: specialNumbers.neverReads, first_name: 'Ruben', tags } },
        { type: 'campaign completes', name: 'Autumn opening hours' },
      ],
      outcome: {
        sent: [
          {
            to: specialNumbers.neverReads,
            text: 'Just a reminder: our parcel points are now open until 21:00, on Saturdays too.',
          },
        ],
      },
    },
  ],
};
