import { foldCase } from './text';

/** A name as people search for it: without accents, punctuation and underscores. */
const normalize = (name: string): string =>
  foldCase(name)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** How well a name matches: 0 is the same, 1 begins with what is wanted, 2 contains all its words, undefined doesn't match. */
const rank = (name: string, wanted: string): number | undefined => {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  return wanted.split(' ').every((word) => name.includes(word)) ? 2 : undefined;
};

/**
 * Returns the items whose name contains every word of `wanted`, in any case and with or without accents. The best match
 * comes first; equal ones keep their order. A service that ignores the search doesn't pass off strangers as matches.
 */
export const bestMatches = <T>(items: T[], wanted: string, nameOf: (item: T) => string | null | undefined): T[] => {
  // A name of symbols alone, such as an emoji, has nothing left to compare by words.
  const simplify = (name: string): string => (normalize(wanted) ? normalize(name) : foldCase(name));
  return items
    .map((item) => ({ item, rank: rank(simplify(nameOf(item) ?? ''), simplify(wanted)) }))
    .filter((match): match is { item: T; rank: number } => match.rank !== undefined)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
};
