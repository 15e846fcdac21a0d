/** Which message a reply answers, for any order of questions and replies. */
import fc from 'fast-check';
import { type Message, message } from '../../src/api/resources';
import { findAnswer } from '../../src/messages/answer';

const people = [
  { id: 'con_1', phone: '+12025550123' },
  // A namesake, who hides the number.
  { id: 'con_2', phone: null },
] as const;

/** Something that was written. `quotes` counts back from it; 0 quotes nothing. */
const written = fc.record({
  person: fc.constantFrom(...people),
  by: fc.constantFrom('api', 'colleague', 'campaign', 'automation', 'contact', 'contact'),
  channel: fc.constantFrom('whatsapp', 'sms'),
  knowsContact: fc.boolean(),
  failsAfterMs: fc.option(fc.nat({ max: 4_000 }), { freq: 6 }),
  quotes: fc.oneof(fc.constant(0), fc.constant(0), fc.nat({ max: 6 })),
  laterMs: fc.nat({ max: 1_500 }),
});
type Given<A> = A extends fc.Arbitrary<infer T> ? T : never;

const story = fc.record({ lines: fc.array(written, { maxLength: 9 }), isPrecise: fc.boolean() });

/** Returns everything that was written, newest first, as the service lists it at the end. */
const toList = ({ lines, isPrecise }: Given<typeof story>): Message[] => {
  const iso = (ms: number): string => {
    const exact = new Date(Date.UTC(2026, 5, 11, 9) + ms).toISOString();
    return isPrecise ? exact : exact.replace(/\.\d+/, '');
  };
  let at = 0;
  return lines
    .map((each, index): Message => {
      at += each.laterMs;
      const isInbound = each.by === 'contact';
      const quoted = each.quotes > 0 && each.quotes <= index ? `msg_${index - each.quotes}` : null;
      const failedAt = isInbound || each.failsAfterMs === null ? undefined : at + each.failsAfterMs;
      return {
        ...message.sample,
        id: `msg_${index}`,
        // Someone without a number is known by the contact alone.
        contact: each.knowsContact || each.person.phone === null ? each.person : null,
        conversation_id: `${each.person.id} ${each.channel}`,
        channel: each.channel,
        direction: isInbound ? 'inbound' : 'outbound',
        from: isInbound ? each.person.phone : '+12025550190',
        to: isInbound ? '+12025550190' : each.person.phone,
        source: each.by,
        text: `Text ${index}`,
        reply_to: isInbound ? quoted : null,
        status: failedAt === undefined ? 'sent' : 'failed',
        failed_at: failedAt === undefined ? null : iso(failedAt),
        delivered_at: null,
        created_at: iso(at),
      };
    })
    .toReversed();
};

const since = (list: Message[], { id }: Message): Message[] =>
  list.slice(0, list.findIndex((each) => each.id === id) + 1);
const questionsIn = (list: Message[]): Message[] => list.filter(({ direction }) => direction === 'outbound');

test('each reply answers at most one message without saying so, whoever sent the messages and in whatever order', () => {
  const holds = fc.property(story, (told) => {
    const list = toList(told);
    const certain = questionsIn(list).flatMap((sent) => {
      const answer = findAnswer(sent, since(list, sent));
      return answer && !answer.answers_another ? [answer.reply.id] : [];
    });
    expect(certain).toHaveLength(new Set(certain).size);
  });
  fc.assert(holds);
});

test('a reply comes from the person after the message, quotes no other one, and tells what it answers', () => {
  const holds = fc.property(story, (told) => {
    const list = toList(told);
    for (const sent of questionsIn(list)) {
      const answer = findAnswer(sent, since(list, sent));
      if (!answer) continue;
      const { reply, answers_another, question } = answer;
      expect(list.indexOf(reply)).toBeLessThan(list.indexOf(sent));
      expect(reply.conversation_id?.split(' ')[0]).toBe(sent.conversation_id?.split(' ')[0]);
      expect([null, sent.id]).toContain(reply.reply_to);
      expect(question === sent.text).toBe(!answers_another);
    }
  });
  fc.assert(holds);
});

