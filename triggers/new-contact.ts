import { defineInputFields, defineTrigger, type PollingTriggerPerform } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { call } from '../src/call/call';
import { readList } from '../src/call/pages';
import { readTagFilter } from '../src/contact/form';
import { type ReachableContact, toReachableContact } from '../src/contact/person';
import { fail } from '../src/step/errors';
import { formLabels, readInput } from '../src/step/input';
import { outputs } from '../src/step/output';
import { loopNote } from '../src/trigger/fields';

const inputFields = defineInputFields([
  loopNote("If this Zap adds contacts, it triggers itself. To prevent loops, don't create contacts in this Zap."),
  {
    key: 'tag',
    label: 'Tag',
    helpText: 'Triggers only for contacts with this tag.',
  },
]);

/** Zapier polls several times a day, at least. */
const dayMs = 24 * 60 * 60_000;

/** The maximum number of contacts that were added in a day, such as by an import. */
const maxRead = 5_000;

const perform = (async (z, bundle) => {
  const tag = readTagFilter(readInput(inputFields, bundle.inputData).tag);
  const isTest = bundle.meta?.isLoadingSample;
  const range = isTest ? { limit: 100 } : { limit: maxRead, since: new Date(Date.now() - dayMs) };
  const { seen, gaps } = await readList(
    (page) => call(z, endpoints.listContacts, { query: { ...page, tag }, labels: formLabels(inputFields) }),
    range,
  );
  if (gaps.includes('more') && !isTest) {
    throw fail(
      'More contacts were added in a day than this trigger can read without missing one. Use Find Contacts in a scheduled Zap, or export them in the messaging service.',
      'too_many',
    );
  }
  return seen.map(toReachableContact);
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
