import { defineInputField } from 'zapier-platform-core';
import countries from '../formats/countries.json';

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
