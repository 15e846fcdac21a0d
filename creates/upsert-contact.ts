import { type CreatePerform, defineCreate, defineInputFields } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import type { Contact } from '../src/api/resources';
import {
  attributesField,
  newPersonFields,
  readPerson,
  requirePhoneOrEmail,
  tagsField,
} from '../src/forms/contact-form';
import { readInput } from '../src/forms/input';
import { outputs } from '../src/forms/output';
import { call, createOrFindId } from '../src/http/client';

const [phoneField, emailField, ...detailFields] = newPersonFields;

const inputFields = defineInputFields([
  phoneField,
  {
    ...emailField,
    helpText:
      'Fill in this field, Phone Number, or both. An existing contact with this email gets the phone number from this step.',
  },
  ...detailFields,
  tagsField(' An existing contact keeps its other tags.'),
  attributesField,
]);

const perform = (async (z, bundle) => {
  const { tags, attributes, ...personInput } = readInput(inputFields, bundle.inputData);
  const person = await readPerson(personInput, bundle);
  requirePhoneOrEmail(person);
  const outcome = await createOrFindId(z, endpoints.createContact, { body: { ...person, tags, attributes } });
  if ('created' in outcome) return outcome.created;
  const changes = { ...person, add_tags: tags, attributes };
  return call(z, endpoints.updateContact, { id: outcome.existingId, body: changes, labels: { add_tags: 'Tags' } });
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
