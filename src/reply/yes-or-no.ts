/** Whether a reply is a yes or a no: by the button that was pressed, or by the whole text. Never a guess. */
import type { Message } from '../api/resources';
import { foldCase } from '../text/fold';
import { withoutOptionalMarks } from '../text/match';

export const answers = ['yes', 'no', 'other'] as const;
export type YesOrNo = (typeof answers)[number];

/** What a form adds to the words for yes and no. */
export interface OwnWords {
  yes_words?: readonly string[] | undefined;
  no_words?: readonly string[] | undefined;
}

/** The number of characters of the longest phrase, several times over. */
const maxLength = 200;

/** What ends or parts a sentence, in any script. Any other sign, such as a question mark, may change what a word means. */
const marks = /[\s.!¡,،。、।۔]+/gu;

/** Returns a text without case, marks and the colors of emojis. */
const fold = (text: string): string =>
  foldCase(text)
    .replace(/\p{Emoji_Modifier}/gu, '')
    .replace(marks, ' ')
    .trim();

/** Returns phrases as they're compared, also without accents, which people leave out but don't add: `já` isn't `ja`. */
const foldAll = (phrases: readonly string[] = []): Set<string> => {
  const folded = phrases.map(fold).filter(Boolean);
  return new Set([...folded, ...folded.map(withoutOptionalMarks)]);
};

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

const emoji = /\p{Extended_Pictographic}/gu;

/** "Ja ja" laughs in Spanish. */
const laughter = /^ja(?: ja)+$/;

/** Whether a folded text is one phrase of a side, alone or repeated, with emojis of that side around it. */
const isOnly = (folded: string, phrases: ReadonlySet<string>): boolean => {
  const rest = folded.replace(emoji, (sign) => (phrases.has(sign) ? ' ' : sign)).trim();
  if (!rest) return folded !== '';
  const words = rest.split(/ +/);
  const isRepeated = (length: number): boolean => words.every((word, index) => word === words[index % length]);
  return words.some(
    (_word, index) =>
      words.length % (index + 1) === 0 && phrases.has(words.slice(0, index + 1).join(' ')) && isRepeated(index + 1),
  );
};

const answerOf = (text: string, { yes, no }: Phrases): YesOrNo => {
  const folded = text.length > maxLength ? '' : fold(text);
  const [isYes, isNo] = [isOnly(folded, yes), isOnly(folded, no)];
  if (isYes === isNo || laughter.test(folded)) return 'other';
  return isYes ? 'yes' : 'no';
};

/**
 * Returns what a reply answers to a question of yes or no. A pressed button counts before the text, and its own name
 * (`payload`) only where what it shows is neither. Two different words, another sign, or more text is `other`.
 */
export const yesOrNo = (reply: Message, words: OwnWords): YesOrNo => {
  const phrases = phrasesOf(words);
  const { button, text } = reply;
  const shown = answerOf(button?.text ?? text ?? '', phrases);
  return shown === 'other' && button?.payload ? answerOf(button.payload, phrases) : shown;
};

/**
 * What people write for yes and no to any question, in the twelve most spoken languages. A verb, such as "cancel", means
 * what the question makes of it. Left out is what means something else in another common language: `ya` is already in
 * Spanish, and `haan` a rooster in Dutch. Only `no` and `ja` stay, without which nobody's English or German counts.
 */
export const yesAndNoWords: Readonly<Record<string, { yes: readonly string[]; no: readonly string[] }>> = {
  Emoji: { yes: ['👍', '✅', '✔'], no: ['👎', '❌'] },
  English: {
    yes: ['yes', 'yep', 'yup', 'yeah', 'yes please', 'ok', 'okay', 'of course'],
    no: ['no', 'nope', 'no thanks', 'no thank you'],
  },
  Chinese: { yes: ['是', '是的', '好', '好的', '对', '對', '对的', '對的'], no: ['不', '不是', '否'] },
  Hindi: { yes: ['हाँ', 'हां', 'जी हाँ', 'हाँ जी', 'haan ji', 'ji haan'], no: ['नहीं', 'जी नहीं', 'nahi', 'nahin'] },
  Spanish: {
    yes: ['sí', 'sí por favor', 'sí gracias', 'claro', 'claro que sí', 'por supuesto', 'de acuerdo'],
    no: ['no', 'no gracias', 'claro que no'],
  },
  French: { yes: ['oui', 'ouais', "oui s'il vous plaît", "d'accord", 'bien sûr'], no: ['non', 'non merci'] },
  Arabic: { yes: ['نعم', 'أيوه', 'أيوا'], no: ['لا', 'لا شكرا'] },
  Bengali: { yes: ['হ্যাঁ', 'জি হ্যাঁ'], no: ['না', 'জি না'] },
  Portuguese: {
    yes: ['sim', 'sim por favor', 'claro que sim', 'com certeza'],
    no: ['não', 'não obrigado', 'não obrigada', 'claro que não'],
  },
  Russian: { yes: ['да', 'да пожалуйста', 'конечно'], no: ['нет', 'нет спасибо'] },
  Indonesian: { yes: ['iya', 'ya iya', 'oke'], no: ['tidak', 'nggak', 'enggak', 'gak'] },
  Urdu: { yes: ['ہاں', 'جی ہاں', 'ہاں جی'], no: ['نہیں', 'جی نہیں'] },
  German: { yes: ['ja', 'jawohl', 'ja bitte', 'ja gerne', 'ja klar'], no: ['nein', 'nein danke'] },
};
