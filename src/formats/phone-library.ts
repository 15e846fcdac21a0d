import {
  type CountryCode,
  type MetadataJson,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/core';
import { phoneMetadata } from './phone-metadata';

const { countries } = phoneMetadata;

const isCountry = (code: string): code is CountryCode => Object.hasOwn(countries, code);

/** The countries of each calling code, which is what is known of a country first, in the order of `phoneMetadata`. */
const byCallingCode: Record<string, CountryCode[]> = {};
for (const country of Object.keys(countries).filter(isCountry)) {
  const callingCode = countries[country]?.[0] ?? '';
  byCallingCode[callingCode] = byCallingCode[callingCode]?.concat(country) ?? [country];
}

const metadata: MetadataJson = { ...phoneMetadata, country_calling_codes: byCallingCode };

/** Reads a number as one of the country where it has no country code of its own; undefined when it can't be one. */
const parse = (text: string, defaultCountry: CountryCode | undefined): PhoneNumber | undefined =>
  parsePhoneNumberFromString(text, { defaultCountry, extract: false }, metadata);

export default parse;
