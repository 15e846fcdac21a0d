import { type CreatePerform, defineCreate, defineInputField, defineInputFields } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { isEmpty } from '../src/api/json';
import type { FieldLabels } from '../src/api/labels';
import { type Contact, contact } from '../src/api/resources';
import { call } from '../src/call/call';
import { findExisting, matchOf } from '../src/contact/find';
import { newContactFields, readNewContact } from '../src/contact/form';
import { reachableRecords, toReachableContact } from '../src/contact/person';
import { halt } from '../src/step/errors';
import { formLabels, ordered, readInput } from '../src/step/input';
import { lockOn } from '../src/step/limits';
import { output } from '../src/step/output';
import { foldCase } from '../src/text/fold';

const contactFields = newContactFields({
  consent: ' A contact who opted out stays opted out.',
  tags: ' An existing contact keeps its other tags.',
});

const differenceField = defineInputField({
  key: 'on_difference',
  label: 'If the Contact Differs',
  choices: ordered(
    ['keep', "Keep the contact's own"],
    ['replace', 'Replace it with the new one'],
    ['stop', 'Stop the step'],
  ),
  default: 'keep',
  helpText:
    "Applies to phone number, email, names and language. For public forms, keep the contact's own: anyone can enter someone else's.",
});

const inputFields = defineInputFields([...contactFields, differenceField]);

/** A contact that exists keeps its other tags, so the API calls them tags to add. */
const labels: FieldLabels = { ...formLabels(inputFields), add_tags: formLabels(inputFields).tags };

type NewContact = Awaited<ReturnType<typeof readNewContact>>;

/** What anybody can type of somebody else. */
const typed = ['phone', 'email', 'first_name', 'last_name', 'language'] as const;
type Typed = (typeof typed)[number];

const differs = (field: Typed, existing: Contact): Error =>
  halt(
    `${labels[field]}: the contact has ${isEmpty(existing[field]) ? 'none' : 'another one'}, so nothing was changed. Check which one is right, then use Update Contact.`,
  );

/**
 * Returns what the step may change of a contact that exists, and the fields in which it keeps what differs. Anyone can enter
 * someone else's phone number or email, so a match proves neither the other one, nor a name or a consent. Throws an error if
 * one differs and the form says to stop.
 */
const limitChanges = (contact: NewContact, existing: Contact, onDifference: string | undefined) => {
  const match = matchOf(existing, contact);
  const isSame = (field: Typed): boolean =>
    field === 'phone' || field === 'email'
      ? match[field]
      : foldCase(existing[field] ?? '') === foldCase(contact[field] ?? '');
  // An empty number or email differs too: the person may hide it, and the one in the form may be a stranger's.
  const isFree = (field: Typed): boolean => field !== 'phone' && field !== 'email' && isEmpty(existing[field]);
  const differing = typed.filter((field) => contact[field] && !isSame(field) && !isFree(field));
  const [first] = differing;
  if (first && onDifference === 'stop') throw differs(first, existing);
  // Any other word, or none, may mean that the person doesn't want messages.
  const mayOptIn = existing.consent === 'opted_in' || existing.consent === 'unknown';
  const kept = [
    ...(onDifference === 'replace' ? [] : differing),
    ...(contact.consent && contact.consent !== 'opted_out' && !mayOptIn ? (['consent'] as const) : []),
  ];
  const unchanged = [...typed.filter(isSame), ...kept];
  return { changes: { ...contact, ...Object.fromEntries(unchanged.map((field) => [field, undefined])) }, kept };
};

const result = zod.looseObject({ ...reachableRecords.contact.schema.shape, kept: zod.nullable(zod.string()) });

const perform = (async (z, bundle) => {
  const { on_difference } = readInput([differenceField], bundle.inputData);
  const contact = await readNewContact(contactFields, bundle);
  let kept: readonly string[] = [];
  const update = async (id: string | undefined): Promise<Contact | undefined> => {
    const existing = await findExisting(z, contact, id);
    if (!existing) return undefined;
    const limited = limitChanges(contact, existing, on_difference);
    kept = limited.kept;
    const { tags: add_tags, ...changes } = limited.changes;
    const body = { ...changes, add_tags };
    if (Object.values(body).every(isEmpty)) return existing;
    return call(z, endpoints.updateContact, { id: existing.id, body, labels });
  };
  const record = await call(z, endpoints.createContact, { body: contact, labels }, { existing: update });
  return { ...toReachableContact(record), kept: kept.map((field) => labels[field]).join(', ') || null };
}) satisfies CreatePerform<typeof inputFields, zod.output<typeof result>>;

export default defineCreate({
  key: 'create_or_update_contact',
  noun: 'Contact',
  display: {
    label: 'Create or Update Contact',
    description:
      'Creates a contact, or updates the one with the same phone number or email, for example to add a tag or opt out a person. Empty fields change nothing.',
  },
  operation: {
    lock: lockOn('contact', 'phone', 'email'),
    inputFields,
    perform,
    ...output({
      record: contact,
      schema: result,
      sample: { ...reachableRecords.contact.sample, kept: null },
      labels: { id: 'Contact ID', url: 'Contact Link', kept: 'Kept Unchanged' },
    }),
  },
});
