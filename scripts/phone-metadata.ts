/**
 * Writes `src/phone-metadata.ts`: what is known of the world's phone numbers, less what follows from the rest, and how
 * each country sets the spaces and dashes in them. That is three fifths of it, and numbers are read here and never
 * written so.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import whole from 'libphonenumber-js/metadata.min.json';

/** Where a country has its formats (`Metadata` of libphonenumber-js). What is not known of a country is `0` there. */
const formats = 4;

const withoutFormats = (entries: [string, unknown[]][]) =>
  Object.fromEntries(
    entries.map(([code, facts]) => [code, facts.map((fact, index) => (index === formats ? 0 : fact))]),
  );

const mainCountries = new Set<string | undefined>(Object.values(whole.country_calling_codes).map(([main]) => main));

const mainFirst = Object.entries(whole.countries).toSorted(
  ([one], [other]) => Number(mainCountries.has(other)) - Number(mainCountries.has(one)),
);

/** The text of the file as it has to be. */
export const phoneMetadata = (): string => {
  const { country_calling_codes: _, ...rest } = whole;
  const metadata = JSON.stringify({
    ...rest,
    countries: withoutFormats(mainFirst),
    nonGeographic: withoutFormats(Object.entries(whole.nonGeographic)),
  });
  return `/**
 * What numbers of each country look like, its calling code before all; the main country of a calling code comes first.
 * Made by \`npm run phone-metadata\` from libphonenumber-js.
 */
import type { MetadataJson } from 'libphonenumber-js/core';

// JSON, which is read faster than the same as code.
export const phoneMetadata: Omit<MetadataJson, 'country_calling_codes'> = JSON.parse(String.raw\`${metadata}\`);
`;
};

export const phoneMetadataFile = join(__dirname, '../src/phone-metadata.ts');

if (require.main === module) writeFileSync(phoneMetadataFile, phoneMetadata());
