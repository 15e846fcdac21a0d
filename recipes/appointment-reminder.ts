import { brand } from '../src/brand';
import { example, type Recipe } from './recipe';

const customer = '+12025550187';
const sent = [{ to: customer, text: 'We will bring your parcel PX-20418 on 2026-06-12. Is that all right?' }];

export const appointmentReminder: Recipe = {
  name: 'Appointment reminder',
  group: 'Appointments',
  line: "Remind people the day before, and see who doesn't reply.",
  title: `Send ${brand.name} reminders for Acuity Scheduling appointments and post replies to Slack`,
  description: `People miss fewer appointments when you remind them the day before. Before each appointment in Acuity Scheduling, this integration sends a reminder through ${brand.name}. Four hours later, it posts the reply to Slack, or the phone number to call if there is no reply.`,
  notATemplate: 'Its two Slack steps are on paths.',
  watchOut:
    'If someone replies after more than four hours, Slack still gets the phone number to call. The two paths need a paid Zapier plan.',
  steps: [
    {
      type: 'other',
      app: 'Acuity Scheduling',
      event: 'Appointment Start',
      fields: { 'How Long Before': '24 hours' },
      json: example({
        id: 1109810062,
        firstName: 'Sanne',
        lastName: 'Bakker',
        phone: '+1 202 555 0187',
        email: 'sanne@example.com',
        datetime: '2026-06-12T12:30:00+0200',
        type: 'Delivery',
        notes: 'PX-20418',
      }),
    },
    {
      type: 'app',
      operation: 'creates.send_message',
      values: { to: '{{1.phone}}', deduplication_key: '{{1.id}} {{1.datetime}}' },
      choices: {
        channel: 'whatsapp',
        template: 'delivery_rescheduled',
        variable_parcel_id: '{{1.notes}}',
        variable_new_date: '{{1.datetime}}',
        variable_note: 'Is that all right?',
      },
    },
    { type: 'delay', value: '4' },
    {
      type: 'app',
      operation: 'searches.find_reply',
      values: { message: '{{2.id}}' },
      search: { whenNone: 'continue' },
    },
    {
      type: 'path',
      name: 'Replied',
      rules: [{ value: '{{4._zap_search_was_found_status}}', condition: '(Boolean) Is true', text: '' }],
    },
    {
      type: 'other',
      app: 'Slack',
      event: 'Send Channel Message',
      fields: { 'Message Text': '{{4.summary_line}}' },
    },
    {
      type: 'path',
      name: 'No reply',
      rules: [{ value: '{{4._zap_search_was_found_status}}', condition: '(Boolean) Is false', text: '' }],
    },
    {
      type: 'other',
      app: 'Slack',
      event: 'Send Channel Message',
      fields: { 'Message Text': 'No reply yet. Call {{1.phone}}: {{1.firstName}} {{1.lastName}}' },
    },
  ],
  examples: [
    {
      name: 'the customer replies',
      meanwhile: [{ type: 'customer writes', phone: customer, text: 'Yes, thank you' }],
      outcome: {
        sent,
        received: [{ app: 'Slack', fields: { 'Message Text': ': "Yes, thank you"' } }],
      },
    },
    {
      name: 'the customer does not reply',
      outcome: {
        sent,
        received: [{ app: 'Slack', fields: { 'Message Text': 'No reply yet. Call +1 202 555 0187: Sanne Bakker' } }],
      },
    },
  ],
};
