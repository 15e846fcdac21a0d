/** Texts as one line, for comparison, and as values that are mapped from earlier steps. */
/** The number of characters that are compared, several times the length of any message. */
const maxLength = 20_000;

const spacelessScripts = [
  'Han',
  'Hiragana',
  'Katakana',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Tibetan',
  'Javanese',
  'Yi',
];

let spaceless: RegExp | undefined;

/** Whether a character continues a word. Characters of scripts without spaces between words never do. */
const isInWord = (character = ''): boolean => {
  // Only built here because it takes two milliseconds, and few steps need it.
  spaceless ??= new RegExp(`[${spacelessScripts.map((script) => `\\p{scx=${script}}`).join('')}]`, 'u');
  return /[\p{L}\p{M}\p{N}_]/u.test(character) && !spaceless.test(character);
};

/**
 * Returns the start of a text as one line that can stand in a longer text: with single spaces, without what breaks lines, and
 * without marks that turn the direction of what follows. It has at most `max` characters, the last one an ellipsis if more
 * were there.
 */
export const toOneLine = (text: string, max = maxLength): string => {
  const start = text.slice(0, 2 * max);
  const line = start
    .toWellFormed()
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = [...line];
  const fits = start.length === text.length && characters.length <= max;
  return fits ? line : `${characters.slice(0, max - 1).join('')}…`;
};

/** Characters that nobody sees, and that an AI step reads as letters. */
const tags = /[\u{e0000}-\u{e007f}]/gu;

/** How Slack spells mentions, such as `<!channel>`, and links that show another text, such as `<https://…|bank>`. */
const slackCommand = /<(?=[!@#]|[^>|\s]{1,2000}\|)/g;

/** Words that notify everybody where a chat links names. */
const broadcast = /@(?=(?:channel|here|everyone)\b)/gi;

/** The middle of a Markdown link, which shows another text than its address. */
const markdownLink = /\](?=\()/g;

/**
 * Returns a text of somebody as one line of at most about `max` characters, which no chat takes for a mention or for a link
 * that shows another text, and which says the same to people and AI steps.
 */
export const toPart = (text: string, max: number): string =>
  toOneLine(text.replace(tags, ''), max)
    .replace(slackCommand, '‹')
    .replace(broadcast, '＠')
    .replace(markdownLink, '］');

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

const foldedPhrases = new WeakMap<readonly string[], readonly string[]>();

/** Folds the phrases of a form, once for all the texts that a step compares with them. */
const foldAll = (phrases: readonly string[]): readonly string[] => {
  const folded = foldedPhrases.get(phrases) ?? phrases.map(foldCase);
  foldedPhrases.set(phrases, folded);
  return folded;
};

const withoutMarks = (text: string): string => /[\p{L}\p{M}\p{N}](?:.*[\p{L}\p{M}\p{N}])?/u.exec(text)?.[0] ?? text;

/** How phones write that somebody reacted to a message. The words in it are those of that message: ours, mostly. */
const reaction =
  /^(?:liked|loved|disliked|laughed at|emphasi[sz]ed|questioned|reacted .{1,20} to|removed .{1,20} from|\P{L}{1,12} to|gefiel|a ajouté un .{1,20} à) ["'“„«].*["'”“»]$/u;

const courtesies = 'thank you|thanks|thx|please|danke|bitte|bedankt|dank je|alstublieft|merci|gracias|obrigado|grazie';
// Begins after a letter only, since a search that begins at each of many marks takes quadratic time.
const courtesyAtEnd = new RegExp(`(?<=[\\p{L}\\p{M}\\p{N}])[^\\p{L}\\p{M}\\p{N}]+(?:${courtesies})$`, 'u');

/**
 * Whether a text is only one of the words or phrases, ignoring punctuation and symbols around it, and thanks after it:
 * `stop` is "STOP!" and "Stop. Thank you".
 */
export const isPhrase = (text: string, phrases: readonly string[]): boolean => {
  const folded = withoutMarks(foldCase(text));
  const wanted = [folded, folded.replace(courtesyAtEnd, '')];
  return phrases.some((phrase) => wanted.includes(withoutMarks(foldCase(phrase))));
};

const containsFolded = (folded: string, wanted: string): boolean => {
  // A hyphen joins words: `stop` isn't a word of "non-stop".
  const before = (start: number): string => folded.slice(Math.max(0, start - 3), start).replace(/[-‐]$/, '');
  const after = (end: number): string => folded.slice(end, end + 3).replace(/^[-‐]/, '');
  const [startsInWord, endsInWord] = [isInWord([...wanted][0]), isInWord([...wanted].at(-1))];
  const isFullWord = (start: number): boolean =>
    !(startsInWord && isInWord([...before(start)].at(-1))) &&
    !(endsInWord && isInWord([...after(start + wanted.length)][0]));
  if (!wanted) return false;
  for (let start = folded.indexOf(wanted); start !== -1; start = folded.indexOf(wanted, start + 1)) {
    if (isFullWord(start)) return true;
  }
  return false;
};

/**
 * Whether a text contains one of the words or phrases as whole words: `stop` is in "STOP!" and not in "nonstop". In
 * scripts without spaces between words, such as Chinese or Thai, any position counts. A reaction to a message, such as
 * `Liked "Reply STOP to unsubscribe"`, contains none.
 */
export const containsPhrase = (text: string, phrases: readonly string[]): boolean => {
  const folded = foldCase(text);
  if (reaction.test(folded)) return false;
  return foldAll(phrases).some((phrase) => containsFolded(folded, phrase));
};

/** How many lists in lists are read. A deeper value is nobody's text. */
const maxDepth = 10;

/**
 * Returns a mapped value as trimmed text, joining a list with commas. Returns undefined for a blank value, which has no
 * visible character.
 */
export const readText = (value: unknown, depth = 0): string | undefined => {
  if (Array.isArray(value)) return depth < maxDepth ? readTexts(value, depth + 1).join(', ') || undefined : undefined;
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  const text = String(value).toWellFormed().trim();
  return /[^\s\p{Cc}\p{Cf}]/u.test(text) ? text : undefined;
};

/** Returns a mapped value as a list of texts, without blank items. */
export const readTexts = (value: unknown, depth = 0): string[] =>
  (Array.isArray(value) ? value : [value]).map((item) => readText(item, depth)).filter((item) => item !== undefined);

/** Returns the digits in a text. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '');
