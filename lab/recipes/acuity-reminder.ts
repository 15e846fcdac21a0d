import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

export const acuityReminder: Recipe = {
  name: 'Reminder the day before',
  group: 'Appointments',
  line: 'Two steps, for people who call to cancel.',
  title: `Send ${brand.name} reminders for new Acuity Scheduling appointments`,
  description: `Empty chairs cost money. The day before each appointment in Acuity Scheduling, this automation sends a reminder through ${brand.name} with the date and the time. It asks nothing, so it needs two steps only.`,
  watchOut:
    'Acuity sends reminders, too, so turn those off. An appointment that is booked less than a day ahead may get no reminder. With a calendar, or to let people confirm and cancel with a button, use the recipe with Confirm and Cancel.',
  steps: [
    other('Acuity Scheduling', 'Appointment Start', {
      fields: { 'How Long Before': '24 hours' },
      gives: {
        id: 1109810062,
        firstName: 'Emily',
        lastName: 'Chen',
        phone: '(202) 555-0151',
        type: 'Check-up',
        date: 'June 12, 2026',
        time: '2:30pm',
        datetime: '2026-06-12T14:30:00-04:00',
      },
    }),
    {
      type: 'app',
      operation: 'creates.send_message',
      values: { to: '{{1.phone}}', deduplication_key: '{{1.id}} {{1.datetime}}' },
      choices: {
        channel: 'whatsapp',
        template: 'appointment_tomorrow',
        variable_first_name: '{{1.firstName}}',
        variable_date: '{{1.date}}',
        variable_time: '{{1.time}}',
      },
    },
  ],
  examples: [
    {
      name: 'an appointment',
      outcome: {
        sent: [
          {
            to: '+12025550151',
            text: 'Hi Emily, a reminder of your appointment on June 12, 2026 at 14:30. Call us if you have to move it.',
          },
        ],
      },
    },
  ],
};
