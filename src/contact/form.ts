import { type Bundle, defineInputField, defineInputFields, type InferInputData } from 'zapier-platform-core';
import { contact, vocabulary } from '../api/resources';
import { parsePhoneNumber } from '../message/phone';
import { phoneNumberHelp } from '../message/recipient';
import { readPlain } from '../message/values';
import { halt, quote } from '../step/errors';
import { onlyOne, ordered, readInput } from '../step/input';
import { refuseUnfilled } from '../step/lost-value';
import { reachableRecords } from './person';

/** A contact as the API returns it right after creation. */
export const newContactSample = { ...reachableRecords.contact.sample, updated_at: contact.sample.created_at };

export const consentChoices = ordered(['opted_in', 'Opted in'], ['opted_out', 'Opted out'], ['unknown', 'Unknown']);

export const personFields = defineInputFields([
  {
    key: 'phone',
    label: 'Phone Number',
    placeholder: '+12025550123',
    helpText: phoneNumberHelp,
  },
  { key: 'email', label: 'Email', placeholder: 'noor@example.com' },
  { key: 'first_name', label: 'First Name' },
  { key: 'last_name', label: 'Last Name' },
  {
    key: 'language',
    label: 'Language',
    placeholder: 'en',
    helpText: 'Enter a language code: `en` for English, `nl` for Dutch.',
  },
  {
    key: 'consent',
    label: 'Consent',
    choices: consentChoices,
    helpText:
      "Choose whether this person agreed to receive messages from you. People who opted out don't receive messages.",
  },
]);

/** Details that the service has no field for. It comes last in the form. */
export const attributesField = defineInputField({
  key: 'attributes',
  label: 'Custom Details',
  dict: true,
  helpText: 'Enter other details by name and value: `Customer Number` and `1042`, for example.',
});

const [phone, email, firstName, lastName, language, consent] = personFields;

/** Returns the fields of a new contact. The texts, which start with a space, are added to the help of these fields. */
export const newContactFields = (help: { email?: string; consent?: string; tags?: string }) =>
  defineInputFields([
    { ...phone, helpText: `${phone.helpText} Fill in this field, Email, or both.` },
    { ...email, helpText: `Fill in this field, Phone Number, or both.${help.email ?? ''}` },
    firstName,
    lastName,
    language,
    { ...consent, helpText: `${consent.helpText}${help.consent ?? ''}` },
    {
      key: 'tags',
      label: 'Tags',
      list: true,
      helpText: `Add one tag per box, or separate tags with commas.${help.tags ?? ''}`,
    },
    attributesField,
  ]);

/** Counts the different addresses in a text. A mail program may repeat the address in the name before it. */
const countAddresses = (text: string): number =>
  new Set(
    text
      .toLowerCase()
      .replace(/['‘’]/g, '')
      .split(/[\s<>,;:()[\]|/"“”]+/)
      .filter((part) => /^[^@]+@[^.]+\../.test(part)),
  ).size;

/** An address without quotes and comments, which nobody has. A sign at an end is what a program put around it. */
const plainEmail =
  /^[\p{L}\p{N}_][^\s@<>,;"()[\]{}:`|]{0,63}@[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.-]{0,252}[\p{L}\p{M}\p{N}])?$/u;

/**
 * Returns an address without what programs and people put around it: invisible characters, `mailto:` with its subject,
 * quotation marks, brackets, and the name in front. With them, it would be the address of another contact.
 */
const unwrapEmail = (text: string): string => {
  const visible = text.replace(/\p{Cf}|\p{Variation_Selector}|[\u2800\u3164]|\u034f/gu, '').trim();
  const [, named = visible] = /<([^<>\s]{1,330})>$/.exec(visible.slice(-400)) ?? [];
  const bare = named.replace(/^[<"'“‘„«‹`*({[\s]+|[>"'”’“»›`*)}\]\s,;.]+$/g, '');
  const [, linked = bare] = /^mailto:(?:\/\/)?([^?]*)/i.exec(bare) ?? [];
  return linked;
};

/** Returns the email address, or undefined when there is none. Throws an error when it's invalid, or not the only one. */
export const readEmail = (text: string | undefined): string | undefined => {
  // The request refuses one that is too long.
  if (!text || text.length > 10_000) return text;
  if (countAddresses(text) > 1) {
    throw halt(
      'Email: enter only one email address. For several people, add a Looping by Zapier step before this one.',
    );
  }
  const address = unwrapEmail(text);
  if (plainEmail.test(address)) return address;
  throw halt(`Email: ${quote(text)} isn't an email address. Enter one such as noor@example.com.`);
};

/**
 * Returns a language code in the usual case, such as `pt-BR` for `pt_br`. Returns any other text unchanged, since only
 * the service knows its languages.
 */
const readLanguage = (text: string | undefined): string | undefined => {
  const [, language, region] = /^([a-z]{2,3})(?:[-_]([a-z]{2}))?$/i.exec(text ?? '') ?? [];
  if (!language) return text;
  return region ? `${language.toLowerCase()}-${region.toUpperCase()}` : language.toLowerCase();
};

/**
 * Returns the input of the fields about the person as the API takes it: `phone` in E.164, `consent` as one of its values.
 * Throws an error that names the field when one is invalid.
 */
export const readPerson = async (
  { phone, email, first_name, last_name, language, consent }: InferInputData<typeof personFields>,
  { authData }: Bundle,
) => {
  refuseUnfilled('Email', email);
  return {
    phone: phone && (await parsePhoneNumber('Phone Number', phone, authData.default_country)),
    email: readEmail(email),
    first_name: first_name && readPlain('First Name', first_name),
    last_name: last_name && readPlain('Last Name', last_name),
    language: readLanguage(language && readPlain('Language', language)),
    consent: vocabulary.consent.find((value) => value === consent),
  };
};

/** Returns custom details as people are to see them. Throws an error when a name or value is no text for people. */
export const readDetails = (attributes: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).map((detail) => detail.map((text) => readPlain('Custom Details', text))),
  );

/** Returns the tags of a field as people see them, each once. Throws an error when one is no text for people. */
export const readTags = (label: string, tags: readonly string[] = []): string[] => [
  ...new Set(tags.flatMap((tag) => readPlain(label, tag) || [])),
];

/** Returns the tag to look for. Throws an error for several, since the service would list contacts with any of them. */
export const readTagFilter = (text: string | undefined): string | undefined => {
  if (text?.includes(',')) throw onlyOne('Tag', text);
  return text && readPlain('Tag', text);
};

/**
 * Returns the contact in a form with `newContactFields`. Throws an error that names the field when a value is invalid,
 * or when there is neither a phone number nor an email address.
 */
export const readNewContact = async (fields: ReturnType<typeof newContactFields>, bundle: Bundle) => {
  const { tags, attributes, ...input } = readInput(fields, bundle.inputData);
  const details = { attributes: readDetails(attributes), tags: readTags('Tags', tags) };
  const person = await readPerson(input, bundle);
  if (person.phone || person.email) return { ...person, ...details };
  throw halt('Phone Number and Email are both empty. Fill in one of them and try again.');
};
