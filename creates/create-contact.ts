import { type CreatePerform, defineCreate, defineInputFields } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import type { Contact } from '../src/api/resources';
import {
  attributesField,
  newContactSample,
  newPersonFields,
  readPerson,
  requirePhoneOrEmail,
  tagsField,
} from '../src/forms/contact-form';
import { readInput } from '../src/forms/input';
import { outputs } from '../src/forms/output';
import { call } from '../src/http/client';

const inputFields = defineInputFields([...newPersonFields, tagsField(''), attributesField]);

const perform = (async (z, bundle) => {
  const { tags, attributes, ...personInput } = readInput(inputFields, bundle.inputData);
  const person = await readPerson(personInput, bundle);
  requirePhoneOrEmail(person);
  return call(z, endpoints.createContact, { body: { ...person, tags, attributes } });
}) satisfies CreatePerform<typeof inputFields, Contact>;

export default defineCreate({
  key: 'create_contact',
  noun: 'Contact',
  display: {
    label: 'Create Contact',
    description: 'Creates a contact with a phone number or an email address. Stops if the contact exists.',
  },
  operation: { inputFields, perform, ...outputs.Contact, sample: newContactSample },
});
