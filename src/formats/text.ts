/** The number of characters that are compared, several times the length of any message. */
const maxLength = 20_000;

/** Scripts that don't put spaces between words. */
const spaceless = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan', 'Javanese', 'Yi']
  .map((script) => `\\p{scx=${script}}`)
  .join('');

/** A character that continues a word. */
const wordCharacter = `[[\\p{L}\\p{M}\\p{N}_]--[${spaceless}]]`;
const startsInWord = new RegExp(`^${wordCharacter}`, 'v');
const endsInWord = new RegExp(`${wordCharacter}$`, 'v');
// A hyphen joins words: `stop` isn't a word of "non-stop".
const continuesWord = new RegExp(`^[\\-‐]?${wordCharacter}`, 'v');
const precedesInWord = new RegExp(`${wordCharacter}[\\-‐]?$`, 'v');

/** Returns a text as one line, with single spaces. */
export const toOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Returns a text for comparison, without differences in case, Unicode encoding and spaces. Converting to upper case
 * first makes ß equal to ss, and the dotted Turkish i equal to the dotless one.
 */
export const foldCase = (text: string): string =>
  toOneLine(
    text
      .slice(0, maxLength)
      .normalize('NFKC')
      .toUpperCase()
      .toLowerCase()
      .replaceAll('i\u0307', 'i')
      .replaceAll('ς', 'σ')
      .replace(/[’ʼ]/g, "'")
      // Invisible characters, such as soft hyphens, and the styles of emojis.
      .replace(/\p{Cf}|[\ufe00-\ufe0f]/gu, ''),
  );

/** Whether two texts are equal, ignoring case, Unicode encoding and extra spaces. */
export const isSameText = (one: string, other: string): boolean => foldCase(one) === foldCase(other);

const wordsOnly = /[\p{L}\p{M}\p{N}](?:.*[\p{L}\p{M}\p{N}])?/u;

/** Returns a text without the punctuation and symbols around it, unless it has nothing else. */
const withoutMarks = (text: string): string => wordsOnly.exec(text)?.[0] ?? text;

/** Whether a text is only a word or phrase, ignoring punctuation and symbols around it: `stop` is "STOP!". */
export const isPhrase = (text: string, phrase: string): boolean =>
  withoutMarks(foldCase(text)) === withoutMarks(foldCase(phrase));

/**
 * Whether a text contains a word or phrase as whole words: `stop` is in "STOP!" and not in "nonstop". In scripts
 * without spaces between words, such as Chinese or Thai, any position counts.
 */
export const containsPhrase = (text: string, phrase: string): boolean => {
  const [folded, wanted] = [foldCase(text), foldCase(phrase)];
  const isWholeWord = (start: number): boolean =>
    !(startsInWord.test(wanted) && precedesInWord.test(folded.slice(Math.max(0, start - 3), start))) &&
    !(endsInWord.test(wanted) && continuesWord.test(folded.slice(start + wanted.length, start + wanted.length + 3)));
  if (!wanted) return false;
  for (let start = folded.indexOf(wanted); start !== -1; start = folded.indexOf(wanted, start + 1)) {
    if (isWholeWord(start)) return true;
  }
  return false;
};
