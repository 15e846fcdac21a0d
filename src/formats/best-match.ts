import { foldCase } from './text';

/** Returns a name without case, accents, punctuation and underscores. */
const normalize = (name: string): string =>
  foldCase(name)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * Returns how well a name matches: 0 is identical, 1 starts with `query`, 2 contains its words, undefined is no match.
 */
const rank = (name: string, query: string): number | undefined => {
  if (name === query) return 0;
  if (name.startsWith(query)) return 1;
  return query.split(' ').every((word) => name.includes(word)) ? 2 : undefined;
};

/**
 * Returns the items whose name contains every word of `query`, ignoring case and accents. The best match comes first,
 * and equal matches keep their order. This also removes unrelated items from a service that ignores the query.
 */
export const bestMatches = <T>(items: T[], query: string, nameOf: (item: T) => string | null | undefined): T[] => {
  // A query of symbols alone, such as an emoji, has no words left to compare.
  const simplify = (name: string): string => (normalize(query) ? normalize(name) : foldCase(name));
  return items
    .map((item) => ({ item, rank: rank(simplify(nameOf(item) ?? ''), simplify(query)) }))
    .filter((match): match is { item: T; rank: number } => match.rank !== undefined)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
};
