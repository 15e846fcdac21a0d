import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

const customer = '+12025550152';
const sent = [{ to: customer, text: 'Hi Olivia, your appointment with Maya is confirmed. See you soon!' }];

export const calendlyConfirmation: Recipe = {
  name: 'Confirm each booking and wait for the reply',
  group: 'Appointments',
  line: 'Say that the booking is in, and show the team what the customer replies.',
  title: `Message new Calendly invitees with ${brand.name}, and post replies to Slack`,
  description: `People miss fewer appointments when they hear from you. For every new invitee in Calendly, this integration sends a message through ${brand.name} and waits for the reply. It then posts the reply to a Slack channel, so the team knows who is coming.`,
  watchOut:
    'Step 2 waits for up to 30 days, and step 3 runs only if the person replies. Ask for a phone number on your booking page, because step 2 needs one.',
  steps: [
    other('Calendly', 'Invitee Created', {
      gives: {
        uri: 'https://calendly.example.com/scheduled_events/4c1d/invitees/9d1e',
        first_name: 'Olivia',
        name: 'Olivia Reed',
        email: 'olivia.reed@example.com',
        text_reminder_number: '+1 202-555-0152',
        scheduled_event: {
          name: 'Cut and color',
          start_time: '2026-06-13T14:00:00Z',
          event_memberships: [{ user_name: 'Maya' }],
        },
      },
    }),
    {
      type: 'app',
      operation: 'creates.send_message_and_wait',
      values: { to: '{{1.text_reminder_number}}', deduplication_key: '{{1.uri}}' },
      choices: {
        channel: 'whatsapp',
        template: 'appointment_confirmed',
        variable_1: '{{1.first_name}}',
        variable_2: '{{1.scheduled_event.event_memberships.0.user_name}}',
      },
    },
    other('Slack', 'Send Channel Message', { fields: { Channel: '#salon', 'Message Text': '{{2.summary_line}}' } }),
  ],
  examples: [
    {
      name: 'the customer replies',
      meanwhile: [{ type: 'customer writes', phone: customer, text: 'Great! Can I bring my daughter?' }],
      outcome: {
        sent,
        received: [{ app: 'Slack', fields: { 'Message Text': ': "Great! Can I bring my daughter?"' } }],
      },
    },
    { name: 'the customer does not reply', outcome: { sent } },
  ],
};
