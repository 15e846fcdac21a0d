import { defineInputFields, defineTrigger, type PollingTriggerPerform } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import type { Contact } from '../src/api/resources';
import { call } from '../src/call/call';
import { type ReachableContact, toReachableContact } from '../src/contact/person';
import { loopNote } from '../src/hook/fields';
import { firstRecords } from '../src/hook/recent';
import { formLabels, onlyOne, readInput } from '../src/step/input';
import { outputs } from '../src/step/output';

const inputFields = defineInputFields([
  loopNote("If this Zap adds contacts, it triggers itself. To prevent loops, don't create contacts in this Zap."),
  {
    key: 'tag',
    label: 'Tag',
    helpText: 'Triggers only for contacts with this tag, such as `vip`.',
  },
]);

/** An import can add more contacts between two polls than a page has. Zapier polls several times a day, at least. */
const dayMs = 24 * 60 * 60_000;

const isNew = ({ created_at }: Contact): boolean => Date.parse(created_at ?? '') > Date.now() - dayMs;

const perform = (async (z, bundle) => {
  const { tag } = readInput(inputFields, bundle.inputData);
  // The service would list contacts with any of them.
  if (tag?.includes(',')) throw onlyOne('Tag', tag);
  const contacts = await firstRecords(
    (page) => call(z, endpoints.listContacts, { query: { ...page, tag }, labels: formLabels(inputFields) }),
    bundle.meta?.isLoadingSample ? undefined : isNew,
  );
  return contacts.map(toReachableContact);
}) satisfies PollingTriggerPerform<typeof inputFields, ReachableContact>;

export default defineTrigger({
  key: 'new_contact',
  noun: 'Contact',
  display: {
    label: 'New Contact',
    description: 'Triggers when a new contact is added.',
  },
  operation: { type: 'polling', inputFields, perform, ...outputs.Contact },
});
