import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

const customer = '+12025550187';
const answered = '+12025550123';

export const unansweredDigest: Recipe = {
  name: 'Daily list of unanswered conversations',
  group: 'Safety nets',
  line: 'List the people who wait, every day at five.',
  title: `Post a daily list of unanswered ${brand.name} conversations to Slack channels`,
  description: `No customer should go home without an answer. Every day at five, this automation collects the open conversations in ${brand.name} in which the customer wrote last, and posts them to a Slack channel. Each line has the question, how long the customer has waited, and a link.`,
  notATemplate: 'It has a Formatter step.',
  watchOut:
    'A customer who only wrote "Thanks" is in the list until someone closes the conversation. Those who have waited longest come first, and if some are left out, the last line says so.',
  steps: [
    other('Schedule by Zapier', 'Every Day', { gives: { id: '2025-06-11T17:00:00+00:00', hour: 17 } }),
    {
      type: 'app',
      operation: 'searches.find_conversations',
      values: { status: 'open', awaiting_reply: 'true' },
      search: { results: 'all', whenNone: 'stop' },
    },
    { type: 'formatter', transform: 'join', input: '{{2.summary_line}}', separator: '[:newline:]' },
    other('Slack', 'Send Channel Message', { fields: { 'Message Text': 'Waiting for a reply:\n{{3.output.text}}' } }),
  ],
  examples: [
    {
      name: 'a customer waits since today, another since yesterday, and a third got an answer',
      before: [
        { type: 'contact is added', contact: { phone: customer, first_name: 'Sanne', last_name: 'Bakker' } },
        { type: 'customer writes', phone: answered, text: 'Is my parcel there?' },
        { type: 'colleague replies', phone: answered, text: 'Yes, since noon.' },
        { type: 'customer writes', phone: customer, text: 'Where is my parcel?' },
      ],
      outcome: {
        received: [
          {
            app: 'Slack',
            fields: {
              'Message Text': [
                'Waiting for a reply:',
                ' (waiting 21 hours) https://',
                `From Sanne Bakker ${customer}: "Where is my parcel?" (waiting `,
              ],
            },
          },
        ],
      },
    },
  ],
};
