import { endpoints } from '../src/api/endpoints';
import { type Contact, contact } from '../src/api/resources';
import { contactField } from '../src/choice-fields';
import { call } from '../src/client';
import { attributesField, personFields, readPerson } from '../src/contact-form';
import { isEmpty } from '../src/encode';
import { halt } from '../src/errors';
import { output } from '../src/forms/output';
import { readInput } from '../src/input';
import { type CreatePerform, defineCreate, defineInputFields } from '../src/platform';

const inputFields = defineInputFields([
  contactField,
  ...personFields,
  { key: 'add_tags', label: 'Tags to Add', list: true, helpText: 'One a line, or several with commas.' },
  { key: 'remove_tags', label: 'Tags to Remove', list: true },
  attributesField,
]);

const perform = (async (z, bundle) => {
  const { contact: id, add_tags, remove_tags, attributes } = readInput(inputFields, bundle.inputData);
  const person = await readPerson(bundle);
  const changes = { ...person, add_tags, remove_tags, attributes };
  if (Object.values(changes).every(isEmpty))
    throw halt('There is nothing to change. Fill in at least one field besides Contact.');
  return call(z, endpoints.updateContact, { id, body: changes });
}) satisfies CreatePerform<typeof inputFields, Contact>;

export default defineCreate({
  key: 'update_contact',
  noun: 'Contact',
  display: {
    label: 'Update Contact',
    description: 'Updates a contact. Fields that are left empty stay as they are.',
  },
  operation: { inputFields, perform, ...output(contact) },
});
