import { type CountryCode, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import { metadata } from './phone-metadata';

/** Reads a number as one of the country where it has no country code of its own; undefined when it can't be one. */
export const parse = (text: string, defaultCountry: CountryCode | undefined): PhoneNumber | undefined =>
  parsePhoneNumberFromString(text, { defaultCountry, extract: false }, metadata);
