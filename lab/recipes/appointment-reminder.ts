import { brand } from '../../src/brand';
import { timeZone } from './dates';
import { type OtherRecipeStep, other, type Recipe, type RecipeStep } from './recipe';

const patient = '+12025550151';
const start = '2026-06-12T14:30:00-04:00';

/** How a calendar or booking app tells of an appointment, and how it's changed there. */
interface Calendar {
  /** The app as people call it. */
  name: string;
  title: string;
  line: string;
  description: string;
  watchOut: string;
  /** The trigger, and the steps until the day before. */
  begins: readonly [OtherRecipeStep, ...RecipeStep[]];
  /** When the appointment of the example is, in the words of the message. */
  appointment: string;
  /** What the appointment is mapped from. */
  mapped: { id: string; start: string; firstName: string; fullName: string; phone: string };
  confirm: OtherRecipeStep;
  cancel: OtherRecipeStep;
}

const formatter = (transform: string, input: string, settings: object = {}): RecipeStep => ({
  type: 'formatter',
  transform,
  input,
  ...settings,
});

const slack = (text: string): OtherRecipeStep =>
  other('Slack', 'Send Channel Message', { fields: { Channel: '#front-desk', 'Message Text': text } });

const lastFieldOf = ({ fields = {} }: OtherRecipeStep): string => Object.keys(fields).at(-1) ?? '';

/** A reminder with the quick replies Confirm and Cancel, and what each answer leads to. */
const reminder = ({ begins, appointment, mapped, confirm, cancel, ...texts }: Calendar): Recipe => {
  const { id, start: begin, firstName, fullName, phone } = mapped;
  // The steps after the beginning, by their position in the Zap.
  const [date, send, reply] = [begins.length + 1, begins.length + 2, begins.length + 4];
  const when = `{{${date}.output}}`;
  const isAnswer = (text: string) => [
    { value: `{{${reply}.answer}}`, condition: '(Text) Exactly matches' as const, text },
  ];
  const sent = [{ to: patient, text: `Hi Emily, we look forward to seeing you on ${appointment}. Can you come?` }];
  const press = (button: string) => [{ type: 'customer presses' as const, phone: patient, button }];
  const found = begins.slice(1).flatMap((step) => (step.type === 'other' ? { app: step.app, fields: {} } : []));
  const told = (...texts: string[]) => ({ app: 'Slack', fields: { 'Message Text': texts } });
  return {
    ...texts,
    name: `${texts.name} reminder with Confirm and Cancel`,
    group: 'Appointments',
    notATemplate: 'Its last steps are on paths.',
    steps: [
      ...begins,
      formatter('date', begin, { format: 'dddd, MMMM D, h:mm A', zone: timeZone }),
      {
        type: 'app',
        operation: 'creates.send_message',
        values: { to: phone, deduplication_key: `${id} ${begin}` },
        choices: {
          channel: 'whatsapp',
          template: 'appointment_reminder',
          variable_picture: 'https://files.example.com/lakeside-dental.jpg',
          variable_first_name: firstName,
          variable_appointment: when,
        },
      },
      { type: 'delay', value: '3' },
      {
        type: 'app',
        operation: 'searches.find_reply',
        values: { message: `{{${send}.id}}` },
        search: { whenNone: 'continue' },
      },
      { type: 'path', name: 'Confirmed', rules: isAnswer('yes') },
      confirm,
      { type: 'path', name: 'Canceled', rules: isAnswer('no') },
      cancel,
      slack(`Canceled: ${fullName}, ${when}. The slot is free again.`),
      { type: 'path', name: 'No clear answer', rules: [] },
      slack(`No clear answer: ${fullName}, ${when}. Call ${phone}.\n{{${reply}.summary_line}}`),
    ],
    examples: [
      {
        name: 'the patient presses Confirm',
        meanwhile: press('Confirm'),
        outcome: { sent, received: [...found, { app: confirm.app, fields: { [lastFieldOf(confirm)]: 'Confirmed' } }] },
      },
      {
        name: 'the patient presses Cancel',
        meanwhile: press('Cancel'),
        outcome: {
          sent,
          received: [...found, { app: cancel.app, fields: {} }, told(`${appointment}. The slot is free again.`)],
        },
      },
      {
        name: 'the patient writes something else',
        meanwhile: [{ type: 'customer writes', phone: patient, text: 'Can I come at four?' }],
        outcome: { sent, received: [...found, told(`${appointment}. Call `, ': "Can I come at four?"')] },
      },
      {
        name: 'the patient does not answer',
        outcome: { sent, received: [...found, told('No clear answer: Emily Chen')] },
      },
    ],
  };
};

