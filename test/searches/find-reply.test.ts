/** Which line is the reply to a message, and when nobody can tell. */

import { events } from '../../src/api/events';
import { message } from '../../src/api/resources';
import { expectHalt } from '../support/halt';
import { answer, search } from '../support/search';
import { expectCall } from '../support/service';
import { reachable } from '../support/triggered';

describe('find_reply', () => {
  const sent = { ...message.sample, created_at: '2026-06-11T09:00:00Z', delivered_at: '2026-06-11T09:00:02Z' };
  const inbound = (changes: object = {}) => ({
    ...events['message.received'].sample,
    id: '302',
    created_at: '2026-06-11T09:12:20Z',
    ...changes,
  });
  const outbound = (changes: object = {}) => ({
    ...sent,
    id: '401',
    text: 'Is Friday all right?',
    created_at: '2026-06-11T09:05:00Z',
    ...changes,
  });
  const find = (inputData: object = {}) => search('find_reply', { message: sent.id, ...inputData });
  const answerSent = (changes: object = {}) =>
    expectCall('getMessage', { id: sent.id }).reply(200, { ...sent, ...changes });
  const findReply = (listed: object[], changes: object = {}) => {
    answerSent(changes);
    answer('listMessages', {}, listed);
    return find();
  };
  test('gives the first reply since the message, in two requests', async () => {
    const later = inbound({ id: '303', text: 'Hello?', created_at: '2026-06-11T09:30:00Z' });
    const reply = inbound();
    await expect(findReply([later, reply, sent])).resolves.toEqual([
      {
        ...reachable(reply),
        reply_text: reply.text,
        answer: 'other',
        minutes_to_reply: 12,
        answers_another: false,
        question: sent.text,
        summary_line: `[2026-06-11 09:12 UTC] From Noor Visser +12025550123: "${reply.text}" (received)`,
      },
    ]);
  });

  test('takes no minutes for a reply by a clock that is behind', async () => {
    const reply = inbound({ reply_to: sent.id, created_at: '2026-06-11T08:59:00Z' });
    await expect(findReply([reply, sent])).resolves.toMatchObject([{ id: reply.id, minutes_to_reply: 0 }]);
  });

  test('gives an empty list when the contact quoted another message', async () => {
    await expect(findReply([inbound({ reply_to: '401' }), outbound(), sent])).resolves.toEqual([]);
  });

  test.each<[string, object]>([
    ['nobody knows who wrote', { conversation_id: undefined, from: null, contact: null }],
    ['another contact without a number wrote in the conversation', { from: null, contact: { id: 'con_2' } }],
    ['the reply was deleted', { status: 'deleted' }],
    ['the reply could not be received, although it quotes the message', { status: 'failed', reply_to: sent.id }],
    ['the service does not say which way it went', { direction: null }],
  ])('stops when %s, because that may be the reply', async (_what, wrote) => {
    await expectHalt(
      findReply([inbound(wrote), sent]),
      "Message: a message came that may be the contact's reply, but it was deleted, or the messaging service doesn't say for sure who wrote it. Check the conversation in the messaging service.",
    );
  });

  test.each<[string, object[], string | null]>([
    ['a colleague asked something else', [inbound({ text: 'Yes' }), outbound(), sent], 'Is Friday all right?'],
    ['the list lacks the message itself', [inbound({ text: 'Yes' })], null],
  ])('says that the reply may answer another message when %s', async (_what, listed, question) => {
    await expect(findReply(listed)).resolves.toMatchObject([{ answers_another: true, question, answer: 'other' }]);
  });

  test('reads a message that the reply quotes, and that is older than the list', async () => {
    answerSent();
    answer('listMessages', {}, [inbound({ reply_to: 'msg_older' }), sent]);
    expectCall('getMessage', { id: 'msg_older' }).reply(200, outbound({ id: 'msg_older' }));
    await expect(find()).resolves.toEqual([]);
  });

  test('never says that there is none because of a clock that is behind', async () => {
    const reply = inbound({ created_at: '2026-06-11T08:55:00Z' });
    await expect(findReply([reply, sent])).resolves.toMatchObject([{ id: reply.id, answers_another: true }]);
  });

  test.each<[string, object, object]>([
    ['of a second contact with the number', { contact: { id: 'con_2' }, conversation_id: 'cnv_9' }, {}],
    ['to a message that stays queued', {}, { status: 'queued', sent_at: null, delivered_at: null }],
  ])('finds a reply %s', async (_what, wrote, asked) => {
    const [reply, question] = [inbound(wrote), { ...sent, ...asked }];
    await expect(findReply([reply, question], asked)).resolves.toMatchObject([
      { id: reply.id, answers_another: false },
    ]);
  });

  test.each<[string, object]>([
    ['of another contact without a number, in no conversation', { from: null, contact: { id: 'con_2' } }],
    ['of another number', { contact: null }],
    ['that says nothing', { ...sent, direction: 'inbound', text: ' ', attachments: [], button: null }],
  ])('says that there is none after a line %s', async (_what, wrote) => {
    const line = inbound({ from: '+12025550145', conversation_id: null, ...wrote });
    await expect(findReply([line, sent])).resolves.toEqual([]);
  });

  test.each<[string, object]>([
    ['of another number in the conversation', { from: '+12025550145', contact: { id: 'con_2' } }],
    ['from what is no number', { from: 'US.134912', contact: null, conversation_id: null }],
  ])('does not say that there is none after a line %s', async (_what, wrote) => {
    await expectHalt(findReply([inbound(wrote), sent]), expect.stringContaining("doesn't say for sure who wrote it"));
  });

  test.each<[string, object]>([
    ['lacks the message', { data: [{ ...sent, id: 'older', created_at: '2026-06-11T08:00:00Z' }] }],
    ['is empty', { data: [] }],
    ['has a record that cannot be read', { data: [{ id: null }, sent] }],
  ])('cannot tell when the list %s', async (_what, list) => {
    answerSent();
    expectCall('listMessages')
      .interceptor.reply(200, { next_cursor: null, ...list })
      .persist();
    await expectHalt(find(), expect.stringMatching(/^Message: the messaging service doesn't list every message/));
  });

  test('reads again when the list lags', async () => {
    answerSent();
    answer('listMessages', {}, []);
    answer('listMessages', {}, [inbound(), sent]);
    await expect(find()).resolves.toMatchObject([{ id: '302', answers_another: false }]);
  });

  describe('of a message with more than 100 newer ones', () => {
    const stranger = { from: '+12025550145', contact: { id: 'con_2' }, conversation_id: 'cnv_9' };
    const answerPages = (count: number) => {
      for (let page = 0; page < count; page += 1) {
        const data = Array.from({ length: 100 }, (_, index) => inbound({ ...stranger, id: `${page}-${index}` }));
        expectCall('listMessages').reply(200, { data, next_cursor: `c${page}` });
      }
    };

    test.each<[string, object[], object[]]>([
      [
        'finds the reply in a conversation that nobody lists',
        [inbound({ conversation_id: 'cnv_new' })],
        [{ id: '302' }],
      ],
      ['says that there is none', [], []],
    ])('reads all of them, and %s', async (_what, lines, found) => {
      answerSent();
      answerPages(4);
      answer('listMessages', { after: 'c3' }, [...lines, sent]);
      await expect(find()).resolves.toMatchObject(found);
    });

    describe('and more than 500', () => {
      const later = { last_message_at: '2026-06-11T09:12:20Z' };
      const answerConversations = (status = 200, body: object = { data: [{ id: 'cnv_new', ...later }] }) => {
        answerSent();
        answerPages(5);
        expectCall('listConversations', { query: { contact_id: String(sent.contact?.id), limit: 100 } }).reply(
          status,
          body,
        );
      };
      const inTheirs = { conversation_id: [sent.conversation_id, 'cnv_new'] };

      test('finds the reply in the conversations of the contact', async () => {
        answerConversations();
        answer('listMessages', inTheirs, [inbound({ conversation_id: 'cnv_new' }), sent]);
        await expect(find()).resolves.toMatchObject([{ id: '302', answers_another: false }]);
      });

      test('cannot tell that there is none, because a conversation may not be listed', async () => {
        answerConversations();
        answer('listMessages', inTheirs, [sent]);
        await expectHalt(find(), expect.stringContaining("it can't tell whether the contact replied"));
      });

      test.each<[string, number, object]>([
        ['without access to conversations', 403, {}],
        ['when more conversations are on another page', 200, { data: [], next_cursor: 'c1' }],
      ])('cannot tell %s', async (_why, status, conversations) => {
        answerConversations(status, conversations);
        await expectHalt(find(), expect.stringContaining("it can't tell whether the contact replied"));
      });
    });
  });

  test('stops when there is no such message, because that is not the same as no reply', async () => {
    expectCall('getMessage', { id: sent.id }).reply(404);
    await expectHalt(find(), expect.stringMatching(/^Message: the messaging service has no message with this ID/));
  });
});
