/** The longest text that is searched, in characters: several times as long as any message a channel takes. */
const maxLength = 20_000;

/** Scripts that don't put spaces between words. */
const spaceless = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** A character that belongs to the word beside it. */
const inWord = `[[\\p{L}\\p{M}\\p{N}_]--[${spaceless}]]`;
const startsInWord = new RegExp(`^${inWord}`, 'v');
const endsInWord = new RegExp(`${inWord}$`, 'v');

/**
 * Returns a text as people compare texts: in any case, however accents and wide letters are encoded, with single spaces.
 * Upper case first makes ß and ss, and the Turkish i with and without a dot, the same.
 */
export const foldCase = (text: string): string =>
  text
    .slice(0, maxLength)
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('i\u0307', 'i')
    .replace(/\s+/g, ' ')
    .trim();

/** Whether two texts are the same to a person. */
export const isSameText = (one: string, other: string): boolean => foldCase(one) === foldCase(other);

/**
 * Whether a text contains a word or phrase as whole words: `stop` is in "STOP!" and not in "nonstop". In scripts without
 * spaces between words, such as Chinese or Thai, it may be anywhere.
 */
export const containsPhrase = (text: string, phrase: string): boolean => {
  const [folded, wanted] = [foldCase(text), foldCase(phrase)];
  const isWholeWord = (start: number): boolean =>
    !(startsInWord.test(wanted) && endsInWord.test(folded.slice(Math.max(0, start - 2), start))) &&
    !(endsInWord.test(wanted) && startsInWord.test(folded.slice(start + wanted.length, start + wanted.length + 2)));
  for (let start = folded.indexOf(wanted); start !== -1; start = folded.indexOf(wanted, start + 1)) {
    if (isWholeWord(start)) return true;
  }
  return false;
};
