import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { contact } from '../src/api/resources';
import { call } from '../src/call/call';
import { readList } from '../src/call/pages';
import { consentChoices, readTagFilter } from '../src/contact/form';
import { reachableRecords, toReachableContact } from '../src/contact/person';
import { requireAllRead } from '../src/step/ambiguity';
import { formLabels, readInput } from '../src/step/input';
import { output } from '../src/step/output';
import { contactLimitField, createdAfterField, readLimit, readTimeField } from '../src/step/range-fields';

const inputFields = defineInputFields([
  { key: 'tag', label: 'Tag', placeholder: 'vip' },
  {
    key: 'consent',
    label: 'Consent',
    choices: consentChoices,
    helpText: 'To message only people who agreed, choose **Opted in**.',
  },
  createdAfterField,
  contactLimitField,
]);

const result = zod.looseObject({ ...reachableRecords.contact.schema.shape, complete: zod.boolean() });

const labels = { ...formLabels(inputFields), limit: contactLimitField.label };

const perform = (async (z, bundle) => {
  const { consent, contact_limit, created_after, ...input } = readInput(inputFields, bundle.inputData);
  const tag = readTagFilter(input.tag);
  const { records, gaps } = await readList(
    (page) => call(z, endpoints.listContacts, { query: { ...page, tag, consent }, labels }),
    {
      limit: readLimit(contactLimitField, contact_limit),
      since: readTimeField(createdAfterField, created_after, bundle.meta?.timezone),
    },
  );
  if (records.length === 0) requireAllRead('contacts', gaps, 'Tag');
  const complete = !gaps.some((gap) => gap !== 'older');
  return records.map((each) => ({ ...toReachableContact(each), complete }));
}) satisfies SearchPerform<typeof inputFields, zod.output<typeof result>>;

export default defineSearch({
  key: 'find_contacts',
  noun: 'Contact',
  display: {
    label: 'Find Contacts',
    description: 'Finds a list of contacts by tag, consent or date added, to message, export or back up.',
  },
  operation: {
    inputFields,
    perform,
    ...output({
      record: contact,
      schema: result,
      sample: { ...reachableRecords.contact.sample, complete: true },
      labels: { id: 'Contact ID', url: 'Contact Link', complete: 'All Contacts Included' },
    }),
  },
});
