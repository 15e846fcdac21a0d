import {
  type Bundle,
  type CreatePerform,
  defineCreate,
  defineInputField,
  defineInputFields,
  type ZObject,
} from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import type { Contact } from '../src/api/resources';
import { call } from '../src/call/call';
import { findExisting, matchOf } from '../src/contact/find';
import { newContactFields, readNewContact } from '../src/contact/form';
import { type ReachableContact, toReachableContact } from '../src/contact/person';
import { halt } from '../src/step/errors';
import { formLabels, ordered, readInput } from '../src/step/input';
import { lockOn } from '../src/step/once';
import { outputs } from '../src/step/output';

const contactFields = newContactFields({
  consent: ' A contact who opted out stays opted out.',
  tags: ' An existing contact keeps its other tags.',
});

const differenceField = defineInputField({
  key: 'on_difference',
  label: 'If the Phone Number or Email Differs',
  choices: ordered(
    ['keep', "Keep the contact's own"],
    ['replace', 'Replace it with the new one'],
    ['stop', 'Stop the step'],
  ),
  default: 'keep',
  helpText:
    "Applies if only the phone number or only the email matches. For public forms, keep the contact's own: anyone can enter someone else's.",
});

const inputFields = defineInputFields([...contactFields, differenceField]);

/** A contact that exists keeps its other tags, so the API calls them tags to add. */
const labels = { ...formLabels(inputFields), add_tags: formLabels(inputFields).tags };

type NewContact = Awaited<ReturnType<typeof readNewContact>>;

const differs = (field: 'phone' | 'email', existing: Contact): Error => {
  const [label, what, match] =
    field === 'phone' ? ['Phone Number', 'phone number', 'email'] : ['Email', 'email', 'phone number'];
  const isEmpty = existing[field] === null || existing[field] === '';
  const has = isEmpty ? `has no ${what}` : `${existing[field] ? 'has' : 'may have'} another ${what}`;
  return halt(
    `${label}: the contact with this ${match} ${has}, so nothing was changed. Check which one is right, then use Update Contact.`,
  );
};

/**
 * Returns what the step may change of a contact that exists. Anyone can enter someone else's phone number or email, so a
 * match of one proves neither the other nor a consent. Throws an error if one differs and the form says to stop.
 */
const limitChanges = (contact: NewContact, existing: Contact, onDifference: string | undefined): NewContact => {
  const match = matchOf(existing, contact);
  // The only value that was given is the one that the contact was found by.
  const isOnlyOne = !(contact.phone && contact.email);
  const keep = (field: 'phone' | 'email'): string | undefined => {
    // An empty one differs too: the person may hide a number, and the one in the form may be a stranger's.
    if (isOnlyOne || match[field]) return contact[field];
    if (onDifference === 'stop') throw differs(field, existing);
    return onDifference === 'replace' ? contact[field] : undefined;
  };
  // Any other word, or none, may mean that the person doesn't want messages.
  const mayChangeConsent = existing.consent === 'opted_in' || existing.consent === 'unknown';
  return {
    ...contact,
    phone: keep('phone'),
    email: keep('email'),
    consent: mayChangeConsent || contact.consent === 'opted_out' ? contact.consent : undefined,
  };
};

const createOrUpdate = async (z: ZObject, bundle: Bundle): Promise<Contact> => {
  const { on_difference } = readInput([differenceField], bundle.inputData);
  const contact = await readNewContact(contactFields, bundle);
  const update = async (id: string | undefined): Promise<Contact | undefined> => {
    const existing = await findExisting(z, contact, id);
    if (!existing) return undefined;
    const { tags: add_tags, ...changes } = limitChanges(contact, existing, on_difference);
    return call(z, endpoints.updateContact, { id: existing.id, body: { ...changes, add_tags }, labels });
  };
  return call(z, endpoints.createContact, { body: contact, labels }, { existing: update });
};

const perform = (async (z, bundle) => toReachableContact(await createOrUpdate(z, bundle))) satisfies CreatePerform<
  typeof inputFields,
  ReachableContact
>;

export default defineCreate({
  key: 'create_or_update_contact',
  noun: 'Contact',
  display: {
    label: 'Create or Update Contact',
    description:
      'Creates a contact, or updates the one with the same phone number or email, for example to add a tag or opt out a person. Empty fields change nothing.',
  },
  operation: { lock: lockOn('contact', 'phone', 'email'), inputFields, perform, ...outputs.Contact },
});
