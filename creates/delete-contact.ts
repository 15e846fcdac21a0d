import { endpoints } from '../src/api/endpoints';
import { contact } from '../src/api/resources';
import { readInput } from '../src/forms/input';
import { contactField } from '../src/forms/reference-fields';
import { call } from '../src/http/client';
import { type CreatePerform, defineCreate, defineInputFields } from '../src/platform';

const inputFields = defineInputFields([
  { ...contactField, helpText: 'The contact is deleted with all its details. This cannot be undone.' },
]);

interface Deleted {
  id: string;
  deleted: boolean;
}

const perform = (async (z, bundle) => {
  const { contact: id } = readInput(inputFields, bundle.inputData);
  await call(z, endpoints.deleteContact, { id });
  return { id, deleted: true };
}) satisfies CreatePerform<typeof inputFields, Deleted>;

export default defineCreate({
  key: 'delete_contact',
  noun: 'Contact',
  display: {
    label: 'Delete Contact',
    description: 'Deletes a contact. This cannot be undone.',
  },
  operation: { inputFields, perform, sample: { id: contact.sample.id, deleted: true } },
});
