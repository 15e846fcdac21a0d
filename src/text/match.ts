import { foldCase } from './fold';

const maxLength = 200;

/**
 * Returns a text without the marks that people leave out: accents and points, the dot of foreign letters in Hindi, and the
 * styles of Chinese characters. Others make another letter: ダイキ isn't タイキ.
 */
export const withoutOptionalMarks = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}])\p{M}+/gu, '$1')
    .replace(/\u093c|[\u{e0100}-\u{e01ef}]/gu, '')
    .replaceAll('ँ', 'ं')
    .normalize('NFC');

/**
 * Returns the words of a name, without case, accents and punctuation. Emojis, flags and the like are words: "Sale 🇳🇱"
 * isn't "Sale 🇧🇪". A name of other symbols alone is one word.
 */
const wordsOf = (name: string): string[] => {
  const folded = foldCase(name.slice(0, maxLength));
  const words = withoutOptionalMarks(folded).match(
    /[\p{L}\p{M}\p{N}]+|(?:[\p{So}\p{Sc}\p{Emoji_Modifier}+](?<![®©°]))+|(?<=\p{L})#+/gu,
  );
  return words ?? (folded ? [folded] : []);
};

/** Whether each word of a query starts another word of a name: "Jan Jansen" isn't "Piet Jansen". */
const startsWords = (name: string[], query: string[]): boolean => {
  const unused = [...name];
  // A short word fits wherever a longer one that starts with it does, so the longer one chooses first.
  const longestFirst = query.toSorted((one, other) => other.length - one.length);
  return longestFirst.every((word) => {
    const at = unused.findIndex((each) => each.startsWith(word));
    if (at !== -1) unused.splice(at, 1);
    return at !== -1;
  });
};

/**
 * Returns how well a name matches: 0 is identical, 1 starts with `query`, 2 has another word for each of its words that
 * starts with it, undefined is no match.
 */
const rank = (name: string[], query: string[]): number | undefined => {
  const [whole, wanted] = [name.join(' '), query.join(' ')];
  if (!wanted || !startsWords(name, query)) return undefined;
  if (whole === wanted) return 0;
  return whole.startsWith(wanted) ? 1 : 2;
};

/** An item whose name matches. Of two, the one with the lower rank matches better. */
interface Match<T> {
  item: T;
  rank: number;
}

/**
 * Returns the items whose name contains every word of `query`, ignoring case and accents, with their ranks. The best
 * match comes first, and equal matches keep their order. This also removes unrelated items from a service that ignores
 * the query.
 */
export const rankMatches = <T>(
  items: T[],
  query: string,
  nameOf: (item: T) => string | null | undefined,
): Match<T>[] => {
  const wanted = wordsOf(query);
  return items
    .map((item) => ({ item, rank: rank(wordsOf(nameOf(item) ?? ''), wanted) }))
    .filter((match): match is Match<T> => match.rank !== undefined)
    .toSorted((one, other) => one.rank - other.rank);
};
