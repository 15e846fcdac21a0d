import {
  type CreatePerform,
  defineCreate,
  defineInputField,
  defineInputFields,
  type ZObject,
} from 'zapier-platform-core';
import { endpoints, exists } from '../src/api/endpoints';
import { passesFilters } from '../src/api/filters';
import type { Contact } from '../src/api/resources';
import { newContactFields, readNewContact } from '../src/forms/contact-form';
import { formLabels, readInput } from '../src/forms/input';
import { outputs } from '../src/forms/output';
import { call, createOrFindId } from '../src/http/client';
import { isEmpty } from '../src/http/serialize';
import { fail, halt } from '../src/platform/errors';
import { firstRecords } from '../src/polling/paginate';

const contactFields = newContactFields({
  consent: ' A contact who opted out stays opted out if only the email matches.',
  tags: ' An existing contact keeps its other tags.',
});

const phoneChangeField = defineInputField({
  key: 'phone_change',
  label: 'If the Phone Number Differs',
  choices: { keep: "Keep the contact's number", replace: 'Replace it with this number', stop: 'Stop the step' },
  default: 'keep',
  helpText:
    "Applies if a contact with this email has another phone number. Don't replace the number for public forms, because anyone can enter someone else's email.",
});

const [phoneField, emailField, ...otherFields] = contactFields;
const inputFields = defineInputFields([phoneField, emailField, phoneChangeField, ...otherFields]);

/** A contact that exists keeps its other tags, so the API calls them tags to add. */
const labels = { ...formLabels(inputFields), add_tags: formLabels(inputFields).tags };

type NewContact = Awaited<ReturnType<typeof readNewContact>>;

/** Whether it matters how the existing contact was found: anyone can enter someone else's email in a public form. */
const dependsOnMatch = ({ phone, email, consent }: NewContact): boolean =>
  Boolean(email && (phone || (consent && consent !== 'opted_out')));

const digitsOf = (phone: string): string => phone.replace(/\D/g, '');

const hasPhone = (existing: Contact | undefined, phone: string | undefined): boolean =>
  Boolean(existing?.phone && phone && digitsOf(existing.phone) === digitsOf(phone));

/** Reads the existing contact; undefined when the service has no call for it. Throws an error when it's another one. */
const readExisting = async (z: ZObject, id: string, { phone, email }: NewContact): Promise<Contact | undefined> => {
  if (!exists('getContact')) return undefined;
  const existing = await call(z, endpoints.getContact, { id });
  if (existing.id === id && (hasPhone(existing, phone) || passesFilters(existing, { email }))) return existing;
  throw fail(
    'The messaging service says that this contact exists, but returned another one, so nothing was changed. Try again later.',
    'unexpected_response',
  );
};

/**
 * Returns what the step may change if only the email is known to match. `existing` is undefined if the service can't
 * return it. Throws an error if the phone number differs and the form says to stop.
 */
const limitChanges = (
  contact: NewContact,
  existing: Contact | undefined,
  phoneChange: string | undefined,
): NewContact => {
  // A phone number that the service left out isn't known to be empty.
  const isPhoneEmpty = existing?.phone !== undefined && isEmpty(existing.phone);
  const isPhoneChange = contact.phone !== undefined && !isPhoneEmpty;
  if (isPhoneChange && phoneChange === 'stop') {
    throw halt(
      `Phone Number: the contact with this email ${existing?.phone ? 'has' : 'may have'} another phone number, so nothing was changed. Check which one is right, then use Update Contact.`,
    );
  }
  // Any other word, or none, may mean that the person doesn't want messages.
  const mayChangeConsent = existing?.consent === 'opted_in' || existing?.consent === 'unknown';
  return {
    ...contact,
    phone: isPhoneChange && phoneChange !== 'replace' ? undefined : contact.phone,
    consent: mayChangeConsent || contact.consent === 'opted_out' ? contact.consent : undefined,
  };
};

/** Returns what the step changes of a contact that exists. */
const readChanges = async (
  z: ZObject,
  id: string,
  contact: NewContact,
  phoneChange: string | undefined,
): Promise<NewContact> => {
  if (!dependsOnMatch(contact)) return contact;
  const existing = await readExisting(z, id, contact);
  return hasPhone(existing, contact.phone) ? contact : limitChanges(contact, existing, phoneChange);
};

/** Returns the id of the only contact with this phone number or email; undefined for none and for several. */
const findOnly = async (z: ZObject, { phone, email }: NewContact): Promise<string | undefined> => {
  if (!exists('listContacts')) return undefined;
  const queries = [phone && { phone }, email && { email }].filter((query) => typeof query === 'object');
  const found: Contact[] = [];
  for (const query of queries) {
    found.push(...(await firstRecords((page) => call(z, endpoints.listContacts, { query: { ...query, ...page } }))));
  }
  const matching = found.filter(
    (each) => hasPhone(each, phone) || (email && each.email && passesFilters(each, { email })),
  );
  const [id, ...others] = new Set(matching.map((each) => each.id));
  return others.length === 0 ? id : undefined;
};

const perform = (async (z, bundle) => {
  const { phone_change } = readInput([phoneChangeField], bundle.inputData);
  const contact = await readNewContact(contactFields, bundle);
  const outcome = await createOrFindId(z, endpoints.createContact, { body: contact, labels }, () =>
    findOnly(z, contact),
  );
  if ('created' in outcome) return outcome.created;
  const { tags: add_tags, ...changes } = await readChanges(z, outcome.existingId, contact, phone_change);
  const body = { ...changes, add_tags };
  return call(z, endpoints.updateContact, { id: outcome.existingId, body, labels });
}) satisfies CreatePerform<typeof inputFields, Contact>;

export default defineCreate({
  key: 'upsert_contact',
  noun: 'Contact',
  display: {
    label: 'Create or Update Contact',
    description:
      'Creates a contact, or updates the one with the same phone number or email. Fields that you leave empty keep their current values.',
  },
  operation: { inputFields, perform, ...outputs.Contact },
});
