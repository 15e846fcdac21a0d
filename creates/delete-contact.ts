import { type CreatePerform, defineCreate, defineInputFields } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { contact } from '../src/api/resources';
import { readInput } from '../src/forms/input';
import { contactField } from '../src/forms/reference-fields';
import { call } from '../src/http/client';

const inputFields = defineInputFields([
  {
    key: 'undo_note',
    label: 'Before You Delete',
    type: 'copy',
    helpText: "This deletes the contact with all its details. It can't be undone.",
  },
  contactField,
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
    description: "Deletes a contact. This can't be undone.",
  },
  operation: { inputFields, perform, sample: { id: contact.sample.id, deleted: true } },
});
