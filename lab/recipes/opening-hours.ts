import { brand } from '../../src/brand';
import type { Recipe } from './recipe';

const customer = '+12025550187';

export const openingHours: Recipe = {
  name: 'Answer to a common question',
  group: 'Questions',
  line: 'Reply day and night.',
  title: `Answer new ${brand.name} messages that ask about opening hours`,
  description: `Many customers ask the same question, often at night. When a message in ${brand.name} says "open" or "opening hours", this automation answers with your opening hours. Nobody has to be at work for it.`,
  watchOut:
    "A message can't go to someone who hides their phone number, so step 2 stops the run for them. To tell a colleague instead, replace the filter with Paths. A customer gets one answer in 24 hours for each conversation, thanks to Send Once for Each.",
  steps: [
    { type: 'app', operation: 'triggers.message_received', values: { contains: ['open', 'opening hours'] } },
    {
      type: 'filter',
      rules: [{ value: '{{1.has_phone_number}}', condition: '(Boolean) Is true', text: '' }],
    },
    {
      type: 'app',
      operation: 'creates.send_message',
      values: { to: '{{1.contact.phone}}', deduplication_key: '{{1.conversation_id}}' },
      choices: { channel: 'whatsapp', template: 'opening_hours' },
    },
  ],
  examples: [
    {
      name: 'a customer asks',
      before: [{ type: 'customer writes', phone: customer, text: 'When are you open on Saturdays?' }],
      outcome: {
        sent: [{ to: customer, text: 'From June our parcel points are open until 21:00, on Saturdays too.' }],
      },
    },
    {
      name: 'a customer who hides the phone number asks',
      before: [{ type: 'customer writes', phone: '@lena.m', text: 'When are you open on Saturdays?' }],
      outcome: {},
    },
  ],
};
