/** Whether a reply is a yes or a no, in every language of the list. */
import fc from 'fast-check';
import sendMessageAndWait from '../../creates/send-message-and-wait';
import findReply from '../../searches/find-reply';
import { events } from '../../src/api/events';
import { yesAndNoWords } from '../../src/messages/yes-and-no-words';
import { type OwnWords, yesOrNo } from '../../src/messages/yes-or-no';

const reply = events['message.received'].sample;
const read = (text: string | null, words: OwnWords = {}, button: { text?: string; payload?: string } | null = null) =>
  yesOrNo({ ...reply, text, button }, words);

const sides = ['yes', 'no'] as const;
const listed = Object.entries(yesAndNoWords).flatMap(([language, words]) =>
  sides.flatMap((side) => words[side].map((phrase) => ({ language, side, phrase }))),
);
const phrases = fc.constantFrom(...listed);

/** What people put around a word, and how they write it. */
const marks = fc.constantFrom('', ' ', '!', '!!', '.', '…', ')', '*', '"', '\u200b', '\n', '。', '!', '।');
const spellings = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.normalize('NFD'),
  (text) => text.replace(/^./u, (first) => first.toUpperCase()),
);
const asTyped = fc
  .record({ given: phrases, before: marks, after: marks, spell: spellings })
  .map(({ given, before, after, spell }) => ({ ...given, text: `${before}${spell(given.phrase)}${after}` }));

test.each(listed)('$phrase is a $side in $language', ({ side, phrase }) => {
  expect(read(phrase)).toBe(side);
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

test('words of both sides, and more text, are never a guess', () => {
  const more = fc.constantFrom('later', 'but at 3', 'problem', '?', 'вторник', '明天', '🙏 Tuesday');
  fc.assert(
    fc.property(asTyped, asTyped, more, fc.boolean(), (one, other, extra, isFirst) => {
      const both = read(`${one.text}, ${other.text}`);
      expect(both === 'other' || (both === one.side && both === other.side)).toBe(true);
      expect(read(isFirst ? `${one.text} ${extra}` : `${extra} ${one.text}`)).toBe('other');
    }),
    { numRuns: 2_000 },
  );
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

test.each([null, '', '(photo)', '...', '🙂', 'tak', 'nu', 'Yes?', 'yes'.repeat(2_000)])('%j is other', (text) => {
  expect(read(text)).toBe('other');
});

test('emojis have any color, and a yes may repeat itself', () => {
  expect(['👍🏽', 'Yes 👍', 'yes, yes!', '✔️', '👎🏿 no'].map((text) => read(text))).toEqual([
    'yes',
    'yes',
    'yes',
    'yes',
    'no',
  ]);
});

test.each([sendMessageAndWait, findReply])('the sample of $key has the answer of its reply', ({ operation }) => {
  expect(operation.sample).toMatchObject({ answer: read(reply.text ?? null) });
});
