import table from './countries.json';

/** An ISO 3166-1 code of two letters. */
export type CountryCode = keyof typeof table;

const isCountryCode = (code: string): code is CountryCode => Object.hasOwn(table, code);

/** The codes of all countries, in the order of their names. */
export const countryCodes = Object.keys(table).filter(isCountryCode);

/** Returns the English name of a country. */
export const nameOfCountry = (code: CountryCode): string => table[code];

const aliases: Record<string, CountryCode> = {
  'UNITED STATES OF AMERICA': 'US',
  USA: 'US',
  UK: 'GB',
  'GREAT BRITAIN': 'GB',
  ENGLAND: 'GB',
  UAE: 'AE',
  HOLLAND: 'NL',
  'CZECH REPUBLIC': 'CZ',
  TURKEY: 'TR',
  'IVORY COAST': 'CI',
  'CAPE VERDE': 'CV',
  SWAZILAND: 'SZ',
};

/** Returns a name without differences that mean nothing: `the U.S.A.` is `USA`. */
const normalize = (name: string): string => name.toUpperCase().replace(/^THE /, '').replaceAll('.', '');

/** Returns the country with that ISO 3166-1 code, or with that English name, in any case; undefined when there is none. */
export const findCountry = (text: string): CountryCode | undefined => {
  const wanted = normalize(text.trim().slice(0, 100));
  if (isCountryCode(wanted)) return wanted;
  if (Object.hasOwn(aliases, wanted)) return aliases[wanted];
  return countryCodes.find((code) => normalize(table[code]) === wanted);
};
