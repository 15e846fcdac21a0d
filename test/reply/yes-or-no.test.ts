/** Which replies mean yes or no, in many languages, and which are left to a person. */

import fc from 'fast-check';
import sendMessageAndWait from '../../creates/send-message-and-wait';
import findReply from '../../searches/find-reply';
import { events } from '../../src/api/events';
import { type OwnWords, yesAndNoWords, yesOrNo } from '../../src/reply/yes-or-no';

describe('a yes or a no', () => {
  const reply = events['message.received'].sample;
  const read = (text: string | null, words: OwnWords = {}, button: { text?: string; payload?: string } | null = null) =>
    yesOrNo({ ...reply, text, button }, words);

  const sides = ['yes', 'no'] as const;
  const listed = Object.entries(yesAndNoWords).flatMap(([language, words]) =>
    sides.flatMap((side) => words[side].map((phrase) => ({ language, side, phrase }))),
  );
  const phrases = fc.constantFrom(...listed);

  /** What may stand around a word, and how people write it. */
  const marks = fc.constantFrom('', ' ', '!', '!!', '.', '…', ',', '\u200b', '\n', '。', '！', '।', '¡');
  const spellings = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.normalize('NFD'),
    (text) => text.replace(/^./u, (first) => first.toUpperCase()),
  );
  const asTyped = fc
    .record({ given: phrases, before: marks, after: marks, spell: spellings })
    .map(({ given, before, after, spell }) => ({ ...given, text: `${before}${spell(given.phrase)}${after}` }));

  test('each word of the list is on its side', () => {
    expect(listed.filter(({ side, phrase }) => read(phrase) !== side)).toEqual([]);
  });

  test('a word is the whole reply, in any case, with any marks around it, as a text or a pressed button', () => {
    fc.assert(
      fc.property(asTyped, ({ text, side }) => {
        expect(read(text)).toBe(side);
        expect(read(text, {}, { text, payload: 'BUTTON_1' })).toBe(side);
        expect(read('Read more', {}, { text: 'Read more', payload: text })).toBe(side);
      }),
      { numRuns: 2_000 },
    );
  });

  test('two different words, and more text, are never a guess', () => {
    const more = fc.constantFrom('later', 'but at 3', 'problem', 'вторник', '明天', '🙏', '🤔', '😂', '1', 'e');
    fc.assert(
      fc.property(asTyped, asTyped, more, fc.boolean(), (one, other, extra, isFirst) => {
        const both = read(`${one.text}, ${other.text}`);
        expect(both === 'other' || (both === one.side && both === other.side)).toBe(true);
        expect(read(isFirst ? `${one.text} ${extra}` : `${extra} ${one.text}`)).toBe('other');
      }),
      { numRuns: 2_000 },
    );
    expect(read('yes okay')).toBe('other');
  });

  test('any other sign before or after a word makes it another answer', () => {
    const sign = fc.constantFrom(...'?？؟;;⸮⁇‽¿՞፧¡¿:)("*/-–—_~^@#%&+=<>|\'»“'.replace('¡', ''));
    fc.assert(
      fc.property(asTyped, sign, fc.boolean(), ({ text }, extra, isFirst) => {
        expect(read(isFirst ? `${extra}${text}` : `${text}${extra}`)).toBe('other');
      }),
      { numRuns: 2_000 },
    );
  });

  /** How languages deny, and the verbs of reminders: to cancel, to confirm, to come, to want. */
  const verbs: Record<string, [string[], string[]]> = {
    English: [
      ["don't", 'do not', 'no', 'not', 'never', 'no, please'],
      ['cancel', 'canceled', 'confirm', 'confirmed', 'decline', 'come'],
    ],
    Chinese: [
      ['不', '不要', '没', '别'],
      ['取消', '确认', '確認', '来', '可以', '要'],
    ],
    Hindi: [
      ['नहीं', 'मत', 'nahi'],
      ['रद्द करें', 'पुष्टि', 'आना', 'cancel', 'confirm karo'],
    ],
    Spanish: [
      ['no', 'no voy a'],
      ['cancelar', 'cancelo', 'cancele', 'confirmar', 'confirmo', 'voy', 'vale'],
    ],
    French: [
      ['non', 'ne pas', 'pas'],
      ['annuler', "j'annule", 'confirmer', 'je confirme', 'viens'],
    ],
    Arabic: [
      ['لا', 'لم', 'لن'],
      ['إلغاء', 'تأكيد', 'أؤكد', 'تلغي', 'أجل'],
    ],
    Bengali: [
      ['না', 'নয়'],
      ['বাতিল', 'নিশ্চিত', 'আসব'],
    ],
    Portuguese: [
      ['não', 'nao', 'nunca'],
      ['cancelar', 'cancelo', 'cancele', 'confirmar', 'confirmo', 'vou'],
    ],
    Russian: [
      ['не', 'нет', 'нет не'],
      ['отмена', 'отменить', 'отменяйте', 'подтверждаю', 'приду'],
    ],
    Indonesian: [
      ['tidak', 'gak', 'jangan', 'nggak'],
      ['batal', 'batalkan', 'konfirmasi', 'datang'],
    ],
    Urdu: [
      ['نہیں', 'مت'],
      ['منسوخ', 'تصدیق', 'آنا'],
    ],
    German: [
      ['nicht', 'nein', 'kein'],
      ['absagen', 'stornieren', 'bestätigen', 'ablehnen', 'komme'],
    ],
    others: [
      ['Nie', 'không', 'לא', 'Hayır', 'Nem', 'nie', 'no', 'ei', 'nu', 'いいえ'],
      ['odwołuję', 'hủy', 'ביטול', 'iptal', 'annulla', 'annuleren', 'peruuta', 'キャンセル', 'anulez', 'zrušit'],
    ],
  };

  test('a verb means what the question makes of it, alone, denied, or as a button, unless the form names it', () => {
    const guessed = Object.values(verbs).flatMap(([denials, all]) =>
      all.flatMap((verb) => {
        const denied = denials.flatMap((no) => [`${no} ${verb}`, `${no}${verb}`, `${verb} ${no}`, `${no}, ${verb}!`]);
        return [verb, ...denied].filter((text) => read(text) !== 'other' || read(text, {}, { text }) !== 'other');
      }),
    );
    expect(guessed).toEqual([]);
    const words = { yes_words: ['Confirm'], no_words: ['Cancel'] };
    expect(['confirm', 'Cancel!', "don't cancel", 'not confirm', 'no cancel'].map((text) => read(text, words))).toEqual(
      ['yes', 'no', 'other', 'other', 'other'],
    );
  });

  test.each([
    ['Spanish', 'ya y o si no vale año ano ja ja hola bueno gracias da nada', 'si no'],
    ['Portuguese', 'já ei da do no na e o a é né vale nada obrigado ano', 'no'],
    ['French', 'si tu nous née ne pas y on en merci peut-être', 'si'],
    ['German', 'da ei nah nee nie so er gerne gut bitte danke na', ''],
    ['Dutch', 'haan nu na nou bedankt graag sure', ''],
    ['Danish, Norwegian, Swedish', 'tak takk nu klar da ej', ''],
    ['Polish, Czech, Slovak', 'tak ano nie ne to a i já', ''],
    ['Romanian, Croatian, Serbian', 'da nu ne și', 'și'],
    ['Finnish, Estonian, Hungarian', 'ei joo vale igen nem', ''],
    ['Turkish', 'süre da ya var yok tamam', ''],
    ['Indonesian, Malay, Filipino', 'tak ya oo ano hindi opo baik', ''],
    ['Vietnamese', 'da dạ không vâng', ''],
    ['Arabic, Persian, Urdu', 'أجل كلا تمام نه آره جی', ''],
    ['Chinese, Japanese', '可以 要 行 没有 不要 不用 確認 うん', ''],
    ['Russian, Ukrainian, Bulgarian', 'не ни так хорошо ага', ''],
    ['chats', 'y n k oO xo :) sure 👌 🙏 🚫 💯 ❤️ 😂', ''],
  ])('what is common in %s and means something else is no answer', (_languages, common, known) => {
    const answers = common.split(' ').filter((word) => read(word) !== 'other' && !known.split(' ').includes(word));
    // One that laughs only when it's repeated.
    expect(answers.filter((word) => word !== 'ja')).toEqual([]);
  });

  test('a form adds words, and may put a word of the list on the other side', () => {
    fc.assert(
      fc.property(asTyped, ({ phrase, text, side }) => {
        const turned = side === 'yes' ? { no_words: [phrase] } : { yes_words: [phrase] };
        expect(read(text, turned)).toBe(side === 'yes' ? 'no' : 'yes');
        expect(read(text, { yes_words: [phrase], no_words: [phrase] })).toBe('other');
      }),
    );
    expect(read('See you there!', { yes_words: ['see you there'] })).toBe('yes');
  });

  test.each([
    ...[null, '', '(photo)', '...', '🙂', 'tak', 'nu', 'Yes?', 'Ναι;', 'Yes⁇', '¿sí', 'Ano', 'Ei', 'oO', 'Da'],
    ...['ja ja ja', 'No 👍', 'yes 👎', 'Yes!? no', 'y.e.s', 'yes'.repeat(2_000), `yes${' '.repeat(200)}but no`],
  ])('%j is other', (text) => {
    expect(read(text)).toBe('other');
  });

  test('emojis have any color, and a yes may repeat itself', () => {
    expect(
      ['👍🏽', 'Yes 👍', 'yes, yes!', '✔️', '👎🏿 no', '👍👍🏻✅', '¡Sí, por favor!', 'No, thanks. No, thanks.'].map(
        (text) => read(text),
      ),
    ).toEqual(['yes', 'yes', 'yes', 'yes', 'no', 'yes', 'yes', 'no']);
  });

  test.each([sendMessageAndWait, findReply])('the sample of $key has the answer of its reply', ({ operation }) => {
    expect(operation.sample).toMatchObject({ answer: read(reply.text ?? null) });
  });
});