const after = 'Three hours after the reminder, this integration reads the answer';

interface EventCalendar extends Pick<Calendar, 'name' | 'title' | 'line'> {
  app: string;
  why: string;
  /** Where a person writes the phone number. */
  place: string;
  /** What the app calls starting, changing and deleting an event, an event's title, and its text. */
  words: { start: string; update: string; remove: string; title: string };
  /** The path of the title and of the text in an event. */
  paths: { title: string; text: string };
  event: Record<string, unknown> & { id: string };
}

/** A reminder for the events of a calendar, which know a patient only by what their title and text say. */
const eventReminder = ({ app, why, place, words, paths, event, ...texts }: EventCalendar): Recipe => {
  const fields = { Calendar: 'Appointments', Event: '{{1.id}}' };
  const fullName = `{{1.${paths.title}}}`;
  const record = { ...event, [paths.title]: 'Emily Chen, check-up', [paths.text]: 'Phone: (202) 555-0151' };
  return reminder({
    ...texts,
    description: `${why} ${after}: a confirmed event is marked in ${app}, a canceled one is deleted, and Slack tells the front desk about cancellations and about everyone to call.`,
    watchOut: `Write the customer's name first in the title of each event, and the phone number in its ${place}. Choose your time zone in step 4. An answer that comes after more than three hours is in the conversation only.`,
    begins: [
      other(app, words.start, {
        fields: { Calendar: 'Appointments', 'Time Before': '24', 'Time Before (Unit)': 'hours' },
        gives: record,
      }),
      formatter('phone', `{{1.${paths.text}}}`),
      formatter('split', fullName, { separator: '[:space:]', segment: 'first' }),
    ],
    appointment: 'Friday, June 12, 2:30 PM',
    mapped: {
      id: '{{1.id}}',
      start: '{{1.start.dateTime}}',
      firstName: '{{3.output}}',
      fullName,
      phone: '{{2.output}}',
    },
    confirm: other(app, words.update, {
      fields: { ...fields, [words.title]: `Confirmed: ${fullName}` },
      row: { does: 'change', field: 'Event', column: 'id' },
    }),
    cancel: other(app, words.remove, { fields, row: { does: 'remove', field: 'Event', column: 'id' } }),
  });
};

export const googleCalendarReminder = eventReminder({
  name: 'Google Calendar',
  title: `Send ${brand.name} reminders for Google Calendar events and post cancellations to Slack`,
  line: 'Remind patients the day before. Yes marks the calendar, no frees the slot.',
  app: 'Google Calendar',
  why: 'People miss fewer appointments when you remind them the day before.',
  place: 'description',
  words: { start: 'Event Start', update: 'Update Event', remove: 'Delete Event', title: 'Summary' },
  paths: { title: 'summary', text: 'description' },
  event: { id: '6h1o3k9s2d', start: { dateTime: start }, end: { dateTime: '2026-06-12T15:00:00-04:00' } },
});

export const outlookReminder = eventReminder({
  name: 'Outlook calendar',
  title: `Send ${brand.name} reminders for Microsoft Outlook events and post cancellations to Slack`,
  line: 'Remind patients the day before, from the calendar in Outlook.',
  app: 'Microsoft Outlook',
  why: 'Patients who get a reminder the day before come more often.',
  place: 'text',
  words: {
    start: 'Calendar Event Start',
    update: 'Update Calendar Event',
    remove: 'Delete Calendar Event',
    title: 'Subject',
  },
  paths: { title: 'subject', text: 'bodyPreview' },
  event: {
    id: 'AAMkAGI2TQZ7',
    start: { dateTime: '2026-06-12T18:30:00Z' },
    end: { dateTime: '2026-06-12T19:00:00Z' },
  },
});

