import table from './countries.json';

/** An ISO 3166-1 code. */
export type CountryCode = keyof typeof table;

const isCountryCode = (code: string): code is CountryCode => Object.hasOwn(table, code);

/** The codes of all countries, in the order of their names. */
export const countryCodes = Object.keys(table).filter(isCountryCode);

/** Returns the English name of a country. */
export const nameOfCountry = (code: CountryCode): string => table[code][0] ?? code;

const aliases: Record<string, CountryCode> = {
  'UNITED STATES OF AMERICA': 'US',
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

const languages = ['en', 'de', 'nl', 'fr', 'es', 'pt', 'it'];

const findByName = (wanted: string): CountryCode | undefined => {
  const names = languages.map((language) => new Intl.DisplayNames(language, { type: 'region' }));
  return countryCodes.find((code) => names.some((each) => normalize(each.of(code) ?? '') === wanted));
};

/**
 * Returns the country with that ISO 3166-1 code of two or three letters, or with that name, in any case; undefined when
 * there is none.
 */
export const findCountry = (text: string): CountryCode | undefined => {
  const wanted = normalize(text.trim().slice(0, 100));
  if (isCountryCode(wanted)) return wanted;
  // By its name in the table, or its code of three letters.
  const named = countryCodes.find((code) => table[code].some((each) => normalize(each) === wanted));
  return named ?? (Object.hasOwn(aliases, wanted) ? aliases[wanted] : findByName(wanted));
};
