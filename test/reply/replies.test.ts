/** Which message a line answers, in worlds where services have people twice, know little, and quote what nobody knows. */
import fc from 'fast-check';
import sendMessageAndWait from '../../creates/send-message-and-wait';
import findReply from '../../searches/find-reply';
import { events } from '../../src/api/events';
import { type Message, message } from '../../src/api/resources';
import { type JudgedReply, judgeThread } from '../../src/reply/judge';
import { type OwnWords, yesAndNoWords, yesOrNo } from '../../src/reply/yes-or-no';

describe('an answer', () => {
  /** A person with a phone. The service may have them as two contacts, whose number it writes in two ways. */
  interface Someone {
    contacts: readonly string[];
    numbers: readonly [string, string];
    hidesNumber: boolean;
  }

  const people: readonly Someone[] = [
    { contacts: ['con_1', 'con_2'], numbers: ['+12025550123', '+12025550123'], hidesNumber: false },
    { contacts: ['con_3', 'con_4'], numbers: ['+5215541637145', '+525541637145'], hidesNumber: false },
    { contacts: ['con_5', 'con_6'], numbers: ['+5491123456789', '+541123456789'], hidesNumber: true },
    { contacts: ['con_8', 'con_9'], numbers: ['+5511987654321', '+551187654321'], hidesNumber: false },
    { contacts: ['con_7'], numbers: ['+525541637146', '+525541637146'], hidesNumber: false },
  ];

  const ours = ['+12025550190', '+12025550191'] as const;

  /** Something that was written. `quotes` counts back from it. */
  const written = fc.record({
    person: fc.constantFrom(...people),
    isInbound: fc.boolean(),
    contact: fc.constantFrom(0, 0, 1),
    spelling: fc.constantFrom(0, 1),
    knowsContact: fc.constantFrom(true, true, true, false),
    own: fc.constantFrom(0, 0, 0, 1),
    channel: fc.constantFrom('whatsapp', 'whatsapp', 'whatsapp', 'sms'),
    /** When it reaches the phone, in seconds. */
    arrival: fc.constantFrom<number | 'queued' | 'failed'>(1, 1, 1, 90, 'queued', 'failed'),
    quotes: fc.constantFrom<number | 'foreign'>(0, 0, 0, 0, 1, 2, 3, 'foreign'),
    clock: fc.constantFrom(0, 0, 0, -60),
    status: fc.constantFrom('received', 'received', 'received', 'deleted', 'failed'),
    later: fc.integer({ min: 2, max: 120 }),
  });
  type Written = typeof written extends fc.Arbitrary<infer T> ? T : never;

  /** What was written, with what only the test knows. */
  interface Line {
    given: Written;
    at: number;
    record: Message;
    quoted: Line | undefined;
  }

  const start = Date.UTC(2026, 5, 11, 9);
  const iso = (seconds: number) => new Date(start + 1_000 * seconds).toISOString().replace('.000', '');

  const toRecord = (given: Written, index: number, at: number, reply_to: string | null): Message => {
    const { person, isInbound, arrival, status, own } = given;
    const number = person.numbers[given.spelling === 0 ? 0 : 1];
    const phone = person.hidesNumber && isInbound ? null : number;
    const id = person.contacts[given.contact] ?? person.contacts[0] ?? '';
    const hasArrived = typeof arrival === 'number';
    return {
      ...message.sample,
      id: `msg_${index}`,
      text: `Text ${index}`,
      contact: given.knowsContact || !phone ? { id, phone } : null,
      // Two contacts without a number in two conversations are two people, as far as anybody can know.
      conversation_id: person.hidesNumber ? `${person.contacts[0]}` : `${id} ${given.channel}`,
      channel: given.channel,
      direction: isInbound ? 'inbound' : 'outbound',
      from: isInbound ? phone : (ours[own === 0 ? 0 : 1] ?? null),
      to: isInbound ? (ours[own === 0 ? 0 : 1] ?? null) : phone,
      reply_to,
      status: isInbound ? status : hasArrived ? 'delivered' : arrival,
      created_at: iso(isInbound ? at + given.clock : at),
      sent_at: !isInbound && hasArrived ? iso(at) : null,
      delivered_at: !isInbound && hasArrived ? iso(at + arrival) : null,
      failed_at: !isInbound && arrival === 'failed' ? iso(at + 1) : null,
    };
  };

  /** Returns what was written, in the order in which it came. */
  const toWorld = (lines: readonly Written[]): Line[] => {
    const world: Line[] = [];
    for (const [index, given] of lines.entries()) {
      const at = (world.at(-1)?.at ?? 0) + given.later;
      const quoted = typeof given.quotes === 'number' && given.quotes > 0 ? world[index - given.quotes] : undefined;
      const isQuote = given.isInbound && quoted?.given.person === given.person;
      const reply_to = given.isInbound && given.quotes === 'foreign' ? 'wamid.HBg' : isQuote ? quoted.record.id : null;
      world.push({ given, at, record: toRecord(given, index, at, reply_to), quoted: isQuote ? quoted : undefined });
    }
    return world;
  };

  const worlds = fc.array(written, { maxLength: 8 }).map(toWorld);

  const questionsIn = (world: Line[]): Line[] => world.filter(({ given }) => !given.isInbound);

  /** Returns the answer to a question by the list at the end, newest first, which begins with the question. */
  const answerTo = (question: Line, world: Line[]): JudgedReply | undefined =>
    judgeThread({
      sent: question.record,
      messages: world
        .slice(world.indexOf(question))
        .map(({ record }) => record)
        .toReversed(),
      quoted: world.map(({ record }) => record),
      isComplete: true,
    });

  /** Whether a question was on the phone of the person when they wrote a line. */
  const wasSeen = ({ given: { arrival }, at }: Line, line: Line): boolean =>
    typeof arrival === 'number' && at + arrival <= line.at;

  /** Whether a line may answer a question: it's the person's, later, and quotes no other message of ours. */
  const mayAnswer = (line: Line, question: Line): boolean =>
    line.given.isInbound &&
    line.given.person === question.given.person &&
    line.at > question.at &&
    (!line.quoted || line.quoted === question || line.quoted.given.isInbound);

  /** Whether a line can only answer a question: the person quotes it, or it's the last that they saw. */
  const mustAnswer = (line: Line, question: Line, world: Line[]): boolean => {
    if (!mayAnswer(line, question) || line.given.status !== 'received') return false;
    if (line.quoted || line.given.quotes === 'foreign') return line.quoted === question;
    const isBetween = (each: Line) =>
      each.given.person === line.given.person && each.at > question.at && wasSeen(each, line);
    return (
      wasSeen(question, line) &&
      line.given.own === question.given.own &&
      line.given.channel === question.given.channel &&
      !questionsIn(world).some(isBetween)
    );
  };

  const holds = (judge: (question: Line, world: Line[], answer: JudgedReply | undefined) => void): void =>
    fc.assert(
      fc.property(worlds, (world) => {
        for (const question of questionsIn(world)) judge(question, world, answerTo(question, world));
      }),
      { numRuns: 1_000, seed: 58 },
    );

  const isPlain = ({ given, record }: Line): boolean =>
    given.contact === 0 &&
    given.clock === 0 &&
    given.knowsContact &&
    given.arrival !== 90 &&
    !given.person.hidesNumber &&
    record.status !== 'queued';

  test('nobody answered only if every line since is somebody else’s, or quotes another message of ours', () => {
    holds((question, world, answer) => {
      expect(answer !== undefined || !world.some((line) => mayAnswer(line, question))).toBe(true);
    });
  });

  test('a certain answer comes from the phone that got the message, and can answer no other one', () => {
    holds((question, world, answer) => {
      const certain = world.filter(({ record }) => answer?.verdict === 'certain' && record.id === answer.reply.id);
      for (const line of certain) {
        expect(mustAnswer(line, question, world)).toBe(true);
        expect(answer?.question).toBe(question.record.text);
      }
    });
  });

  test('each line answers at most one message for certain', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const answers = questionsIn(world).map((question) => answerTo(question, world));
        const certain = answers.flatMap((answer) => (answer?.verdict === 'certain' ? [answer.reply.id] : []));
        expect(certain).toHaveLength(new Set(certain).size);
      }),
      { numRuns: 500, seed: 58 },
    );
  });

  test('what a service tells without a gap is certain: a quote, or the first line after the last message', () => {
    holds((question, world, answer) => {
      const lines = world.filter((line) => world.every(isPlain) && mustAnswer(line, question, world));
      for (const { record } of lines.slice(0, 1))
        expect(answer).toMatchObject({ verdict: 'certain', reply: { id: record.id } });
    });
  });

  test.each<[string, Partial<Message>, Partial<Message>]>([
    ['on another channel', {}, { channel: 'sms' }],
    ['to another number of ours', {}, { to: '+12025550191' }],
    ['that came before its message failed', { status: 'failed', failed_at: '2026-06-11T10:00:09Z' }, {}],
    ['to a message that failed at an unknown time', { status: 'failed' }, {}],
    ['to a message that was delivered after it', { delivered_at: '2026-06-11T10:00:09Z' }, {}],
    ['after a message that is the contact’s own', { direction: 'inbound' }, {}],
  ])('a line %s may answer another message, unless it quotes this one', (_which, asked, wrote) => {
    const sent: Message = { ...message.sample, delivered_at: null, read_at: null, ...asked };
    const at = { id: 'msg_reply', created_at: '2026-06-11T10:00:00Z' };
    const line: Message = { ...message.sample, ...at, direction: 'inbound', from: sent.to, to: sent.from, ...wrote };
    const find = (each: Message) => judgeThread({ sent, messages: [each, sent], quoted: [], isComplete: true });
    expect(find(line)).toEqual({ reply: line, verdict: 'doubtful', question: null });
    expect(find({ ...line, reply_to: sent.id })).toMatchObject({ verdict: 'certain', question: sent.text });
  });

  test("after a message that may be either side's, it's unknown what a line answers, but not after a note", () => {
    const at = (second: number) => ({ created_at: `2026-06-11T10:00:0${second}Z` });
    const sent: Message = { ...message.sample, ...at(0), delivered_at: null };
    const between: Message = { ...message.sample, id: 'msg_unknown', direction: null, ...at(1) };
    const line: Message = {
      ...message.sample,
      id: 'msg_reply',
      direction: 'inbound',
      from: sent.to,
      to: sent.from,
      ...at(2),
    };
    const verdictOf = (...messages: Message[]) =>
      judgeThread({ sent, messages, quoted: [], isComplete: true })?.verdict;
    expect(verdictOf(line, between, sent)).toBe('unclear');
    expect(verdictOf(line, { ...between, direction: 'note' }, sent)).toBe('certain');
  });
});

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
