import { type Bundle, defineInputField, defineInputFields } from 'zapier-platform-core';
import { contact, vocabulary } from '../api/resources';
import { parsePhoneNumber } from '../formats/phone-number';
import { halt, quote } from '../platform/errors';
import { readInput } from './input';

/** A contact as the service returns it when it creates it. */
export const newContact = { ...contact, sample: { ...contact.sample, updated_at: contact.sample.created_at } };

/** The fields that say who a contact is, in the order of the form. */
export const personFields = defineInputFields([
  { key: 'phone', label: 'Phone Number', placeholder: '+31612345678', helpText: 'Any phone number format works.' },
  { key: 'email', label: 'Email' },
  { key: 'first_name', label: 'First Name' },
  { key: 'last_name', label: 'Last Name' },
  { key: 'language', label: 'Language', placeholder: 'en', helpText: 'A language code, such as `en` or `nl`.' },
  {
    key: 'consent',
    label: 'Consent',
    choices: { opted_in: 'Opted in', opted_out: 'Opted out', unknown: 'Unknown' },
    helpText: 'Whether this person has agreed to receive messages from you.',
  },
]);

const [phone, email, ...details] = personFields;

/** The same fields for a contact that may be new, which needs a phone number or an email address. */
export const newPersonFields = defineInputFields([
  { ...phone, helpText: 'Any phone number format works. Fill in this field, Email, or both.' },
  { ...email, helpText: 'Fill in this field, Phone Number, or both.' },
  ...details,
]);

/** Tags for a contact. `helpText` says what happens to them. */
export const tagsField = (helpText: string) =>
  defineInputField({
    key: 'tags',
    label: 'Tags',
    list: true,
    helpText: `Add one tag per box, or separate tags with commas.${helpText}`,
  });

/** Details for which the service has no field, which come last in the form. */
export const attributesField = defineInputField({
  key: 'attributes',
  label: 'Custom Details',
  dict: true,
  helpText: 'Details such as a customer number. Enter the name on the left and the value on the right.',
});

/** Reads an email address; undefined when there is none. Throws a sentence when it can't be one. */
export const readEmail = (text: string | undefined): string | undefined => {
  if (!text || /^[^\s@]+@[^\s@]+$/.test(text)) return text;
  throw halt(`Email: ${quote(text)} is not an email address. Look for a part that is missing before or after the @.`);
};

/** Throws a sentence unless there is a phone number or an email address. */
export const requirePhoneOrEmail = ({
  phone,
  email,
}: {
  phone?: string | undefined;
  email?: string | undefined;
}): void => {
  if (!phone && !email) throw halt('Phone Number and Email are both empty. Fill in one of them and try again.');
};

/**
 * Reads who a contact is for the API: the number in E.164, the consent as its word. Throws a sentence that
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
