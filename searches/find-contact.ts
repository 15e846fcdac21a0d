import { type Bundle, defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { passesFilters } from '../src/api/filters';
import type { Contact } from '../src/api/resources';
import { bestMatches } from '../src/formats/best-match';
import { fullName } from '../src/formats/person-name';
import { parsePhoneNumber } from '../src/formats/phone-number';
import { toOneLine } from '../src/formats/text';
import { readEmail } from '../src/forms/contact-form';
import { readInput } from '../src/forms/input';
import { outputs } from '../src/forms/output';
import { find } from '../src/http/client';
import { halt } from '../src/platform/errors';
import { firstRecords } from '../src/polling/paginate';

const inputFields = defineInputFields([
  {
    key: 'phone',
    label: 'Phone Number',
    placeholder: '+12025550123',
    helpText: 'Any phone number format works. Takes priority if you fill in more than one field.',
  },
  {
    key: 'email',
    label: 'Email',
    placeholder: 'noor@example.com',
    helpText: 'Used if Phone Number is empty or finds no one.',
  },
  {
    key: 'name',
    label: 'Name',
    helpText: 'Enter a first name, a last name or both. Used if the other fields are empty or find no one.',
  },
]);

/** Whether a contact is someone else: its phone number or email differs. */
const isSomebodyElse = (found: Contact, known: { phone?: string | undefined; email?: string | undefined }): boolean =>
  !passesFilters({ phone: found.phone ?? undefined, email: found.email ?? undefined }, known);

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

/** Returns the values to search by. Ignores invalid values, unless there is no valid one. */
const readCriteria = async ({ inputData, authData }: Bundle) => {
  const input = readInput(inputFields, inputData);
  const phone = await tryRead(
    async () => input.phone && parsePhoneNumber('Phone Number', input.phone, authData.default_country),
  );
  const email = await tryRead(async () => readEmail(input.email));
  const { name } = input;
  if (phone.value || email.value || name) return { phone: phone.value, email: email.value, name };
  throw (
    phone.error ?? email.error ?? halt('Phone Number, Email and Name are all empty. Fill in one of them and try again.')
  );
};

const perform = (async (z, bundle) => {
  const { phone, email, name } = await readCriteria(bundle);
  const search = (by: { phone?: string; email?: string; query?: string }): Promise<Contact[]> =>
    firstRecords((page) => find(z, endpoints.listContacts, { query: { ...by, ...page }, labels: { query: 'Name' } }));
  const byPhone = phone ? await search({ phone }) : [];
  if (byPhone.length > 0) return byPhone;
  const byEmail = email ? await search({ email }) : [];
  if (byEmail.length > 0 || !name) return byEmail;
  const byName = bestMatches(await search({ query: toOneLine(name) }), name, fullName);
  return byName.filter((found) => !isSomebodyElse(found, { phone, email }));
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
