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
};

/** Returns the country with that code or English name, in any case; undefined when there is none. */
export const findCountry = (text: string): CountryCode | undefined => {
  const wanted = text.toUpperCase().replace(/^THE /, '');
  if (isCountryCode(wanted)) return wanted;
  const named = Object.keys(countries)
    .filter(isCountryCode)
    .find((code) => countries[code].toUpperCase() === wanted);
  return named ?? (Object.hasOwn(aliases, wanted) ? aliases[wanted] : undefined);
};
