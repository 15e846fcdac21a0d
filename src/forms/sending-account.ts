/** What an account says about all its messages: the countries that they may go to, and who gets tests. */
import { defineInputField } from 'zapier-platform-core';
import { type CountryCode, findCountry } from '../formats/country';
import { readText } from '../formats/mapped-value';
import { parsePhoneNumber } from '../formats/phone-number';
import { fail, quote } from '../platform/errors';

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
export const readAllowedCountries = ({ [allowedCountriesField.key]: value }: Account): CountryCode[] =>
  readText(value)
    ?.split(/[,;\n]/)
    .map((name) => readCountry(name.trim())) ?? [];

/** Returns the number that gets the tests of all steps that send; undefined when the account has none. Throws when it's invalid. */
export const readTestRecipient = async (account: Account): Promise<string | undefined> => {
  const text = readText(account[accountTestRecipientField.key]);
  return text && parsePhoneNumber(`${accountTestRecipientField.label} of the account`, text, account.default_country);
};
