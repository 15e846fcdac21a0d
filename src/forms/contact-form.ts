import { vocabulary } from '../api/resources';
import { parsePhoneNumber } from '../formats/phone-number';
import { type Bundle, defineInputField, defineInputFields } from '../platform';
import { halt, quote } from '../platform/errors';
import { readInput } from './input';

/** The plain facts of a contact, in the order of the form. */
export const personFields = defineInputFields([
  { key: 'phone', label: 'Phone Number', helpText: 'Any way of writing it is fine.' },
  { key: 'email', label: 'Email' },
  { key: 'first_name', label: 'First Name' },
  { key: 'last_name', label: 'Last Name' },
  { key: 'language', label: 'Language', helpText: 'A code such as `en` or `nl`.' },
  {
    key: 'consent',
    label: 'Consent',
    choices: { opted_in: 'Opted in', opted_out: 'Opted out', unknown: 'Unknown' },
    helpText: 'Whether this person has agreed to get messages from you.',
  },
]);

/** Facts of the person's own, which come last in the form. */
export const attributesField = defineInputField({
  key: 'attributes',
  label: 'Attributes',
  dict: true,
  helpText: 'Your own facts, such as a customer number: the name on the left, the text on the right.',
});

/** Reads an email address; undefined when there is none. Throws a sentence when it can't be one. */
export const readEmail = (text: string | undefined): string | undefined => {
  if (!text || /^[^\s@]+@[^\s@]+$/.test(text)) return text;
  throw halt(`Email: ${quote(text)} is not an email address. Look for a part that is missing before or after the @.`);
};

/**
 * Reads the plain facts of a contact for the API: the number in E.164, the consent as its word. Throws a sentence that
 * names the field when one cannot be read.
 */
export const readPerson = async ({ inputData, authData }: Bundle) => {
  const { phone, email, first_name, last_name, language, consent } = readInput(personFields, inputData);
  return {
    phone: phone && (await parsePhoneNumber('Phone Number', phone, authData.default_country)),
    email: readEmail(email),
    first_name,
    last_name,
    language,
    consent: vocabulary.consent.find((word) => word === consent),
  };
};
