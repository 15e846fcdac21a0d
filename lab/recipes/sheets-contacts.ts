import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

export const sheetsContacts: Recipe = {
  name: 'Back up contacts in Google Sheets',
  group: 'Leads',
  line: 'Keep a copy of your contacts, day by day.',
  title: `Back up ${brand.name} contacts in Google Sheets every day`,
  description: `A copy of your contacts is useful when something is deleted by mistake. Every day, this automation adds the contacts of the last day in ${brand.name} to Google Sheets, with their phone numbers and consent. One step writes all rows.`,
  watchOut:
    'Step 2 returns at most 500 contacts. If **All Contacts Included** is false, run the Zap more often. For people who ask you to delete their data, also delete their row.',
  steps: [
    other('Schedule by Zapier', 'Every Day', { gives: { id: '2025-06-11T20:00:00+00:00', hour: 20 } }),
    {
      type: 'app',
      operation: 'searches.find_contacts',
      values: { created_after: '24 hours ago', contact_limit: '500' },
      search: { results: 'all', whenNone: 'stop' },
    },
    other('Google Sheets', 'Create Multiple Spreadsheet Rows', {
      fields: {
        'Contact ID': '{{2.id}}',
        'First Name': '{{2.first_name}}',
        'Last Name': '{{2.last_name}}',
        Phone: '{{2.phone}}',
        Consent: '{{2.consent}}',
      },
    }),
  ],
  examples: [
    {
      name: 'two contacts were added',
      before: [
        { type: 'contact is added', contact: { phone: '+12025550187', first_name: 'Sanne', last_name: 'Bakker' } },
        { type: 'contact is added', contact: { phone: '+12025550188', first_name: 'Ruben', last_name: 'Smit' } },
      ],
      outcome: {
        received: [
          {
            app: 'Google Sheets',
            fields: { 'First Name': 'Ruben,Sanne', Phone: '+12025550188,+12025550187', Consent: 'unknown,unknown' },
          },
        ],
      },
    },
    { name: 'nobody was added', outcome: { halted: 'The search found nothing.' } },
  ],
};
