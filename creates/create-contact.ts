import { type CreatePerform, defineCreate } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { newContactFields, newContactSample, readNewContact } from '../src/forms/contact-form';
import { formLabels } from '../src/forms/input';
import { outputs } from '../src/forms/output';
import { call } from '../src/http/client';
import { type ReachableContact, toReachableContact } from '../src/messages/person';

const inputFields = newContactFields({ email: ' An email belongs to one contact only.' });

const perform = (async (z, bundle) => {
  const body = await readNewContact(inputFields, bundle);
  const created = await call(z, endpoints.createContact, { body, labels: formLabels(inputFields) });
  return toReachableContact(created);
}) satisfies CreatePerform<typeof inputFields, ReachableContact>;

export default defineCreate({
  key: 'create_contact',
  noun: 'Contact',
  display: {
    label: 'Create Contact',
    description: 'Creates a contact with a phone number or an email address. Stops if the contact already exists.',
  },
  operation: { inputFields, perform, ...outputs.Contact, sample: newContactSample },
});
