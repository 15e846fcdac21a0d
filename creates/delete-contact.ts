import { type CreatePerform, defineCreate, defineInputFields } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { contact } from '../src/api/resources';
import { call } from '../src/call/call';
import { contactField } from '../src/step/dropdowns';
import { readInput } from '../src/step/input';
import { output } from '../src/step/output';

const inputFields = defineInputFields([
  {
    key: 'undo_note',
    label: 'Before You Delete',
    type: 'copy',
    helpText: "This can't be undone. A test in the editor deletes the contact too.",
  },
  contactField,
]);

const deletion = zod.object({ id: zod.string(), deleted: zod.boolean() });

const perform = (async (z, bundle) => {
  const { contact: id } = readInput(inputFields, bundle.inputData);
  await call(z, endpoints.deleteContact, { id });
  return { id, deleted: true };
}) satisfies CreatePerform<typeof inputFields, zod.output<typeof deletion>>;

export default defineCreate({
  key: 'delete_contact',
  noun: 'Contact',
  display: {
    label: 'Delete Contact',
    description: 'Deletes a contact and all its details permanently.',
  },
  operation: {
    inputFields,
    perform,
    ...output({ noun: contact.noun, schema: deletion, sample: { id: contact.sample.id, deleted: true } }),
  },
});
