import { type Bundle, defineInputFields, defineSearch, type SearchPerform, type ZObject } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import type { Contact } from '../src/api/resources';
import { call } from '../src/call/call';
import { ambiguousContact, findContactByValue, listContacts } from '../src/contact/find';
import { readEmail } from '../src/contact/form';
import { fullName, type ReachableContact, toReachableContact } from '../src/contact/person';
import { parsePhoneNumber } from '../src/message/phone';
import { phoneNumberHelp } from '../src/message/recipient';
import { bestMatches } from '../src/step/ambiguity';
import { contactFilter } from '../src/step/dropdowns';
import { halt } from '../src/step/errors';
import { formLabels, readInput } from '../src/step/input';
import { outputs } from '../src/step/output';
import { toOneLine } from '../src/text/fold';

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
    helpText: 'Used only if Phone Number is empty, invalid or matches no contact.',
  },
  {
    key: 'name',
    label: 'Name',
    helpText:
      'Enter a first name, a last name or both. Used only if Phone Number and Email are empty. The step stops if several people match equally well.',
  },
  {
    ...contactFilter,
    helpText:
      'Choose a contact, or map Contact ID from an earlier step, for example of someone who hides their phone number. The other fields are then not used.',
  },
]);

const findByName = async (z: ZObject, name: string): Promise<Contact[]> =>
  bestMatches(await listContacts(z, 'Name', { query: toOneLine(name) }), name, fullName, ambiguousContact('Name'));

/** Finds by phone number, else by email. Ignores an invalid phone number only if there is a valid email. */
const findByPhoneOrEmail = async (
  z: ZObject,
  input: { phone?: string | undefined; email?: string | undefined },
  country: unknown,
): Promise<Contact[]> => {
  const [phone, email] = await Promise.allSettled([
    input.phone ? parsePhoneNumber('Phone Number', input.phone, country) : undefined,
    (async () => readEmail(input.email))(),
  ]);
  const hasEmail = email.status === 'fulfilled' && email.value !== undefined;
  if (phone.status === 'rejected' && !hasEmail) throw phone.reason;
  const number = phone.status === 'fulfilled' ? phone.value : undefined;
  const byPhone = number ? await findContactByValue(z, 'Phone Number', { phone: number }) : [];
  if (byPhone.length > 0) return byPhone;
  if (email.status === 'rejected') throw email.reason;
  return email.value ? findContactByValue(z, 'Email', { email: email.value }) : [];
};

const findById = async (z: ZObject, id: string): Promise<Contact[]> => {
  const found = await call(z, endpoints.getContact, { id, labels: formLabels(inputFields) }, { unless: 'gone' });
  return found ? [found] : [];
};

const findContacts = async (z: ZObject, { inputData, authData }: Bundle): Promise<Contact[]> => {
  const { phone, email, name, contact: id } = readInput(inputFields, inputData);
  if (id) return findById(z, id);
  if (phone || email) return findByPhoneOrEmail(z, { phone, email }, authData.default_country);
  // Only now, because someone with the same name but another phone number or email is somebody else.
  if (name) return findByName(z, name);
  throw halt('Phone Number, Email, Name and Contact are all empty. Fill in one of them and try again.');
};

const perform = (async (z, bundle) => (await findContacts(z, bundle)).map(toReachableContact)) satisfies SearchPerform<
  typeof inputFields,
  ReachableContact
>;

export default defineSearch({
  key: 'find_contact',
  noun: 'Contact',
  display: {
    label: 'Find Contact',
    description: 'Finds a contact by phone number, email or name.',
  },
  operation: { inputFields, perform, ...outputs.Contact },
});
