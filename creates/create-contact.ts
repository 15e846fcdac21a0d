import { endpoints } from '../src/api/endpoints';
import { type Contact, contact } from '../src/api/resources';
import { attributesField, personFields, readPerson } from '../src/forms/contact-form';
import { readInput } from '../src/forms/input';
import { output } from '../src/forms/output';
import { call } from '../src/http/client';
import { type CreatePerform, defineCreate, defineInputFields } from '../src/platform';
import { halt } from '../src/platform/errors';

const inputFields = defineInputFields([
  ...personFields,
  { key: 'tags', label: 'Tags', list: true, helpText: 'One a line, or several with commas.' },
  attributesField,
]);

const perform = (async (z, bundle) => {
  const { tags, attributes } = readInput(inputFields, bundle.inputData);
  const person = await readPerson(bundle);
  if (!person.phone && !person.email)
    throw halt('Phone Number and Email are both empty. Fill in one of them and try again.');
  return call(z, endpoints.createContact, { body: { ...person, tags, attributes } });
}) satisfies CreatePerform<typeof inputFields, Contact>;

export default defineCreate({
  key: 'create_contact',
  noun: 'Contact',
  display: {
    label: 'Create Contact',
    description: 'Creates a contact with a phone number or an email address.',
  },
  operation: { inputFields, perform, ...output(contact) },
});
