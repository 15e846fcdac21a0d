/** What Zapier would return a submission for, as far as a machine sees it. */

import type { Recipe } from '../../recipes/recipe';
import { brand as currentBrand } from '../../src/brand';
import { listTwins } from './templates';

type Brand = { readonly [Key in keyof typeof currentBrand]: string };

/** Addresses and numbers that belong to nobody. */
const placeholder = /\bexample\.(?:com|org|net)\b|\+1\d{3}55501\d\d\b/;

const small = ['a', 'an', 'and', 'as', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'the', 'to', 'with'];
const isTitleCase = (text: string): boolean =>
  text.split(' ').every((word, index) => (index > 0 && small.includes(word)) || /^[^\p{Ll}]/u.test(word));

const brandProblems = ({ name, description, color }: Brand): string[] => [
  ...(isTitleCase(name) ? [] : [`The title "${name}" isn't in title case.`]),
  ...(description.length < 40 || description.length > 140
    ? [`The description has ${description.length} characters. Zapier takes 40 to 140.`]
    : []),
  ...(description.startsWith(`${name} is a`) ? [] : [`The description doesn't start with "${name} is a".`]),
  ...(/zapier/i.test(name + description) ? ['The title and the description may not name Zapier.'] : []),
  ...(/^#[\da-f]{6}$/i.test(color) ? [] : [`"${color}" isn't a color such as #0f6fa8.`]),
];

/** Lists in sentences what is missing in the files of a listing, and what Zapier's rules don't allow. */
export const listProblems = (
  files: Record<string, string>,
  templates: readonly Recipe[],
  brand: Brand = currentBrand,
): string[] => [
  ...Object.entries(files).flatMap(([path, text]) =>
    text.split('\n').flatMap((line) => {
      const [found] = placeholder.exec(line) ?? [];
      return found ? [`${path} has the placeholder ${found}: ${line.slice(0, 100)}`] : [];
    }),
  ),
  ...brandProblems(brand),
  ...listTwins(templates).map((sentence) => `Two templates have the same sentence: ${sentence}`),
];
