/** Find Conversations says who waits for an answer, Find Conversation History what was written. */

import nock from 'nock';
import { contact, conversation, message } from '../../src/api/resources';
import { expectHalt } from '../support/halt';
import { answer, search } from '../support/search';
import { expectCall, toResponse } from '../support/service';
import { reachable } from '../support/triggered';

describe('find_conversations', () => {
  const waiting = conversation.sample;
  const lastMessage = { ...waiting.last_message, id: 'msg_1' };
  const answered = { ...waiting, id: 'cnv_2', last_message: { ...lastMessage, direction: 'outbound' } };
  const quiet = { ...waiting, id: 'cnv_3', last_message: { ...lastMessage, created_at: '2026-06-11T08:00:00Z' } };
  const list = (query: object, data: object[], next?: string | null) =>
    answer('listConversations', { limit: 100, ...query }, data, next);
  const find = (inputData: object, meta = {}) => search('find_conversations', { ...inputData }, meta);
  const idsOf = (found: unknown): unknown[] => (found as { id: string }[]).map(({ id }) => id);

  beforeEach(() => {
    jest.useFakeTimers({
      now: new Date('2026-06-11T10:27:30Z'),
      doNotFake: ['nextTick', 'setImmediate', 'setTimeout'],
    });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  test('gives the conversations with a line for each, in one request', async () => {
    list({ status: 'open', channel: 'whatsapp' }, [answered, waiting]);
    const found = find({ status: 'Open', channel: 'whatsapp' }, { timezone: 'Europe/Amsterdam' });
    await expect(found).resolves.toEqual([
      {
        ...reachable(waiting),
        awaiting_reply: true,
        minutes_waiting: 35,
        summary_line: `[2026-06-11 11:52] From Noor Visser +12025550123: "${lastMessage.text}" (waiting 35 minutes) ${waiting.url}`,
        complete: true,
      },
      {
        ...reachable(answered),
        awaiting_reply: false,
        minutes_waiting: null,
        summary_line: `[2026-06-11 11:52] To Noor Visser +12025550123: "${lastMessage.text}" ${waiting.url}`,
        complete: true,
      },
    ]);
  });

  test('reads every page before it leaves out those who have waited least, and says so in the last line', async () => {
    list({}, [answered, waiting], 'c1');
    list({ after: 'c1' }, [quiet]);
    await expect(find({ awaiting_reply: 'true', conversation_limit: '1' })).resolves.toMatchObject([
      {
        id: quiet.id,
        summary_line: expect.stringMatching(/ \(1 more conversation isn't listed\)$/),
        complete: false,
      },
    ]);
  });

  test('does not say that nobody waits before it has read every page', async () => {
    const endless = { data: [answered], next_cursor: 'again' };
    expectCall('listConversations').reply(200, endless).persist();
    await expect(find({ awaiting_reply: 'true' })).rejects.toThrow('more conversations than this search can read');
    nock.cleanAll();
  });

  const { last_message: _, ...withoutLast } = waiting;
  // It says when it began, but not when someone last wrote.
  const timeless = { ...withoutLast, last_message_at: null };

  const maybeAnswered = { awaiting_reply: 'false' };
  const maybeQuiet = { quiet_since: '1 hour ago' };

  test.each([
    ['messages, but no newest one', { ...waiting, last_message: null }, maybeAnswered, ['cnv_odd']],
    [
      'a time of a message, but neither a number nor a newest one',
      { ...waiting, last_message: null, message_count: null },
      maybeAnswered,
      ['cnv_odd'],
    ],
    ['no time', timeless, maybeQuiet, ['cnv_3', 'cnv_odd']],
    [
      'a new note, after which nobody knows who wrote last',
      { ...waiting, last_message: { ...lastMessage, direction: 'note', created_at: '2026-06-11T10:20:00Z' } },
      maybeQuiet,
      ['cnv_3', 'cnv_odd'],
    ],
    [
      'a time that is none',
      { ...waiting, last_message: { ...lastMessage, created_at: 'yesterday' }, last_message_at: 'soon' },
      { ...maybeQuiet, awaiting_reply: 'true' },
      ['cnv_3', 'cnv_odd'],
    ],
  ])('keeps %s in the list, although nobody can judge it', async (_what, record, inputData, ids) => {
    list({}, [{ ...record, id: 'cnv_odd' }, quiet]);
    const found = await find(inputData);
    expect(idsOf(found)).toEqual(ids);
    expect(Object(found).at(-1)).toMatchObject({
      awaiting_reply: null,
      minutes_waiting: null,
      summary_line: expect.stringContaining('(may be waiting)'),
    });
  });

  test.each([
    ['2026-06-11T10:27:30Z', 'waiting 0 minutes'],
    ['2026-06-11T10:26:00Z', 'waiting 1 minute)'],
    ['2026-06-11T08:20:00Z', 'waiting 2 hours'],
    ['2026-06-08T10:20:00Z', 'waiting 3 days'],
    // The clock of the service may be ahead.
    ['2026-06-11T10:30:00Z', 'waiting 0 minutes'],
  ])('a contact who wrote at %s is %s', async (created_at, words) => {
    list({}, [{ ...waiting, last_message: { ...lastMessage, created_at } }]);
    await expect(find({})).resolves.toMatchObject([{ summary_line: expect.stringContaining(words) }]);
  });

  test('shows nothing of a note', async () => {
    const note = { ...lastMessage, direction: 'note', text: 'Always complains.' };
    list({}, [{ ...waiting, last_message: note }]);
    await expect(find({})).resolves.toMatchObject([
      {
        last_message: null,
        summary_line: expect.stringMatching(/^\[2026-06-11 09:52 UTC\] With .+: \(an internal note\)/),
      },
    ]);
  });

  test('names what has no text, and a contact without a name by the conversation', async () => {
    list({}, [
      { ...waiting, contact: null, last_message: { ...lastMessage, text: null } },
      { id: 'cnv_9', message_count: 0, last_message: null },
    ]);
    await expect(find({})).resolves.toMatchObject([
      {
        last_message: { text: '(no text)' },
        summary_line: `[2026-06-11 09:52 UTC] From A customer: (no text) (waiting 35 minutes) ${waiting.url}`,
      },
      { last_message: null, summary_line: 'With A customer: (no messages)' },
    ]);
  });

  test.each([
    [{ conversation_limit: '0' }, 'Number of Conversations: 0 is out of range. Enter a number from 1 to 500.'],
    [{ quiet_since: 'banana' }, 'No Messages Since: "banana" isn\'t a time.'],
    [{ awaiting_reply: 'maybe' }, 'Awaiting Reply: "maybe" isn\'t one of the choices.'],
  ])('with %j makes no request and says which field', async (inputData, words) => {
    await expectHalt(find(inputData), expect.stringContaining(words));
  });
});

describe('find_conversation_history', () => {
  const { id } = conversation.sample;
  const messages = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({ ...message.sample, id: `30${from + index}` }));
  const answerMessages = (query: object, data: object[], next_cursor: string | null = null) =>
    expectCall('listConversationMessages', { id, query }).reply(200, { data, next_cursor });
  const answerConversation = (query: Record<string, string> = {}) => {
    answer('listContacts', { phone: '+12025550123' }, [contact.sample]);
    answer('listConversations', { contact_id: contact.sample.id, ...query }, [conversation.sample]);
  };
  const find = (inputData: Record<string, unknown> = {}, meta = {}) =>
    search('find_conversation_history', { phone: '2025550123', ...inputData }, meta);

  test('finds the conversation of a contact without a phone number, and names the person by username', async () => {
    const hidden = { id: 'con_9', phone: null, username: 'lena.m' };
    const theirs = { ...conversation.sample, contact: hidden };
    const other = { ...conversation.sample, id: 'cnv_other', created_at: '2026-06-12T09:00:00Z' };
    const nobody = { ...conversation.sample, id: 'cnv_none', contact: undefined, created_at: '2026-06-12T10:00:00Z' };
    answer('listConversations', { contact_id: 'con_9' }, [nobody, other, theirs]);
    const wrote = { ...message.sample, direction: 'inbound', from: null, contact: hidden, text: 'Hello' };
    answerMessages({ limit: 50 }, [wrote]);
    await expect(find({ contact: 'con_9' })).resolves.toMatchObject([
      { id, transcript: '[2026-06-11 09:40 UTC] From @lena.m: Hello' },
    ]);
  });

  test('stops when two conversations are the newest', async () => {
    const other = { ...conversation.sample, id: 'cnv_other' };
    answer('listConversations', { contact_id: 'con_7Hq2Zr' }, [conversation.sample, other]);
    await expectHalt(
      find({ contact: 'con_7Hq2Zr' }),
      "Contact: several conversations match equally well, so the step can't tell which one you mean. Choose a Channel or a Status, or map Conversation.",
    );
  });

  test('nobody can tell who waits when the newest message went neither way', async () => {
    answerConversation();
    answerMessages({ limit: 50 }, [{ ...message.sample, direction: null }]);
    await expect(find()).resolves.toMatchObject([{ awaiting_reply: null }]);
  });

  test('gives the newest conversation with its messages, newest first, and a transcript from the top', async () => {
    const data = [
      {
        ...message.sample,
        id: '313',
        direction: 'inbound',
        text: 'Thanks!\nBye',
        created_at: '2026-06-11T09:42:00Z',
      },
      { ...message.sample, id: '312', text: 'At 14:30.', created_at: '2026-06-11T09:41:00Z' },
      { id: '311', direction: 'inbound', from: '+12025550123', text: null, created_at: null },
    ];
    const stranger = { ...message.sample, id: '314', direction: 'inbound', conversation_id: '202', text: 'A secret' };
    answerConversation({ channel: 'whatsapp', status: 'open' });
    answerMessages({ limit: 50 }, [stranger, ...data]);
    await expect(find({ channel: 'whatsapp', status: 'open' }, { timezone: 'Europe/Amsterdam' })).resolves.toEqual([
      {
        ...reachable(conversation.sample),
        messages: data.map((each) => ({ ...each, text: each.text ?? '(no text)' })),
        transcript:
          'From +12025550123: (no text)\n[2026-06-11 11:41] To Noor Visser: At 14:30.\n[2026-06-11 11:42] From Noor Visser: Thanks! Bye',
        last_inbound_text: 'Thanks!\nBye',
        last_inbound_at: '2026-06-11T09:42:00Z',
        awaiting_reply: true,
        complete: true,
      },
    ]);
  });

  test('stops when there are no more, when the service gives more than was asked for, or when a page is gone', async () => {
    answerConversation();
    answerMessages({ limit: 100 }, messages(3), null);
    await expect(find({ message_limit: 500 })).resolves.toMatchObject([{ messages: messages(3), complete: true }]);
    answerConversation();
    answerMessages({ limit: 2 }, messages(5), null);
    await expect(find({ message_limit: 2 })).resolves.toMatchObject([{ messages: messages(2), complete: false }]);
    answerConversation();
    answerMessages({ limit: 50 }, messages(3), 'c1');
    expectCall('listConversationMessages', { id, query: { limit: 47, after: 'c1' } }).reply(404);
    await expect(find()).resolves.toMatchObject([{ messages: messages(3), complete: false }]);
  });

  test('stops after ten pages without an end', async () => {
    answerConversation();
    let asked = 0;
    expectCall('listConversationMessages', { id })
      .interceptor.reply(200, () => {
        asked += 1;
        return toResponse({ data: [], next_cursor: `c${asked}` });
      })
      .persist();
    await expect(find()).resolves.toMatchObject([{ messages: [], transcript: '', complete: false }]);
    expect(asked).toBe(10);
  });

  test('finds the conversation of an earlier step, in two requests, and whether it waits for an answer', async () => {
    const inbound = { ...message.sample, direction: 'inbound', text: 'Hi' };
    for (const [older, last_inbound_text] of [
      [[], null],
      [[inbound], 'Hi'],
    ] as const) {
      const data = [...messages(2), ...older];
      expectCall('getConversation', { id }).reply(200, conversation.sample);
      answerMessages({ limit: 50 }, data);
      await expect(search('find_conversation_history', { conversation: id })).resolves.toMatchObject([
        { id, messages: data, awaiting_reply: false, last_inbound_text },
      ]);
    }
  });

  test('gives an empty list when the conversation is gone, or is not as asked for', async () => {
    expectCall('getConversation', { id }).reply(404, {});
    await expect(search('find_conversation_history', { conversation: id })).resolves.toEqual([]);
    expectCall('getConversation', { id }).reply(200, conversation.sample);
    await expect(search('find_conversation_history', { conversation: id, status: 'closed' })).resolves.toEqual([]);
  });

  test.each([
    ['2026-06-11 11:00', 2],
    ['2026-06-11', 3],
    ['2026-06-11T09:10:00Z', 1],
    ['2026-06-12', 0],
  ])('reads only messages after %s and says whether older ones were left out', async (after, count) => {
    const data = ['09:20', '09:10', '08:50'].map((time, index) => ({
      ...message.sample,
      id: `31${index}`,
      direction: 'inbound',
      created_at: `2026-06-11T${time}:00Z`,
    }));
    answerConversation();
    answerMessages({ limit: 51 }, data);
    await expect(find({ after }, { timezone: 'Europe/Amsterdam' })).resolves.toMatchObject([
      {
        messages: data.slice(0, count),
        complete: count === data.length,
        awaiting_reply: true,
        last_inbound_at: data[0]?.created_at,
      },
    ]);
  });

  test.each([
    [{ phone: '' }, 'Conversation, Contact and Phone Number are all empty.'],
    [{ after: 'lately' }, 'Sent After: "lately" isn\'t a time. Enter one such as 24 hours ago, yesterday or'],
    [{ message_limit: 501 }, 'Number of Messages: 501 is out of range. Enter a number from 1 to 500.'],
    [{ message_limit: 'all' }, 'Number of Messages: "all" isn\'t a whole number.'],
  ])('with %j makes no request and says which field', async (inputData, words) => {
    await expectHalt(find(inputData), expect.stringContaining(words));
  });
});
