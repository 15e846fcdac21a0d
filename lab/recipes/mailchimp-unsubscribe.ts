import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

const customer = '+12025550187';

export const mailchimpUnsubscribe: Recipe = {
  name: 'Unsubscribe people in Mailchimp',
  group: 'Safety nets',
  line: 'Stop your newsletter too when someone opts out.',
  title: `Unsubscribe Mailchimp subscribers for new opt-outs in ${brand.name}`,
  description: `Someone who opts out of your messages seldom wants your newsletter. When a contact opts out in ${brand.name}, this automation unsubscribes the email address in Mailchimp. It works on every plan with the API.`,
  watchOut:
    'Only contacts with an email address can be unsubscribed. For a CRM, replace step 3 with its action that updates a contact. Zapier looks for opt-outs every 1 to 15 minutes.',
  steps: [
    { type: 'app', operation: 'triggers.contact_opted_out' },
    { type: 'filter', rules: [{ value: '{{1.email}}', condition: 'Exists', text: '' }] },
    other('Mailchimp', 'Unsubscribe Email', { fields: { 'Subscriber Email': '{{1.email}}' } }),
  ],
  examples: [
    {
      name: 'a customer opts out',
      before: [
        {
          type: 'contact is added',
          contact: { phone: customer, email: 'sanne.bakker@example.com', first_name: 'Sanne', consent: 'opted_in' },
        },
        { type: 'contact opts out', phone: customer },
      ],
      outcome: { received: [{ app: 'Mailchimp', fields: { 'Subscriber Email': 'sanne.bakker@example.com' } }] },
    },
  ],
};
