import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

export const facebookLead: Recipe = {
  name: 'Message for each new lead',
  group: 'Leads',
  line: 'Greet people while they still remember your offer.',
  title: `Send ${brand.name} WhatsApp messages to new Facebook Lead Ads leads`,
  description: `Leads are more likely to answer when they hear from you within minutes. This automation sends a first message through ${brand.name} to each new lead from Facebook Lead Ads. Greet people while they still remember your offer.`,
  watchOut:
    'Message only people who agreed to receive messages. Ask for their consent on your lead form, and add a filter for it after step 1.',
  steps: [
    other('Facebook Lead Ads', 'New Lead', {
      gives: {
        id: '1023456789012345',
        created_time: '2026-06-11T09:40:12+0000',
        form_name: 'Free trial lesson',
        first_name: 'Jack',
        full_name: 'Jack Turner',
        email: 'jack.turner@example.com',
        phone_number: '+12025550153',
      },
    }),
    {
      type: 'app',
      operation: 'creates.send_message',
      values: { to: '{{1.phone_number}}', deduplication_key: '{{1.id}}' },
      choices: {
        channel: 'whatsapp',
        template: 'trial_lesson',
        variable_first_name: '{{1.first_name}}',
        variable_lesson: 'a free trial lesson',
      },
    },
  ],
  examples: [
    {
      name: 'a lead',
      outcome: {
        sent: [
          {
            to: '+12025550153',
            text: 'Hi Jack, thank you for asking about a free trial lesson! When may we call you?',
          },
        ],
      },
    },
  ],
};
