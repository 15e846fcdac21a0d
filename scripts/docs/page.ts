/** Fills in the pages in scripts/docs/pages. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brand } from '../../src/brand';
import { alignTables } from './markdown';

const project = resolve(__dirname, '../..');

/** Matches the addresses that `src/brand.ts` has until someone fills in theirs. */
const placeholder = /\bexample\.com\b/;

const brandValues = [
  ...Object.entries(brand).map(([key, value]) => [`brand.${key}`, value] as const),
  ['support', placeholder.test(brand.support) ? "the messaging service's support team" : brand.support] as const,
];

/** Leaves only the words of a link that leads to a placeholder, because people in need would follow it in vain. */
const withoutPlaceholders = (text: string): string =>
  text.replace(/\[([^\]]+)\]\((https:[^)\s]+)\)/g, (link, words: string, address: string) =>
    placeholder.test(address) ? words : link,
  );

type Values = Readonly<Record<string, string>>;

/**
 * Returns the text of a file with a value in place of each `{{…}}`. Every file also knows the brand, such as
 * `{{brand.name}}`, and whom people ask for help, `{{support}}`. Throws an error that names the file when nothing fills in a placeholder, and when it doesn't use a value.
 */
export const fillIn = (file: string, values: Values): string => {
  const known = new Map([...brandValues, ...Object.entries(values)]);
  const unused = new Set(Object.keys(values));
  const template = readFileSync(join(project, file), 'utf8');
  const text = template.replace(/\{\{([^{}\n]*)(?:\}\})?/g, (place, key: string) => {
    const value = known.get(key);
    if (value === undefined || !place.endsWith('}}')) {
      throw new Error(`${file}: nothing fills in ${place}.`);
    }
    unused.delete(key);
    return value;
  });
  if (unused.size > 0) throw new Error(`${file} doesn't use {{${[...unused].join('}}, {{')}}}.`);
  return text;
};

/** Returns a whole document, made from a page. Its tables are aligned, and it links to no placeholder. */
export const renderPage = (name: string, values: Values): string => {
  const file = `scripts/docs/pages/${name}.md`;
  return `<!-- Made by \`npm run docs\`. Edit ${file}, or the code that fills it in. -->\n\n${alignTables(withoutPlaceholders(fillIn(file, values)))}`;
};
