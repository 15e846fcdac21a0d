import type { ZObject } from 'zapier-platform-core';
import { endpoints } from '../api/endpoints';
import { passesFilters } from '../api/filters';
import type { Contact } from '../api/resources';
import { call } from '../call/call';
import { spellingsOf } from '../message/phone';
import { type Ambiguity, listMatches, severalMatch } from '../step/ambiguity';
import { fail, halt } from '../step/errors';
import { isSamePerson } from './person';

/** The fields that find contacts, by the parameter of the API. */
const labels = { phone: 'Phone Number', email: 'Email', query: 'Name' } as const;

const keepOnOne = 'In the messaging service, keep this value on one contact only.';

const remedies = {
  'Phone Number': keepOnOne,
  Email: keepOnOne,
  Name: 'Use Phone Number or Email, or enter the full name.',
};
type Label = keyof typeof remedies;

/** What to say when several contacts match a field. */
export const ambiguousContact = (label: Label): Ambiguity => ({ label, plural: 'contacts', remedy: remedies[label] });

/** Lists all contacts that match. Throws an error that names the field when there are too many to read. */
export const listContacts = (
  z: ZObject,
  label: Label,
  filter: { phone?: string[] | undefined; email?: string | undefined; query?: string },
): Promise<Contact[]> =>
  listMatches(
    (page) => call(z, endpoints.listContacts, { query: { ...filter, ...page }, labels }),
    ambiguousContact(label),
  );

/** What anybody can type to say who they are. `phone` is in E.164. */
export interface Identity {
  phone?: string | undefined;
  email?: string | undefined;
}

/** Returns which parts of an identity a contact is known to have. */
export const matchOf = (contact: Contact, { phone, email }: Identity): { phone: boolean; email: boolean } => ({
  phone: isSamePerson({ phone: contact.phone }, { phone }),
  email: Boolean(email && contact.email && passesFilters(contact, { email })),
});

/** Returns the contact with this phone number or email, if there is one. Throws an error when there are several. */
export const findContactByValue = async (z: ZObject, label: Label, filter: Identity): Promise<Contact[]> => {
  const { phone, email } = filter;
  const listed = await listContacts(z, label, { phone: phone ? spellingsOf(phone) : undefined, email });
  // A service may ignore the filter, and leave out what a contact doesn't have.
  const found = listed.filter((each) => Object.values(matchOf(each, filter)).includes(true));
  if (found.length > 1) throw severalMatch(ambiguousContact(label));
  return found;
};

const differentContacts = (): Error =>
  halt(
    'Phone Number and Email belong to different contacts, so nothing was changed. Correct one of them, or leave it empty.',
  );

const anotherContact = (): Error =>
  fail(
    'The messaging service says that this contact exists, but returned another one, so nothing was changed. Try again later.',
    'unexpected_response',
  );

const listByIdentity = async (z: ZObject, { phone, email }: Identity): Promise<Contact[]> => {
  const listed = [
    ...(phone ? await findContactByValue(z, 'Phone Number', { phone }) : []),
    ...(email ? await findContactByValue(z, 'Email', { email }) : []),
  ];
  return [...new Map(listed.map((each) => [each.id, each])).values()];
};

const readNamed = async (z: ZObject, id: string, identity: Identity): Promise<Contact | undefined> => {
  const named = await call(z, endpoints.getContact, { id }, { unless: 'gone' });
  const match = named && matchOf(named, identity);
  if (match && (named.id !== id || !(match.phone || match.email))) throw anotherContact();
  return named;
};

/**
 * Returns the contact that has the phone number or email, according to the service. `id` is its id, if the service names
 * it, which doesn't say that nobody else has them. Undefined when nobody has them. Throws an error when several contacts
 * have them, or when the named contact has neither.
 */
export const findExisting = async (
  z: ZObject,
  identity: Identity,
  id: string | undefined,
): Promise<Contact | undefined> => {
  const [contact, ...others] = await listByIdentity(z, identity);
  if (others.length > 0) throw differentContacts();
  if (id && contact && contact.id !== id) throw anotherContact();
  if (contact || !id) return contact;
  // A list may lag behind.
  return readNamed(z, id, identity);
};
