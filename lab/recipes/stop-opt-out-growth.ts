import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';
import { stopWords } from './stop-words';

const customer = '+12025550187';

export const stopOptOutGrowth: Recipe = {
  name: 'Opt out people who write STOP, on the Growth plan',
  group: 'Safety nets',
  line: 'Look for STOP every hour, without webhooks.',
  title: `Update ${brand.name} contacts every hour if their messages say STOP`,
  description: `The law lets people opt out on every plan. Every hour, this automation finds the messages in ${brand.name} that say STOP, or the same in another language, and marks those contacts as opted out. It works on the Growth plan, which has no webhooks.`,
  notATemplate: 'It has a Looping step.',
  watchOut:
    'It looks back two hours, so no message falls between two runs. Someone who agrees again in that time is opted out once more. If Zapier or the service was down for longer, run the Zap once with a longer time in **Sent After**. An opted-out contact gets no templates at all, also no reminders.',
  steps: [
    other('Schedule by Zapier', 'Every Hour', { gives: { id: '2025-06-11T17:00:00+00:00', hour: 17 } }),
    {
      type: 'app',
      operation: 'searches.find_messages',
      values: { direction: 'inbound', contains: stopWords, match: 'exact', after: '2 hours ago', message_limit: '500' },
      search: { results: 'all', whenNone: 'stop' },
    },
    { type: 'loop', values: { Contact: '{{2.contact.id}}' } },
    { type: 'app', operation: 'creates.update_contact', values: { contact: '{{3.Contact}}', consent: 'opted_out' } },
  ],
  examples: [
    {
      name: 'two customers opt out, and a third only uses the word',
      before: [
        { type: 'contact is added', contact: { phone: customer, first_name: 'Sanne', consent: 'opted_in' } },
        { type: 'contact is added', contact: { phone: '+12025550188', first_name: 'Ruben', consent: 'opted_in' } },
        { type: 'contact is added', contact: { phone: '+12025550189', first_name: 'Iris', consent: 'opted_in' } },
        { type: 'customer writes', phone: customer, text: 'Stop.' },
        { type: 'customer writes', phone: '+12025550188', text: 'Can you stop at the neighbors?' },
        { type: 'customer writes', phone: '+12025550189', text: 'désabonner' },
      ],
      outcome: {
        contacts: [
          { phone: customer, consent: 'opted_out' },
          { phone: '+12025550188', consent: 'opted_in' },
          { phone: '+12025550189', consent: 'opted_out' },
        ],
      },
    },
    { name: 'nobody opts out', outcome: { halted: 'The search found nothing.' } },
  ],
};
