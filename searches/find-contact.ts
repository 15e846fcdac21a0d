import { defineInputFields, defineSearch, type SearchPerform, type ZObject } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import type { Contact } from '../src/api/resources';
import { parsePhoneNumber } from '../src/formats/phone-number';
import { toOneLine } from '../src/formats/text';
import { readEmail } from '../src/forms/contact-form';
import { formLabels, readInput } from '../src/forms/input';
import { outputs } from '../src/forms/output';
import { phoneNumberHelp } from '../src/forms/recipient';
import { call, lookUp } from '../src/http/client';
import { rankMatches } from '../src/messages/best-match';
import { fullName } from '../src/messages/person-name';
import { halt } from '../src/platform/errors';
import { readHistory } from '../src/polling/history';

const inputFields = defineInputFields([
  {
    key: 'phone',
    label: 'Phone Number',
    placeholder: '+12025550123',
    helpText: `${phoneNumberHelp} Takes priority if you also fill in Email.`,
  },
  {
    key: 'email',
    label: 'Email',
    placeholder: 'noor@example.com',
    helpText: 'Used if Phone Number is empty, invalid or finds no one.',
  },
  {
    key: 'name',
    label: 'Name',
    helpText:
      'Enter a first name, a last name or both. Used only if Phone Number and Email are empty. Stops if several people match equally well.',
  },
]);

const labels = { ...formLabels(inputFields), query: formLabels(inputFields).name };

/** The number of contacts that are compared. */
const maxContacts = 500;

const keepOnOne = 'In the messaging service, keep this value on one contact only.';

/** What to do when a field doesn't single out one contact, by the label of the field. */
const remedies = {
  'Phone Number': keepOnOne,
  Email: keepOnOne,
  Name: 'Use Phone Number or Email, or enter the full name.',
};
type Label = keyof typeof remedies;

const severalMatch = (label: Label): Error =>
  halt(`${label}: several contacts match equally well, so the step can't tell which one you mean. ${remedies[label]}`);

/** Lists all contacts that match. Throws an error that names the field when there are too many to read. */
const listAll = async (
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
const findByValue = async (
  z: ZObject,
  label: Label,
  filter: { phone?: string; email?: string },
): Promise<Contact[]> => {
  const found = await listAll(z, label, filter);
  if (found.length > 1) throw severalMatch(label);
  return found;
};

/** Returns the contacts with a similar name, the best match first. Throws an error when several are the best. */
const findByName = async (z: ZObject, name: string): Promise<Contact[]> => {
  const matches = rankMatches(await listAll(z, 'Name', { query: toOneLine(name) }), name, fullName);
  const [best, next] = matches;
  if (best && best.rank === next?.rank) throw severalMatch('Name');
  return matches.map(({ item }) => item);
};

interface Attempt {
  value?: string | undefined;
  error?: unknown;
}

/** Returns the value, or the error that says why it's invalid. */
const tryRead = (read: () => Promise<string | undefined>): Promise<Attempt> =>
  read().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** Finds by phone number, else by email. Ignores an invalid phone number only if there is a valid email. */
const findByPhoneOrEmail = async (
  z: ZObject,
  input: { phone?: string | undefined; email?: string | undefined },
  country: unknown,
): Promise<Contact[]> => {
  const phone = await tryRead(async () => input.phone && parsePhoneNumber('Phone Number', input.phone, country));
  const email = await tryRead(async () => readEmail(input.email));
  if (phone.error && !email.value) throw phone.error;
  const byPhone = phone.value ? await findByValue(z, 'Phone Number', { phone: phone.value }) : [];
  if (byPhone.length > 0) return byPhone;
  if (email.error) throw email.error;
  return email.value ? findByValue(z, 'Email', { email: email.value }) : [];
};

const perform = (async (z, { inputData, authData }) => {
  const { phone, email, name } = readInput(inputFields, inputData);
  if (phone || email) return findByPhoneOrEmail(z, { phone, email }, authData.default_country);
  // Only now, because someone with the same name but another phone number or email is somebody else.
  if (name) return findByName(z, name);
  throw halt('Phone Number, Email and Name are all empty. Fill in one of them and try again.');
}) satisfies SearchPerform<typeof inputFields, Contact>;

export default defineSearch({
  key: 'find_contact',
  noun: 'Contact',
  display: {
    label: 'Find Contact',
    description: 'Finds a contact by phone number, email or name.',
  },
  operation: { inputFields, perform, ...outputs.Contact },
});
