/** Whether a reply is a yes or a no: by the button that was pressed, or by the whole text. Never a guess. */
import * as zod from 'zod/mini';
import type { Message } from '../api/resources';
import { foldCase } from '../formats/text';
import { withoutOptionalMarks } from './best-match';
import { yesAndNoWords } from './yes-and-no-words';

export const answers = ['yes', 'no', 'other'] as const;
export type YesOrNo = (typeof answers)[number];

/** What a form adds to the words for yes and no. */
export interface OwnWords {
  yes_words?: readonly string[] | undefined;
  no_words?: readonly string[] | undefined;
}

/** The number of characters of the longest phrase, several times over. */
const maxLength = 200;

/** Returns a text as words and emojis, without case, accents, punctuation and the colors of emojis. */
const fold = (text: string): string => {
  const bare = withoutOptionalMarks(foldCase(text.slice(0, maxLength))).replace(/\p{Emoji_Modifier}/gu, '');
  return (bare.match(/\p{Extended_Pictographic}|[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ');
};

const foldAll = (phrases: readonly string[] = []): Set<string> => new Set(phrases.map(fold).filter(Boolean));

type Phrases = Record<'yes' | 'no', ReadonlySet<string>>;

let listed: Phrases | undefined;

/** Returns the phrases of all languages, which are only needed where a reply is read. */
const listedPhrases = (): Phrases => {
  const languages = Object.values(yesAndNoWords);
  listed ??= { yes: foldAll(languages.flatMap(({ yes }) => yes)), no: foldAll(languages.flatMap(({ no }) => no)) };
  return listed;
};

/** Returns the phrases of both sides. A form may put a word of the list on the other side. */
const phrasesOf = ({ yes_words, no_words }: OwnWords): Phrases => {
  const [known, yes, no] = [listedPhrases(), foldAll(yes_words), foldAll(no_words)];
  const join = (listed: ReadonlySet<string>, own: ReadonlySet<string>, other: ReadonlySet<string>) =>
    new Set([...[...listed].filter((phrase) => !other.has(phrase)), ...own]);
  return { yes: join(known.yes, yes, no), no: join(known.no, no, yes) };
};

/** Whether a folded text has only words of a side, such as `yes 👍`. */
const hasOnly = (text: string, phrases: ReadonlySet<string>): boolean =>
  text.split(' ').every((word) => phrases.has(word));

/** A question, such as `Yes?`, is no answer. */
const question = /[?？؟⸮]/;

const sideOf = (text: string, { yes, no }: Phrases): YesOrNo => {
  if (text.length > maxLength || question.test(text)) return 'other';
  const folded = fold(text);
  const isWhole = yes.has(folded) || no.has(folded);
  const [isYes, isNo] = [yes, no].map((side) => (isWhole ? side.has(folded) : hasOnly(folded, side)));
  if (isYes === isNo) return 'other';
  return isYes ? 'yes' : 'no';
};

const pressed = zod.catch(
  zod.nullish(zod.object({ text: zod.nullish(zod.string()), payload: zod.nullish(zod.string()) })),
  null,
);

/**
 * Returns what a reply answers to a question of yes or no. A pressed button counts before the text, and its own name
 * (`payload`) only where what it shows is neither. A text with words of both sides, or with more words, is `other`.
 */
export const yesOrNo = (reply: Message, words: OwnWords): YesOrNo => {
  const phrases = phrasesOf(words);
  const button = pressed.parse(reply.button);
  const shown = sideOf(button?.text ?? reply.text ?? '', phrases);
  return shown === 'other' && button?.payload ? sideOf(button.payload, phrases) : shown;
};
