import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

const customer = '+12025550187';

export const hubspotNote: Recipe = {
  name: 'Closed conversation as a note',
  group: 'Questions',
  line: 'Keep the whole conversation with the deal.',
  title: `Add new closed ${brand.name} conversations to HubSpot as notes`,
  description: `Sales and support work better when both know what a customer said. When a conversation is closed in ${brand.name}, this integration adds its messages to HubSpot as one note. The customer's history stays complete without copying.`,
  watchOut:
    'Step 2 returns the newest 50 messages. For longer conversations, enter up to 500 in Number of Messages. In step 3, choose the HubSpot contact that gets the note.',
  steps: [
    { type: 'app', operation: 'triggers.conversation_closed' },
    { type: 'app', operation: 'searches.find_conversation_history', values: { conversation: '{{1.id}}' } },
    other('HubSpot', 'Create Engagement', { fields: { Body: '{{2.transcript}}' } }),
  ],
  examples: [
    {
      name: 'the customer has a newer conversation on another channel',
      before: [
        { type: 'customer writes', phone: customer, text: 'Kan het morgen?', channel: 'whatsapp' },
        { type: 'customer writes', phone: customer, text: 'Hello?', channel: 'sms' },
        { type: 'colleague replies', phone: customer, text: 'Dat kan, we komen morgen.', channel: 'whatsapp' },
        { type: 'conversation closes', phone: customer, channel: 'whatsapp' },
      ],
      outcome: { received: [{ app: 'HubSpot', fields: { Body: 'Dat kan, we komen morgen.' } }] },
    },
  ],
};
