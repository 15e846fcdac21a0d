import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

const person = { email: 'sanne@example.com', first_name: 'Sanne', last_name: 'Bakker', tags: ['form'] };
const outcome = { contacts: [{ ...person, phone: '+12025550187' }] };

export const typeformContact: Recipe = {
  name: 'Contact from a form',
  group: 'Leads',
  line: 'Create the contact, or update the one you have.',
  title: `Create or update ${brand.name} contacts from new Typeform entries`,
  description: `Copying form answers into an address book takes time and causes mistakes. This automation creates a contact in ${brand.name} from every new Typeform entry, with name, phone number and email address. If the person is a contact already, it adds what is missing.`,
  watchOut:
    'People are recognized by phone number or email, which anyone can enter in a form. So a contact keeps the names, phone number and email that it has, and gets no new phone number by its email. To change a name, use Update Contact.',
  steps: [
    other('Typeform', 'New Entry', {
      gives: {
        'Response ID': 'k3v9x2m7q1',
        'First name': 'Sanne',
        'Last name': 'Bakker',
        'Phone number': '+1 202 555 0187',
        Email: 'sanne@example.com',
        'Submitted At': '2026-06-11T09:40:12Z',
      },
    }),
    {
      type: 'app',
      operation: 'creates.create_or_update_contact',
      values: {
        phone: '{{1.Phone number}}',
        email: '{{1.Email}}',
        first_name: '{{1.First name}}',
        last_name: '{{1.Last name}}',
      },
      choices: { tags: ['form'] },
    },
  ],
  examples: [
    { name: 'a new person', outcome },
    {
      name: 'a known person',
      before: [{ type: 'contact is added', contact: { phone: '+12025550187', email: person.email, first_name: 'S.' } }],
      outcome: { contacts: [{ ...person, phone: '+12025550187', first_name: 'S.' }] },
    },
    {
      name: 'a known person with another phone number',
      before: [{ type: 'contact is added', contact: { phone: '+12025550145', email: person.email } }],
      outcome: { contacts: [{ ...person, phone: '+12025550145' }] },
    },
  ],
};
