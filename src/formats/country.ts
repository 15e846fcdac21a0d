import countries from './countries.json';

/** An ISO 3166-1 code. */
export type CountryCode = keyof typeof countries;

const isCountryCode = (code: string): code is CountryCode => Object.hasOwn(countries, code);

/** Returns the country that a text names by its code or its English name, in any case; undefined when there is none. */
export const findCountry = (text: string): CountryCode | undefined => {
  const wanted = text.toUpperCase();
  if (isCountryCode(wanted)) return wanted;
  return Object.keys(countries)
    .filter(isCountryCode)
    .find((code) => countries[code].toUpperCase() === wanted);
};
