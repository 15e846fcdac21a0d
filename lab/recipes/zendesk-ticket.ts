import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

const customer = '+12025550187';

export const zendeskTicket: Recipe = {
  name: 'Ticket for each message',
  group: 'Questions',
  line: 'Open a ticket with the text and the number.',
  title: `Create Zendesk tickets from new ${brand.name} inbound messages`,
  description: `A request for help shouldn't depend on someone noticing it. This integration creates a Zendesk ticket from every new inbound message in ${brand.name}, with its text and phone number. The support team can follow up where it already works.`,
  watchOut:
    'Each message creates a ticket. For one ticket per conversation, use New Conversation in step 1 and Find Conversation History after it.',
  steps: [
    { type: 'app', operation: 'triggers.message_received' },
    other('Zendesk', 'Create Ticket', {
      fields: {
        Subject: '{{1.summary_line}}',
        'Comment Body': '{{1.url}}\n{{1.from}}\n\n{{1.text}}',
        'Requester Name': '{{1.contact.first_name}} {{1.contact.last_name}} {{1.contact.username}}',
      },
    }),
  ],
  examples: [
    {
      name: 'a known customer writes',
      before: [
        { type: 'contact is added', contact: { phone: customer, first_name: 'Sanne', last_name: 'Bakker' } },
        { type: 'customer writes', phone: customer, text: 'The box was wet.' },
      ],
      outcome: {
        received: [
          {
            app: 'Zendesk',
            fields: {
              Subject: `From Sanne Bakker ${customer}: "The box was wet."`,
              'Comment Body': `${customer}\n\nThe box was wet.`,
              'Requester Name': 'Sanne Bakker',
            },
          },
        ],
      },
    },
    {
      name: 'a customer who hides the phone number writes',
      before: [{ type: 'customer writes', phone: '@lena.m', text: 'The box was wet.' }],
      outcome: {
        received: [
          { app: 'Zendesk', fields: { Subject: 'From @lena.m: "The box was wet."', 'Requester Name': 'lena.m' } },
        ],
      },
    },
  ],
};
