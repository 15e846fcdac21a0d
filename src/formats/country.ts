import codes from './alpha-3.json';
import countries from './countries.json';

/** An ISO 3166-1 code. */
export type CountryCode = keyof typeof countries;

const isCountryCode = (code: string): code is CountryCode => Object.hasOwn(countries, code);

/** Other names that shops and forms use. */
const aliases: Record<string, CountryCode> = {
  USA: 'US',
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

const byThreeLetters = new Map(Object.entries(codes));

/** Returns a name without differences that mean nothing: `the U.S.A.` is `USA`. */
const normalize = (name: string): string => name.toUpperCase().replace(/^THE /, '').replaceAll('.', '');

/** Languages in which people name countries. */
const languages = ['en', 'de', 'nl', 'fr', 'es', 'pt', 'it'];

/** Returns the country that has that name in one of the languages, in any case. */
const findByName = (wanted: string): CountryCode | undefined => {
  const names = languages.map((language) => new Intl.DisplayNames(language, { type: 'region' }));
  return Object.keys(countries)
    .filter(isCountryCode)
    .find((code) => names.some((each) => normalize(each.of(code) ?? '') === wanted));
};

/**
 * Returns the country with that ISO 3166-1 code of two or three letters, or with that name, in any case; undefined when
 * there is none.
 */
export const findCountry = (text: string): CountryCode | undefined => {
  const wanted = normalize(text.trim().slice(0, 100));
  if (isCountryCode(wanted)) return wanted;
  const code = byThreeLetters.get(wanted) ?? '';
  if (isCountryCode(code)) return code;
  const named = Object.keys(countries)
    .filter(isCountryCode)
    .find((code) => normalize(countries[code]) === wanted);
  return named ?? (Object.hasOwn(aliases, wanted) ? aliases[wanted] : findByName(wanted));
};
