import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

const person = { phone: '+12025550144', email: 'mila@example.com', first_name: 'Mila', last_name: 'Jansen' };

export const mailchimpSubscriber: Recipe = {
  name: 'New contact as a subscriber',
  group: 'Campaigns',
  line: 'Add the people who opted in to your audience.',
  title: `Add new ${brand.name} contacts to Mailchimp as subscribers`,
  description: `People who write to you often want your news as well. This automation adds each new contact in ${brand.name} to a Mailchimp audience, with name and email address. Only people who opted in are added.`,
  watchOut:
    "Step 3 fails for a contact without an email address, so add a second rule to the filter: Email Exists. Permission for messages isn't always permission for email.",
  steps: [
    { type: 'app', operation: 'triggers.new_contact' },
    { type: 'filter', rules: [{ value: '{{1.consent}}', condition: '(Text) Exactly matches', text: 'opted_in' }] },
    other('Mailchimp', 'Add/Update Subscriber', {
      fields: {
        'Subscriber Email': '{{1.email}}',
        'First Name': '{{1.first_name}}',
        'Last Name': '{{1.last_name}}',
      },
    }),
  ],
  examples: [
    {
      name: 'a contact who opted in',
      before: [{ type: 'contact is added', contact: { ...person, consent: 'opted_in' } }],
      outcome: {
        received: [
          {
            app: 'Mailchimp',
            fields: { 'Subscriber Email': 'mila@example.com', 'First Name': 'Mila', 'Last Name': 'Jansen' },
          },
        ],
      },
    },
    {
      name: 'a contact who did not opt in',
      before: [{ type: 'contact is added', contact: person }],
      outcome: {},
    },
  ],
};
