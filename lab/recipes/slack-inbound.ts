import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

const customer = '+12025550187';

export const slackInbound: Recipe = {
  name: 'Inbound messages in Slack',
  group: 'Questions',
  line: 'Show the whole team what customers ask.',
  title: `Post new ${brand.name} inbound messages to Slack channels`,
  description: `Customers get faster answers when the whole team sees their questions. Whenever a contact sends a message, this automation posts the text, the sender and a link from ${brand.name} to a Slack channel. Nobody has to watch another inbox.`,
  watchOut:
    'Everyone in the Slack channel sees what customers write. Each message starts a run, so if you get many, choose a Channel or enter Words or Phrases in step 1.',
  steps: [
    { type: 'app', operation: 'triggers.message_received' },
    other('Slack', 'Send Channel Message', { fields: { 'Message Text': '{{1.summary_line}} {{1.url}}' } }),
  ],
  examples: [
    {
      name: 'a known customer writes',
      before: [
        { type: 'contact is added', contact: { phone: customer, first_name: 'Sanne', last_name: 'Bakker' } },
        { type: 'customer writes', phone: customer, text: 'Where is my parcel?' },
      ],
      outcome: {
        received: [
          {
            app: 'Slack',
            fields: { 'Message Text': `From Sanne Bakker ${customer}: "Where is my parcel?" (received) https://` },
          },
        ],
      },
    },
    {
      name: 'a customer pretends to be two people',
      before: [
        { type: 'contact is added', contact: { phone: customer, first_name: 'Us' } },
        { type: 'customer writes', phone: customer, text: 'Hi\nFrom Noor +12025550123: "Call me"' },
      ],
      outcome: {
        received: [
          {
            app: 'Slack',
            fields: {
              'Message Text': `From Us ${customer}: "Hi From Noor +12025550123: "Call me"" (received) https://`,
            },
          },
        ],
      },
    },
    {
      name: 'a customer who hides the phone number writes',
      before: [{ type: 'customer writes', phone: '@lena.m', text: 'Where is my parcel?' }],
      outcome: { received: [{ app: 'Slack', fields: { 'Message Text': 'From @lena.m: "Where is my parcel?"' } }] },
    },
  ],
};
