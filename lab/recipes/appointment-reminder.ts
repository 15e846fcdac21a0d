import { brand } from '../../src/brand';
import { timeZone } from './dates';
import { type OtherRecipeStep, other, type Recipe } from './recipe';

const patient = '+12025550151';
const appointment = 'Friday, June 12, 2:30 PM';
const sent = [{ to: patient, text: `Hi Emily, we look forward to seeing you on ${appointment}. Can you come?` }];

const event = { Calendar: 'Appointments', Event: '{{1.id}}' };

const slack = (text: string): OtherRecipeStep =>
  other('Slack', 'Send Channel Message', { fields: { Channel: '#front-desk', 'Message Text': text } });

const isAnswer = (text: string) => [{ value: '{{7.answer}}', condition: '(Text) Exactly matches' as const, text }];

export const appointmentReminder: Recipe = {
  name: 'Google Calendar reminder with Confirm and Cancel',
  group: 'Appointments',
  line: 'Remind patients the day before. Yes marks the calendar, no frees the slot.',
  title: `Send ${brand.name} WhatsApp reminders for Google Calendar events, and tell Slack who cancels`,
  description:
    'People miss fewer appointments when you remind them the day before. Three hours after the reminder, this integration reads the answer: a confirmed event is marked in Google Calendar, a canceled one is deleted, and Slack tells the front desk about cancellations and about everyone to call.',
  watchOut:
    "Write the customer's name first in the title of each event, and the phone number in its description. Choose your time zone in step 4. An event that you add less than a day ahead may get no reminder. An answer that comes after more than three hours is in the conversation only.",
  notATemplate: 'Its last steps are on paths.',
  steps: [
    other('Google Calendar', 'Event Start', {
      fields: { Calendar: 'Appointments', 'Time Before': '24', 'Time Before (Unit)': 'hours' },
      gives: {
        id: '6h1o3k9s2d',
        start: { dateTime: '2026-06-12T14:30:00-04:00' },
        end: { dateTime: '2026-06-12T15:00:00-04:00' },
        summary: 'Emily Chen, check-up',
        description: 'Phone: (202) 555-0151',
      },
    }),
    { type: 'formatter', transform: 'phone', input: '{{1.description}}' },
    { type: 'formatter', transform: 'split', input: '{{1.summary}}', separator: '[:space:]', segment: 'first' },
    {
      type: 'formatter',
      transform: 'date',
      input: '{{1.start.dateTime}}',
      format: 'dddd, MMMM D, h:mm A',
      zone: timeZone,
    },
    {
      type: 'app',
      operation: 'creates.send_message',
      values: { to: '{{2.output}}', deduplication_key: '{{1.id}} {{1.start.dateTime}}' },
      choices: {
        channel: 'whatsapp',
        template: 'appointment_reminder',
        variable_picture: 'https://files.example.com/lakeside-dental.jpg',
        variable_first_name: '{{3.output}}',
        variable_appointment: '{{4.output}}',
      },
    },
    { type: 'delay', value: '3' },
    {
      type: 'app',
      operation: 'searches.find_reply',
      values: { message: '{{5.id}}', yes_words: ['Confirm'], no_words: ['Cancel'] },
      search: { whenNone: 'continue' },
    },
    { type: 'path', name: 'Confirmed', rules: isAnswer('yes') },
    other('Google Calendar', 'Update Event', {
      fields: { ...event, Summary: 'Confirmed: {{1.summary}}' },
      row: { does: 'change', field: 'Event', column: 'id' },
    }),
    { type: 'path', name: 'Canceled', rules: isAnswer('no') },
    other('Google Calendar', 'Delete Event', {
      fields: event,
      row: { does: 'remove', field: 'Event', column: 'id' },
    }),
    slack('Canceled: {{1.summary}}, {{4.output}}. The slot is free again.'),
    { type: 'path', name: 'No clear answer', rules: [] },
    slack('No clear answer: {{1.summary}}, {{4.output}}. Call {{2.output}}.\n{{7.summary_line}}'),
  ],
  examples: [
    {
      name: 'the patient presses Confirm',
      meanwhile: [{ type: 'customer presses', phone: patient, button: 'Confirm' }],
      outcome: { sent, received: [{ app: 'Google Calendar', fields: { Summary: 'Confirmed' } }] },
    },
    {
      name: 'the patient presses Cancel',
      meanwhile: [{ type: 'customer presses', phone: patient, button: 'Cancel' }],
      outcome: {
        sent,
        received: [
          { app: 'Google Calendar', fields: {} },
          { app: 'Slack', fields: { 'Message Text': `${appointment}. The slot is free again.` } },
        ],
      },
    },
    {
      name: 'the patient writes something else',
      meanwhile: [{ type: 'customer writes', phone: patient, text: 'Can I come at four?' }],
      outcome: {
        sent,
        received: [{ app: 'Slack', fields: { 'Message Text': [`${appointment}. Call `, ': "Can I come at four?"'] } }],
      },
    },
    {
      name: 'the patient does not answer',
      outcome: {
        sent,
        received: [{ app: 'Slack', fields: { 'Message Text': 'No clear answer: Emily Chen' } }],
      },
    },
  ],
};
