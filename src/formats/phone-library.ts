// A module between the dynamic import and the library, so that the bundle leaves out the functions nothing uses.
export { parsePhoneNumberFromString } from 'libphonenumber-js/min';
