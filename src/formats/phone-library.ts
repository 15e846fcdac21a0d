/**
 * The library of phone numbers and what it knows of each country. `npm run build` writes it into a separate file, because
 * it's a third of the app, and most runs read no number.
 */
export { default as examples } from 'libphonenumber-js/examples.mobile.json';
export {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
export { default as metadata } from 'libphonenumber-js/metadata.max.json';
