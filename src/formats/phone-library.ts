// A dynamic import of the library itself would put all its functions into the bundle.
export { parsePhoneNumberFromString } from 'libphonenumber-js/min';
