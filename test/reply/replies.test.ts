/** Which message a line answers. The simulation judges it in worlds of people with two contacts, channels and numbers. */

import { type Message, message } from '../../src/api/resources';
import { judgeThread } from '../../src/reply/judge';

describe('an answer', () => {
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
