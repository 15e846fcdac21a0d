import { type CreatePerform, defineCreate } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { contact } from '../src/api/resources';
import { call } from '../src/call/call';
import { newContactFields, newContactSample, readNewContact } from '../src/contact/form';
import { type ReachableContact, toReachableContact } from '../src/contact/person';
import { formLabels } from '../src/step/input';
import { outputs, withKnownFields } from '../src/step/output';

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
  operation: { inputFields, perform, ...outputs.Contact, sample: withKnownFields(newContactSample, contact) },
});
