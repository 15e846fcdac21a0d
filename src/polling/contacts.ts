import type { ZObject } from 'zapier-platform-core';
import { endpoints } from '../api/endpoints';
import type { Contact } from '../api/resources';
import { call, lookUp } from '../http/client';
import { halt } from '../platform/errors';
import { readHistory } from './history';

/** The number of contacts that are compared. */
const maxContacts = 500;

/** The fields that find contacts, by the parameter of the API. */
const labels = { phone: 'Phone Number', email: 'Email', query: 'Name' } as const;

const keepOnOne = 'In the messaging service, keep this value on one contact only.';

/** What to do when a field doesn't single out one contact, by the label of the field. */
const remedies = {
  'Phone Number': keepOnOne,
  Email: keepOnOne,
  Name: 'Use Phone Number or Email, or enter the full name.',
};
type Label = keyof typeof remedies;

/** The error of a field that several contacts match. */
export const severalMatch = (label: Label): Error =>
  halt(`${label}: several contacts match equally well, so the step can't tell which one you mean. ${remedies[label]}`);

/** Lists all contacts that match. Throws an error that names the field when there are too many to read. */
export const listContacts = async (
  z: ZObject,
  label: Label,
  filter: { phone?: string; email?: string; query?: string },
): Promise<Contact[]> => {
  const { records, isComplete } = await readHistory(
    (page) => {
      const input = { query: { ...filter, ...page }, labels };
      // Only a missing first page says that nobody matches.
      return page.after ? call(z, endpoints.listContacts, input) : lookUp(z, endpoints.listContacts, input);
    },
    { limit: maxContacts },
  );
  // An equally good match can be on a page that wasn't read.
  if (!isComplete) throw halt(`${label}: too many contacts match to be sure of the right one. ${remedies[label]}`);
  return [...new Map(records.map((record) => [record.id, record])).values()];
};

/** Returns the contact with this phone number or email, if there is one. Throws an error when there are several. */
export const findContactByValue = async (
  z: ZObject,
  label: Label,
  filter: { phone?: string; email?: string },
): Promise<Contact[]> => {
  const found = await listContacts(z, label, filter);
  if (found.length > 1) throw severalMatch(label);
  return found;
};
