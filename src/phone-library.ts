import { type CountryCode, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import { metadata } from './phone-metadata';

/**
 * Reads a number as one of the country where it has no country code of its own; undefined when it can't be one.
 * What ships is the library's modern form, `core/es6`, which is a fifth smaller; only a bundler can read it.
 */
export const parse = (text: string, defaultCountry: CountryCode | undefined): PhoneNumber | undefined =>
  parsePhoneNumberFromString(text, { defaultCountry, extract: false }, metadata);
