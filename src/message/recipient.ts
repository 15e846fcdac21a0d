/** Who gets a message: the customer, or a tester. */
import { type Bundle, defineInputField, type PlainInputField, type ZObject } from 'zapier-platform-core';
import { fail, halt, quote } from '../step/errors';
import { isBlank, readInput } from '../step/input';
import { sendingLimit } from '../step/limits';
import { isMapped, refuseLostValue, unfilledWords } from '../step/lost-value';
import { readText } from '../text/fold';
import { inBackticks } from '../text/markdown';
import { type CountryCode, findCountry } from './country';
import { numberIdentity, parsePhoneNumber, parseRecipient } from './phone';

export const allowedCountriesField = defineInputField({
  key: 'allowed_countries',
  label: 'Send Only To Countries',
  required: false,
  placeholder: 'NL, BE',
  helpText:
    "Enter the codes of your customers' countries: `NL, BE`. Messages to others aren't sent, in case strangers misuse a form. Leave empty for all countries.",
});

/** The number that gets the tests of all steps that send. */
export const accountTestRecipientField = defineInputField({
  key: 'test_recipient',
  label: 'Test Messages Go To',
  required: false,
  placeholder: '+12025550123',
  helpText: 'Enter your own phone number. Tests in the editor then go to it instead of the customer.',
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

export const phoneNumberHelp =
  "Enter a phone number in any format. Without a country code, your account's Default Country is used.";

export const recipientField = {
  key: 'to',
  label: 'Phone Number',
  required: true,
  placeholder: '+12025550123',
  helpText: `${phoneNumberHelp} After ${sendingLimit.limit} messages to one number in ${sendingLimit.window / 60} minutes, Zapier delays the rest.`,
  group: 'recipient',
} as const;

/** The number that gets the message instead of the customer in tests in the Zap editor, if the account has none. */
export const testRecipientField = {
  key: accountTestRecipientField.key,
  label: accountTestRecipientField.label,
  placeholder: '+12025550123',
  helpText: 'Tests in the editor go to this number instead of the customer.',
  group: 'recipient',
} as const;

/** Returns the note that says where a test goes, or the field that asks for it when the account doesn't say. */
export const testRecipientFields = (_z: ZObject, { authData }: Bundle): PlainInputField[] => {
  const number = readText(authData?.[accountTestRecipientField.key]);
  if (number === undefined) return [testRecipientField];
  return [
    {
      key: 'test_note',
      label: testRecipientField.label,
      type: 'copy',
      helpText: `A test goes to the number in your account that ends in ${inBackticks(number.slice(-2))}, not to the customer.`,
      group: testRecipientField.group,
    },
  ];
};

/**
 * Throws an error when Phone Number is mapped and empty in this run, since a person may hide the number. An empty field
 * that the person never filled in is for `readInput`.
 */
export const refuseHiddenNumber = ({ inputData, inputDataRaw }: Bundle): void => {
  const { key, label } = recipientField;
  const text = readText(inputData[key]);
  // Without the form, such as when an AI agent runs the step, only the value itself tells.
  const isFilledIn = inputDataRaw ? isMapped(inputDataRaw[key]) : key in inputData;
  if (isFilledIn && (text === undefined || unfilledWords.includes(text))) {
    throw halt(
      `${label}: the value for this run is empty, so nothing was sent. Messages go to phone numbers only. If this person hides theirs, answer at Message Link or Conversation Link, or skip them with a filter on Has Phone Number.`,
    );
  }
};

interface Recipient {
  /** E.164. */
  to: string;
  /** The same for every spelling of the number. Nothing is sent to it. */
  person: string;
  /** Whether `to` is the number in Test Messages Go To. */
  isTester: boolean;
  /** The label of the field that `to` comes from. */
  label: string;
}

/** Throws an error when a tester is named where nobody can test: an AI agent has no form, and would send for real. */
const refuseTester = ({ inputData, inputDataRaw }: Bundle): void => {
  if (inputDataRaw || isBlank(inputData[testRecipientField.key])) return;
  throw halt(
    `${testRecipientField.label} works only in the Zap editor, so nothing was sent. Leave the field empty to send the message for real.`,
  );
};

/** Returns the number that gets a test: the account's, since the form then shows no other, or else the step's. */
const readTester = async (bundle: Bundle): Promise<string | undefined> => {
  const ofAccount = await readTestRecipient(bundle.authData);
  if (ofAccount) return ofAccount;
  refuseLostValue(testRecipientField, bundle);
  return readInput([testRecipientField], bundle.inputData).test_recipient;
};

/**
 * Returns who gets the message: the customer, or during a test in the editor the number in Test Messages Go To, of the
 * account or else of the step. Throws an error when a number is invalid, or when the account sends nothing to it.
 */
export const readRecipient = async (bundle: Bundle, to: string): Promise<Recipient> => {
  const { authData } = bundle;
  const toRecipient = async (label: string, text: string, isTester: boolean): Promise<Recipient> => {
    const number = await parseRecipient(label, text, authData.default_country, readAllowedCountries(authData));
    return { to: number, person: numberIdentity(number) ?? number, isTester, label };
  };
  const customer = await toRecipient(recipientField.label, to, false);
  // Zapier's test tools leave out `meta`.
  if (!bundle.meta?.isLoadingSample) {
    refuseTester(bundle);
    return customer;
  }
  const tester = await readTester(bundle);
  return tester ? toRecipient(testRecipientField.label, tester, true) : customer;
};
