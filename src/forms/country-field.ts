import { defineInputField } from 'zapier-platform-core';
import countries from '../formats/countries.json';

/**
 * How a step reads phone numbers without a country code. The choices are a function because 245 of them in every
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
  helpText: 'How this step reads a phone number without a country code. Leave empty to use the country of the account.',
});
