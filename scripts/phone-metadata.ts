/**
 * Writes `src/phone-metadata.ts`: what is known of the world's phone numbers, less how each country sets the spaces and
 * dashes in them. That is three fifths of it, and numbers are read here and never written so.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import whole from 'libphonenumber-js/metadata.min.json';

/** Where a country has its formats (`Metadata` of libphonenumber-js). What is not known of a country is `0` there. */
const formats = 4;

const withoutFormats = (countries: Record<string, unknown[]>) =>
  Object.fromEntries(
    Object.entries(countries).map(([code, facts]) => [
      code,
      facts.map((fact, index) => (index === formats ? 0 : fact)),
    ]),
  );

/** The text of the file as it has to be. */
export const phoneMetadata = (): string => {
  const metadata = JSON.stringify({
    ...whole,
    countries: withoutFormats(whole.countries),
    nonGeographic: withoutFormats(whole.nonGeographic),
  });
  return `/** What numbers of each country look like. Made by \`npm run phone-metadata\` from libphonenumber-js. */
import type { MetadataJson } from 'libphonenumber-js/core';

export const metadata: MetadataJson = ${metadata};
`;
};

export const phoneMetadataFile = join(__dirname, '../src/phone-metadata.ts');

if (require.main === module) writeFileSync(phoneMetadataFile, phoneMetadata());