export const acuityReminder = reminder({
  name: 'Acuity appointment',
  title: `Send ${brand.name} reminders for Acuity Scheduling appointments and post cancellations to Slack`,
  line: 'Remind patients the day before. Yes is noted, no frees the slot.',
  description: `Empty chairs cost money. Before each appointment in Acuity Scheduling, this integration sends a reminder with two buttons. ${after}: it notes a confirmation in the appointment, cancels it for those who can't come, and tells the front desk in Slack whom to call.`,
  watchOut:
    'Choose your time zone in step 2. An answer that comes after more than three hours is in the conversation only. Acuity sends reminders, too, so turn those off.',
  begins: [
    other('Acuity Scheduling', 'Appointment Start', {
      fields: { 'How Long Before': '24 hours' },
      gives: {
        id: 1109810062,
        firstName: 'Emily',
        lastName: 'Chen',
        phone: '(202) 555-0151',
        type: 'Check-up',
        datetime: start,
        notes: '',
      },
    }),
  ],
  appointment: 'Friday, June 12, 2:30 PM',
  mapped: {
    id: '{{1.id}}',
    start: '{{1.datetime}}',
    firstName: '{{1.firstName}}',
    fullName: '{{1.firstName}} {{1.lastName}}',
    phone: '{{1.phone}}',
  },
  confirm: other('Acuity Scheduling', 'Update Appointment', {
    fields: { Appointment: '{{1.id}}', Notes: 'Confirmed by message' },
    row: { does: 'change', field: 'Appointment', column: 'id' },
  }),
  cancel: other('Acuity Scheduling', 'Cancel Appointment', {
    fields: { Appointment: '{{1.id}}' },
    row: { does: 'remove', field: 'Appointment', column: 'id' },
  }),
});

const booking = '{{1.scheduled_event.uri}}';

export const calendlyReminder = reminder({
  name: 'Calendly booking',
  title: `Send ${brand.name} reminders for Calendly bookings, mark Google Calendar and post cancellations to Slack`,
  line: 'Wait until the day before, and ask. No frees the slot.',
  description: `Someone who books weeks ahead forgets. After a booking in Calendly, this integration waits until the day before, checks that the booking still stands, and asks with two buttons. ${after}: a confirmed event is marked in Google Calendar, a canceled one is canceled in Calendly, and Slack has the rest.`,
  watchOut:
    'Ask for a phone number on your booking page. Zapier waits for 31 days at most, so let people book no further ahead. Steps 3 and 4 keep those who moved or canceled their booking from a wrong reminder. Choose your time zone in step 5.',
  begins: [
    other('Calendly', 'Invitee Created', {
      gives: {
        first_name: 'Emily',
        name: 'Emily Chen',
        text_reminder_number: '+1 202-555-0151',
        created_at: '2026-06-11T09:40:12Z',
        scheduled_event: {
          uri: 'https://calendly.example.com/scheduled_events/7f3c',
          name: 'Check-up',
          start_time: '2026-06-15T18:30:00Z',
          calendar_event: { external_id: '6h1o3k9s2d' },
        },
      },
    }),
    { type: 'delay', event: 'until', value: '1', until: '{{1.scheduled_event.start_time}} -1d' },
    other('Calendly', 'Find Event', {
      fields: { Event: booking },
      gives: { uri: 'https://calendly.example.com/scheduled_events/7f3c', status: 'active' },
    }),
    { type: 'filter', rules: [{ value: '{{3.status}}', condition: '(Text) Exactly matches', text: 'active' }] },
  ],
  appointment: 'Monday, June 15, 2:30 PM',
  mapped: {
    id: booking,
    start: '{{1.scheduled_event.start_time}}',
    firstName: '{{1.first_name}}',
    fullName: '{{1.name}}',
    phone: '{{1.text_reminder_number}}',
  },
  confirm: other('Google Calendar', 'Update Event', {
    fields: {
      Calendar: 'Appointments',
      Event: '{{1.scheduled_event.calendar_event.external_id}}',
      Summary: 'Confirmed: {{1.name}}',
    },
  }),
  cancel: other('Calendly', 'Cancel Event', {
    fields: { Event: booking },
    row: { does: 'remove', field: 'Event', column: 'scheduled_event.uri' },
  }),
});
