import { type CreatePerform, defineCreate } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import type { Contact } from '../src/api/resources';
import { newContactFields, readNewContact } from '../src/forms/contact-form';
import { outputs } from '../src/forms/output';
import { call, createOrFindId } from '../src/http/client';

const inputFields = newContactFields(
  'An existing contact with this email gets the phone number from this step.',
  ' An existing contact keeps its other tags.',
);

const perform = (async (z, bundle) => {
  const contact = await readNewContact(inputFields, bundle);
  const outcome = await createOrFindId(z, endpoints.createContact, { body: contact });
  if ('created' in outcome) return outcome.created;
  const { tags: add_tags, ...changes } = contact;
  const body = { ...changes, add_tags };
  return call(z, endpoints.updateContact, { id: outcome.existingId, body, labels: { add_tags: 'Tags' } });
}) satisfies CreatePerform<typeof inputFields, Contact>;

export default defineCreate({
  key: 'upsert_contact',
  noun: 'Contact',
  display: {
    label: 'Create or Update Contact',
    description:
      'Creates a contact, or updates the one with the same phone number or email. Empty fields stay unchanged.',
  },
  operation: { inputFields, perform, ...outputs.Contact },
});
