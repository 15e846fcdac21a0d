import { endpoints } from '../src/api/endpoints';
import { type Contact, contact } from '../src/api/resources';
import { call } from '../src/client';
import { output } from '../src/forms/output';
import { readInput } from '../src/input';
import { listPage } from '../src/pages';
import { defineInputFields, defineTrigger, type PollingTriggerPerform } from '../src/platform';

const inputFields = defineInputFields([
  {
    key: 'tag',
    label: 'Tag',
    helpText: 'Only contacts with this tag. Leave empty for every new contact.',
  },
]);

const perform = (async (z, bundle) => {
  const { tag } = readInput(inputFields, bundle.inputData);
  return listPage(z, bundle, (page) => call(z, endpoints.listContacts, { query: { ...page, tag } }));
}) satisfies PollingTriggerPerform<typeof inputFields, Contact>;

export default defineTrigger({
  key: 'new_contact',
  noun: 'Contact',
  display: {
    label: 'New Contact',
    description: 'Triggers when a contact is added.',
  },
  operation: { type: 'polling', canPaginate: true, inputFields, perform, ...output(contact) },
});
