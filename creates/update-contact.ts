import { type CreatePerform, defineCreate, defineInputFields } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { isEmpty } from '../src/api/json';
import { call } from '../src/call/call';
import { attributesField, personFields, readDetails, readPerson, readTags } from '../src/contact/form';
import { type ReachableContact, toReachableContact } from '../src/contact/person';
import { contactField } from '../src/step/dropdowns';
import { halt } from '../src/step/errors';
import { formLabels, ordered, readInput } from '../src/step/input';
import { outputs } from '../src/step/output';

const inputFields = defineInputFields([
  contactField,
  ...personFields,
  { key: 'add_tags', label: 'Tags to Add', list: true, helpText: 'Add one tag per box, or separate tags with commas.' },
  { key: 'remove_tags', label: 'Tags to Remove', list: true },
  attributesField,
  {
    key: 'clear',
    label: 'Fields to Empty',
    list: true,
    choices: ordered(
      ['first_name', 'First Name'],
      ['last_name', 'Last Name'],
      ['email', 'Email'],
      ['language', 'Language'],
      ['phone', 'Phone Number'],
    ),
    helpText: 'Choose what to remove from the contact. A field that you leave empty in this form changes nothing.',
  },
]);

/** Returns `null` for each field to empty. Throws an error when one of them also has a new value. */
const readCleared = (keys: readonly string[], person: object): Record<string, null> => {
  const [both] = Object.entries(person).find(([key, value]) => keys.includes(key) && !isEmpty(value)) ?? [];
  if (!both) return Object.fromEntries(keys.map((key) => [key, null]));
  throw halt(
    `Fields to Empty: ${formLabels(inputFields)[both]} also has a new value in this form. Remove it from one of the two.`,
  );
};

const perform = (async (z, bundle) => {
  const {
    contact: id,
    add_tags: added,
    remove_tags: removed,
    attributes: details,
    clear,
    ...personInput
  } = readInput(inputFields, bundle.inputData);
  const add_tags = readTags('Tags to Add', added);
  const remove_tags = readTags('Tags to Remove', removed);
  const person = await readPerson(personInput, bundle);
  const cleared = readCleared(clear ?? [], person);
  const changes = { ...person, add_tags, remove_tags, attributes: readDetails(details) };
  if ([...Object.values(changes), clear].every(isEmpty)) {
    throw halt('There is nothing to change. Fill in at least one field besides Contact.');
  }
  return toReachableContact(
    await call(z, endpoints.updateContact, { id, body: { ...changes, ...cleared }, labels: formLabels(inputFields) }),
  );
}) satisfies CreatePerform<typeof inputFields, ReachableContact>;

export default defineCreate({
  key: 'update_contact',
  noun: 'Contact',
  display: {
    label: 'Update Contact',
    description: 'Updates a contact, for example to add or remove a tag. Empty fields change nothing.',
  },
  operation: { inputFields, perform, ...outputs.Contact },
});
