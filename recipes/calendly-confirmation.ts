import { brand } from '../src/brand';
import { example, type Recipe } from './recipe';

const customer = '+12025550123';

export const calendlyConfirmation: Recipe = {
  name: 'Confirm a booking and wait for the reply',
  group: 'Appointments',
  line: 'Ask, wait for the answer, tell the team.',
  title: `Send ${brand.name} messages to new Calendly invitees and post replies to Slack`,
  description: `People miss fewer appointments when you ask them to confirm. For every new invitee in Calendly, this integration sends a message through ${brand.name} and waits for the reply. It then posts the reply to a Slack channel, so the team knows who is coming.`,
  watchOut:
    'Step 2 waits for up to 30 days, and step 3 runs only if the person replies. Ask for a phone number on your booking page, because step 2 needs one.',
  steps: [
    {
      type: 'other',
      app: 'Calendly',
      event: 'Invitee Created',
      json: example({
        uri: 'https://calendly.example.com/scheduled_events/7f3c/invitees/9d1e',
        name: 'Noor Visser',
        email: 'noor.visser@example.com',
        text_reminder_number: '+1 202 555 0123',
        timezone: 'Europe/Amsterdam',
        scheduled_event: { name: 'PX-20418', start_time: '2026-06-12T10:30:00.000000Z' },
      }),
    },
    {
      type: 'app',
      operation: 'creates.send_message_and_wait',
      values: { to: '{{1.text_reminder_number}}', deduplication_key: '{{1.uri}}' },
      choices: {
        channel: 'whatsapp',
        template: 'delivery_rescheduled',
        variable_parcel_id: '{{1.scheduled_event.name}}',
        variable_new_date: '{{1.scheduled_event.start_time}}',
        variable_note: 'Will you be at home?',
      },
    },
    {
      type: 'other',
      app: 'Slack',
      event: 'Send Channel Message',
      fields: { 'Message Text': '{{2.summary_line}}' },
    },
  ],
  examples: [
    {
      name: 'the customer replies',
      meanwhile: [{ type: 'customer writes', phone: customer, text: 'Yes, see you then' }],
      outcome: {
        sent: [{ to: customer, text: 'We will bring your parcel PX-20418 on 2026-06-12. Will you be at home?' }],
        received: [{ app: 'Slack', fields: { 'Message Text': ': "Yes, see you then"' } }],
      },
    },
    {
      name: 'the customer does not reply',
      outcome: {
        sent: [{ to: customer, text: 'We will bring your parcel PX-20418 on 2026-06-12. Will you be at home?' }],
      },
    },
  ],
};
