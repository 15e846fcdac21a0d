import { foldCase } from './text';

/** The number of characters of a name that are compared. */
const maxLength = 200;

/** Returns the words of a name, without case, accents and punctuation. A name of symbols alone is one word. */
const wordsOf = (name: string): string[] => {
  const folded = foldCase(name.slice(0, maxLength));
  const words = folded
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .match(/[\p{L}\p{N}]+/gu);
  return words ?? (folded ? [folded] : []);
};

/**
 * Returns how well a name matches: 0 is identical, 1 starts with `query`, 2 has a word that starts with each of its words,
 * undefined is no match.
 */
const rank = (name: string[], query: string[]): number | undefined => {
  const [whole, wanted] = [name.join(' '), query.join(' ')];
  if (whole === wanted) return 0;
  if (!query.every((word) => name.some((each) => each.startsWith(word)))) return undefined;
  return whole.startsWith(wanted) ? 1 : 2;
};

/**
 * Returns the items whose name contains every word of `query`, ignoring case and accents. The best match comes first,
 * and equal matches keep their order. This also removes unrelated items from a service that ignores the query.
 */
export const bestMatches = <T>(items: T[], query: string, nameOf: (item: T) => string | null | undefined): T[] => {
  const wanted = wordsOf(query);
  return items
    .map((item) => ({ item, rank: rank(wordsOf(nameOf(item) ?? ''), wanted) }))
    .filter((match): match is { item: T; rank: number } => match.rank !== undefined)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
};
