/** What Zapier would return a submission for, as far as a machine sees it. */

import type { Recipe } from '../../lab/recipes/recipe';
import type { brand as currentBrand } from '../../src/brand';

type Brand = { readonly [Key in keyof typeof currentBrand]: string };

/** Addresses, numbers and records that belong to nobody, or to the sandbox. */
const placeholder = /\bexample\.(?:com|org|net)\b|\+1\d{3}55501\d\d\b|Weekend parcel points|The address where you/;

/** The name that the project has until someone makes it theirs. */
const placeholderName = 'Messaging Service';

const small = ['a', 'an', 'and', 'as', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'the', 'to', 'with'];
const isTitleCase = (text: string): boolean =>
  text.split(' ').every((word, index) => (index > 0 && small.includes(word)) || /^[^\p{Ll}]/u.test(word));

const brandProblems = ({ name, description, color }: Brand): string[] => [
  ...(name === placeholderName ? [`The title "${name}" is a placeholder: fill in src/brand.ts.`] : []),
  ...(isTitleCase(name) ? [] : [`The title "${name}" isn't in title case.`]),
  ...(description.length < 40 || description.length > 140
    ? [`The description has ${description.length} characters. Zapier takes 40 to 140.`]
    : []),
  ...(description.startsWith(`${name} is a`) ? [] : [`The description doesn't start with "${name} is a".`]),
  ...(/zapier/i.test(name + description) ? ['The title and the description may not name Zapier.'] : []),
  ...(/^#[\da-f]{6}$/i.test(color) ? [] : [`"${color}" isn't a color such as #0f6fa8.`]),
];

/** How long a template's title and description may be, so that Zapier's gallery shows all of them. */
const maxLength = { title: 79, description: 300 } as const;

const templateProblems = ({ title, description }: Recipe): string[] => [
  ...(title.length > maxLength.title
    ? [`The title has ${title.length} characters, not ${maxLength.title}: ${title}`]
    : []),
  ...(description.length > maxLength.description
    ? [`The description has ${description.length} characters, not ${maxLength.description}: ${title}`]
    : []),
];

/** What a listing is made from, besides its files. */
interface Sources {
  brand: Brand;
  /** The drawing of the logo. */
  logo: string;
  templates: readonly Recipe[];
}

/** Lists in sentences what is missing in the files of a listing, and what Zapier's rules don't allow. */
export const listProblems = (files: Record<string, string>, { brand, logo, templates }: Sources): string[] => [
  ...Object.entries(files).flatMap(([path, text]) =>
    text.split('\n').flatMap((line) => {
      const [found] = placeholder.exec(line) ?? [];
      return found ? [`${path} has the placeholder ${found}: ${line.slice(0, 100)}`] : [];
    }),
  ),
  ...brandProblems(brand),
  ...(logo.includes('Placeholder') ? ['docs/logo.svg is a placeholder: draw your logo, then run `npm run logo`.'] : []),
  ...templates.flatMap(templateProblems),
];
