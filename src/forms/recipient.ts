/** Who gets a message: the customer, or a tester. */
import { type Bundle, defineInputField } from 'zapier-platform-core';
import countries from '../formats/countries.json';
import { type CountryCode, findCountry } from '../formats/country';
import { readText } from '../formats/mapped-value';
import { parsePhoneNumber, parseRecipient } from '../formats/phone-number';
import { fail, halt, quote } from '../platform/errors';
import { refuseLostValue } from './lost-value';
import { unfilledWords } from './unfilled';

/**
 * The country of phone numbers without a country code. The choices come from a function because 245 countries in every
 * action would make the definition several times as large.
 */
export const countryField = defineInputField({
  key: 'default_country',
  label: 'Default Country',
  choices: {
    perform: () => ({
      results: Object.entries(countries).map(([id, label]) => ({ id, label })),
      paging_token: null,
    }),
  },
  helpText: "Choose the country of phone numbers without a country code. Leave empty to use your account's country.",
});

/** The countries that messages may go to. */
export const allowedCountriesField = defineInputField({
  key: 'allowed_countries',
  label: 'Send Only To Countries',
  required: false,
  placeholder: 'NL, BE',
  helpText:
    "Enter your customers' countries, such as `NL, BE`. Messages to others aren't sent, in case strangers misuse a form. Leave empty for all countries.",
});

/** The number that gets the tests of all steps that send. */
export const accountTestRecipientField = defineInputField({
  key: 'test_recipient',
  label: 'Send Tests To',
  required: false,
  placeholder: '+12025550123',
  helpText:
    'Enter your own phone number with its country code, and test messages go to you. Leave it empty, and they go to the customer.',
});

type Account = Readonly<Record<string, unknown>>;

const readCountry = (name: string): CountryCode => {
  const country = findCountry(name);
  if (country) return country;
  throw fail(
    `${allowedCountriesField.label}: ${quote(name)} isn't in the list of countries, so nothing was sent. Enter two-letter codes in the account, separated by commas, such as NL, BE.`,
    'allowed_countries_refused',
  );
};

/** Returns the countries that messages of the account may go to; none when it allows all. Throws for one that doesn't exist. */
export const readAllowedCountries = ({ [allowedCountriesField.key]: value }: Account): CountryCode[] => {
  const text = readText(value);
  if (text === undefined) return [];
  const names = text.split(/[,;\n]/).flatMap((name) => name.trim() || []);
  // Only separators must not mean all countries.
  return (names.length > 0 ? names : [text]).map(readCountry);
};

/** Returns the number that gets the tests of all steps that send; undefined when the account has none. Throws when it's invalid. */
export const readTestRecipient = async (account: Account): Promise<string | undefined> => {
  const text = readText(account[accountTestRecipientField.key]);
  return text && parsePhoneNumber(`${accountTestRecipientField.label} of the account`, text, account.default_country);
};

/** The help text of a phone number in a form without the field Default Country. */
export const phoneNumberHelp =
  "Enter a phone number in any format. If it has no country code, your account's Default Country is used.";

/** The person who gets the message. */
export const recipientField = {
  key: 'to',
  label: 'Phone Number',
  required: true,
  placeholder: '+12025550123',
  helpText: 'Enter a phone number in any format. If it has no country code, Default Country is used.',
  group: 'recipient',
} as const;

/** The number that gets the message instead of the customer in tests in the Zap editor. */
export const testRecipientField = {
  key: 'test_recipient',
  label: 'Send Tests To',
  placeholder: '+12025550123',
  helpText:
    "Enter your own phone number, and tests in the editor go to you. If this field and your account's Send Tests To are empty, they go to the customer.",
  group: 'repeats_and_tests',
} as const;

/**
 * Throws an error when Phone Number is mapped and empty in this run, since a person may hide the number. An empty field
 * that the person never filled in is for `readInput`.
 */
export const refuseHiddenNumber = ({ inputData, inputDataRaw }: Bundle): void => {
  const { key, label } = recipientField;
  const text = readText(inputData[key]);
  // Without the form, such as when an AI agent runs the step, only the value itself tells.
  const isMapped = inputDataRaw ? readText(inputDataRaw[key])?.includes('{{') : key in inputData;
  if (isMapped && (text === undefined || unfilledWords.includes(text))) {
    throw halt(
      `${label}: the value for this run is empty, so nothing was sent. Messages go to phone numbers only. If this person hides theirs, answer at Message Link or Conversation Link, or skip them with a filter on Has Phone Number.`,
    );
  }
};

interface Recipient {
  /** E.164. */
  to: string;
  /** Whether `to` is the number in Send Tests To. */
  isTester: boolean;
  /** The label of the field that `to` comes from. */
  label: string;
}

/** Throws an error when a tester is named where nobody can test: an AI agent has no form, and would send for real. */
const refuseTester = ({ inputDataRaw }: Bundle, tester: string | undefined): void => {
  if (inputDataRaw || !tester) return;
  throw halt(
    `${testRecipientField.label}: only the Zap editor can test, so nothing was sent. Leave the field empty to send the message for real.`,
  );
};

/**
 * Returns who gets the message: the customer, or during a test in the editor the number in Send Tests To, of the step or
 * else of the account. Throws an error when a number is invalid, or when the account sends nothing to it.
 */
export const readRecipient = async (
  bundle: Bundle,
  input: { to: string; test_recipient?: string | undefined },
  country: unknown,
): Promise<Recipient> => {
  const { authData } = bundle;
  const read = (label: string, text: string) => parseRecipient(label, text, country, readAllowedCountries(authData));
  const customer = { to: await read(recipientField.label, input.to), isTester: false, label: recipientField.label };
  // Zapier's test tools leave out `meta`.
  if (!bundle.meta?.isLoadingSample) {
    refuseTester(bundle, input.test_recipient);
    return customer;
  }
  refuseLostValue(testRecipientField, bundle);
  const tester = input.test_recipient ?? (await readTestRecipient(authData));
  if (!tester) return customer;
  const { label } = testRecipientField;
  return { to: await read(label, tester), isTester: true, label };
};
