/** The one function of the phone number library that is used, so that the bundle carries no more of it. */
export { default as parse } from 'libphonenumber-js/min';
