import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import { endpoints, pageSize } from '../src/api/endpoints';
import { type Contact, contact } from '../src/api/resources';
import { bestMatches } from '../src/formats/best-match';
import { parsePhoneNumber } from '../src/formats/phone-number';
import { readEmail } from '../src/forms/contact-form';
import { readInput } from '../src/forms/input';
import { output } from '../src/forms/output';
import { find } from '../src/http/client';
import { halt } from '../src/platform/errors';

const inputFields = defineInputFields([
  {
    key: 'phone',
    label: 'Phone Number',
    helpText: 'Any way of writing it is fine. Used first, when there is more than one of these fields filled in.',
  },
  { key: 'email', label: 'Email', helpText: 'Used when Phone Number is empty.' },
  { key: 'name', label: 'Name', helpText: 'First name, last name or both. Used when the other fields are empty.' },
]);

const fullName = ({ first_name, last_name }: Contact): string => [first_name, last_name].filter(Boolean).join(' ');

const perform = (async (z, bundle) => {
  const { phone, email, name } = readInput(inputFields, bundle.inputData);
  const search = async (by: { phone?: string; email?: string; query?: string }): Promise<Contact[]> =>
    (await find(z, endpoints.listContacts, { query: { ...by, limit: pageSize.max } }))?.data ?? [];
  if (phone) return search({ phone: await parsePhoneNumber('Phone Number', phone, bundle.authData.default_country) });
  if (email) return search({ email: readEmail(email) });
  if (name) return bestMatches(await search({ query: name }), name, fullName);
  throw halt('Phone Number, Email and Name are all empty. Fill in one of them and try again.');
}) satisfies SearchPerform<typeof inputFields, Contact>;

export default defineSearch({
  key: 'find_contact',
  noun: 'Contact',
  display: {
    label: 'Find Contact',
    description: 'Finds a contact by phone number, email or name.',
  },
  operation: { inputFields, perform, ...output(contact) },
});
