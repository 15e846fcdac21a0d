/** Whether a reply is a yes or a no: by the button that was pressed, or by the whole text. Never a guess. */
import * as zod from 'zod/mini';
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

const answerOf = (text: string, { yes, no }: Phrases): YesOrNo => {
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
  const shown = answerOf(button?.text ?? reply.text ?? '', phrases);
  return shown === 'other' && button?.payload ? answerOf(button.payload, phrases) : shown;
};

/**
 * What people write for yes and no, by language. Left out is what means the opposite, or something else, in another of
 * them: `tak` is yes in Polish, no in Malay and thanks in Danish; `nu` is no in Romanian and now in Dutch.
 */
export const yesAndNoWords: Readonly<Record<string, { yes: readonly string[]; no: readonly string[] }>> = {
  Emoji: { yes: ['👍', '👌', '✅', '✔'], no: ['👎', '❌', '🚫'] },
  English: {
    yes: ['yes', 'y', 'yep', 'yeah', 'yes please', 'ok', 'okay', 'sure', 'confirm', 'confirmed', 'I confirm'],
    no: ['no', 'n', 'nope', 'no thanks', 'no thank you', 'cancel', 'decline'],
  },
  Afrikaans: { yes: ['ja', 'ja asseblief'], no: ['nee', 'nee dankie'] },
  Arabic: { yes: ['نعم', 'أجل', 'أيوه', 'تأكيد'], no: ['لا', 'كلا', 'لا شكرا', 'إلغاء'] },
  Bengali: { yes: ['হ্যাঁ', 'জি হ্যাঁ'], no: ['না', 'জি না'] },
  Bulgarian: { yes: ['да', 'потвърждавам'], no: ['не', 'не благодаря'] },
  Catalan: { yes: ['sí', 'sí si us plau', "d'acord"], no: ['no', 'no gràcies', 'cancel·lar'] },
  Chinese: {
    yes: ['是', '是的', '好', '好的', '可以', '对', '對', '确认', '確認'],
    no: ['不', '不是', '否', '不要', '不用', '不可以', '取消'],
  },
  Croatian: { yes: ['da', 'potvrđujem'], no: ['ne', 'ne hvala'] },
  Czech: { yes: ['ano', 'ano prosím', 'potvrzuji'], no: ['ne', 'ne děkuji', 'zrušit'] },
  Danish: { yes: ['ja', 'ja tak', 'bekræft'], no: ['nej', 'nej tak', 'annuller'] },
  Dutch: {
    yes: ['ja', 'jazeker', 'ja graag', 'ja hoor', 'bevestigen', 'akkoord'],
    no: ['nee', 'neen', 'nee bedankt', 'nee dank je', 'nee dank u', 'annuleren', 'afzeggen'],
  },
  Estonian: { yes: ['jah'], no: ['ei', 'ei aitäh'] },
  Filipino: { yes: ['oo', 'opo'], no: ['hindi', 'hindi po'] },
  Finnish: { yes: ['kyllä', 'joo', 'vahvista'], no: ['ei', 'ei kiitos', 'peruuta'] },
  French: {
    yes: ['oui', "d'accord", 'oui bien sûr', "oui s'il vous plaît", 'je confirme', 'confirmer'],
    no: ['non', 'non merci', 'annuler', "j'annule"],
  },
  German: {
    yes: ['ja', 'jawohl', 'ja bitte', 'ja gerne', 'gerne', 'bestätigen', 'ich bestätige'],
    no: ['nein', 'nee', 'nein danke', 'absagen', 'stornieren', 'ablehnen'],
  },
  Greek: { yes: ['ναι', 'επιβεβαιώνω'], no: ['όχι', 'όχι ευχαριστώ', 'ακύρωση'] },
  Hebrew: { yes: ['כן', 'מאשר', 'מאשרת'], no: ['לא', 'לא תודה', 'ביטול'] },
  Hindi: { yes: ['हाँ', 'हां', 'जी हाँ', 'haan'], no: ['नहीं', 'जी नहीं', 'nahi', 'nahin'] },
  Hungarian: { yes: ['igen', 'megerősítem'], no: ['nem', 'nem köszönöm'] },
  Icelandic: { yes: ['já'], no: ['nei', 'nei takk'] },
  Indonesian: { yes: ['ya', 'iya', 'konfirmasi'], no: ['tidak', 'nggak', 'gak', 'batal'] },
  Italian: {
    yes: ['sì', 'sì grazie', 'va bene', 'certo', 'confermo', 'conferma', "d'accordo"],
    no: ['no', 'no grazie', 'annulla', 'annullo'],
  },
  Japanese: { yes: ['はい', 'ええ', 'うん', '確認'], no: ['いいえ', 'いえ', 'キャンセル'] },
  Korean: { yes: ['네', '예', '확인'], no: ['아니요', '아니오', '아뇨', '취소'] },
  Latvian: { yes: ['jā'], no: ['nē'] },
  Lithuanian: { yes: ['taip'], no: ['ne'] },
  Malay: { yes: ['ya'], no: ['tidak'] },
  Norwegian: { yes: ['ja', 'ja takk', 'bekreft'], no: ['nei', 'nei takk', 'avbestill'] },
  Persian: { yes: ['بله', 'آره'], no: ['نه', 'خیر'] },
  Polish: { yes: ['tak proszę', 'potwierdzam'], no: ['nie', 'nie dziękuję', 'anuluj', 'odwołuję'] },
  Portuguese: {
    yes: ['sim', 'sim por favor', 'confirmo', 'confirmar', 'com certeza'],
    no: ['não', 'não obrigado', 'não obrigada', 'cancelar', 'cancelo'],
  },
  Romanian: { yes: ['da', 'confirm'], no: ['nu mulțumesc', 'anulez'] },
  Russian: { yes: ['да', 'подтверждаю', 'подтвердить'], no: ['нет', 'нет спасибо', 'отмена', 'отменить'] },
  Serbian: { yes: ['da', 'да'], no: ['ne', 'не'] },
  Slovak: { yes: ['áno', 'potvrdzujem'], no: ['nie', 'nie ďakujem'] },
  Slovenian: { yes: ['da', 'ja'], no: ['ne', 'ne hvala'] },
  Spanish: {
    yes: ['sí', 'sí por favor', 'claro', 'claro que sí', 'vale', 'de acuerdo', 'confirmo', 'confirmar'],
    no: ['no', 'no gracias', 'cancelar', 'cancelo'],
  },
  Swahili: { yes: ['ndiyo', 'ndio'], no: ['hapana'] },
  Swedish: { yes: ['ja', 'ja tack', 'bekräfta'], no: ['nej', 'nej tack', 'avboka'] },
  Thai: { yes: ['ใช่', 'ใช่ครับ', 'ใช่ค่ะ', 'ได้', 'ยืนยัน'], no: ['ไม่', 'ไม่ใช่', 'ไม่ครับ', 'ไม่ค่ะ', 'ยกเลิก'] },
  Turkish: { yes: ['evet', 'evet lütfen', 'onaylıyorum'], no: ['hayır', 'hayır teşekkürler', 'iptal'] },
  Ukrainian: { yes: ['так', 'підтверджую'], no: ['ні', 'ні дякую', 'скасувати'] },
  Urdu: { yes: ['جی ہاں', 'ہاں'], no: ['نہیں', 'جی نہیں'] },
  Vietnamese: { yes: ['vâng', 'dạ', 'xác nhận'], no: ['không', 'hủy'] },
};