test('the last message before a line that quotes nothing gets it as its reply, unless an earlier line did', () => {
  const holds = fc.property(story, (told) => {
    const list = toList(told);
    for (const [place, line] of list.entries()) {
      if (line.direction !== 'inbound' || line.reply_to) continue;
      const isSame = (each: Message) => each.conversation_id?.split(' ')[0] === line.conversation_id?.split(' ')[0];
      const before = list.slice(place + 1).filter(isSame);
      const sent = before.find(({ direction }) => direction === 'outbound');
      if (!sent || sent.status === 'failed' || sent.channel !== line.channel) continue;
      const answer = findAnswer(sent, since(list, sent));
      expect(answer?.answers_another).toBe(false);
      expect(list.findIndex(({ id }) => id === answer?.reply.id)).toBeGreaterThanOrEqual(place);
    }
  });
  fc.assert(holds);
});

test('no line without a quote surely answers a message on another channel, or one that never arrived', () => {
  const holds = fc.property(story, (told) => {
    const list = toList(told);
    for (const sent of questionsIn(list)) {
      const answer = findAnswer(sent, since(list, sent));
      if (!answer || answer.answers_another || answer.reply.reply_to) continue;
      expect(answer.reply.channel).toBe(sent.channel);
      expect(sent.status).not.toBe('failed');
    }
  });
  fc.assert(holds);
});

test.each<[string, Partial<Message>, Partial<Message>]>([
  ['on another channel', {}, { channel: 'sms' }],
  ['that came before its message failed', { status: 'failed', failed_at: '2026-06-11T09:00:09Z' }, {}],
  ['to a message that failed at an unknown time', { status: 'failed', failed_at: null }, {}],
])('nobody knows what a line answers %s, unless it quotes', (_which, asked, wrote) => {
  const sent: Message = { ...message.sample, delivered_at: null, read_at: null, ...asked };
  const line: Message = {
    ...message.sample,
    id: 'msg_reply',
    direction: 'inbound',
    from: message.sample.to,
    created_at: '2026-06-11T10:00:00Z',
    ...wrote,
  };
  expect(findAnswer(sent, [line, sent])).toEqual({ reply: line, answers_another: true, question: null });
  const quote = { ...line, reply_to: sent.id };
  expect(findAnswer(sent, [quote, sent])).toMatchObject({ answers_another: false, question: sent.text });
});

test.each<Partial<Message>>([
  { status: 'failed', failed_at: '2026-06-11T10:00:09Z', delivered_at: '2026-06-11T09:40:15Z' },
  { channel: null },
])('a line answers the message before it that surely arrived, or that names no channel: %j', (asked) => {
  const sent: Message = { ...message.sample, ...asked };
  const from = { direction: 'inbound', from: message.sample.to };
  const line: Message = { ...message.sample, ...from, id: 'msg_reply', created_at: '2026-06-11T10:00:00Z' };
  expect(findAnswer(sent, [line, sent])).toMatchObject({ answers_another: false });
});

test("nobody knows what a line answers after a message that may be either side's", () => {
  const at = (second: number) => ({ created_at: `2026-06-11T09:00:0${second}Z` });
  const sent: Message = { ...message.sample, ...at(0) };
  const unknown: Message = { ...message.sample, id: 'msg_unknown', direction: null, ...at(1) };
  const reply: Message = {
    ...message.sample,
    id: 'msg_reply',
    direction: 'inbound',
    from: message.sample.to,
    ...at(2),
  };
  expect(findAnswer(sent, [reply, unknown, sent])).toEqual({ reply, answers_another: true, question: null });
  expect(findAnswer(sent, [reply, sent, unknown])).toMatchObject({ answers_another: false });
});
