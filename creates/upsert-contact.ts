import { type CreatePerform, defineCreate, defineInputFields, type ZObject } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { type Contact, contact } from '../src/api/resources';
import { isSameNumber } from '../src/formats/reply';
import {
  attributesField,
  newPersonFields,
  readPerson,
  requirePhoneOrEmail,
  tagsField,
} from '../src/forms/contact-form';
import { readInput } from '../src/forms/input';
import { output } from '../src/forms/output';
import { call, createOrFindExisting } from '../src/http/client';
import { halt } from '../src/platform/errors';

const [phoneField, emailField, ...detailFields] = newPersonFields;

const inputFields = defineInputFields([
  phoneField,
  {
    ...emailField,
    helpText:
      'Fill in this field, Phone Number, or both. If the contact with this email has another phone number, the step stops and changes nothing.',
  },
  ...detailFields,
  tagsField(' An existing contact keeps its other tags.'),
  attributesField,
]);

/** Throws an error when a contact found by email has another phone number, since it may be another person. */
const requireSamePhone = async (z: ZObject, id: string, phone: string): Promise<void> => {
  const existing = await call(z, endpoints.getContact, { id });
  if (!existing.phone || isSameNumber(existing.phone, phone)) return;
  throw halt(
    `Email: the contact with this email has another phone number, so nothing changed. If it's the same person, use Update Contact with the contact ${id}.`,
  );
};

const perform = (async (z, bundle) => {
  const { tags, attributes } = readInput(inputFields, bundle.inputData);
  const person = await readPerson(bundle);
  requirePhoneOrEmail(person);
  const outcome = await createOrFindExisting(z, endpoints.createContact, { body: { ...person, tags, attributes } });
  if ('created' in outcome) return outcome.created;
  if (person.phone && person.email && outcome.field !== 'phone') {
    await requireSamePhone(z, outcome.existingId, person.phone);
  }
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
  operation: { inputFields, perform, ...output(contact) },
});
