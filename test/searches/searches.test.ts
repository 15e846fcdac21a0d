import { runStep } from '../../sandbox/zapier';
import { campaign, contact, conversation, message, template } from '../../src/api/resources';
import { authData, service } from '../service';

const search = (key: string, inputData: Record<string, unknown>, meta = {}) =>
  runStep(`searches.${key}.operation.perform`, { authData: { ...authData, default_country: 'NL' }, inputData, meta });

const answer = (path: string, query: Record<string, string>, data: object[], next_cursor: string | null = null) =>
  service()
    .get(path)
    .query({ limit: '100', ...query })
    .reply(200, { data, next_cursor });

describe('find_contact', () => {
  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['phone number in any format', { phone: '06 12345678' }, { phone: '+31612345678' }],
    ['email', { email: ' a@example.com ' }, { email: 'a@example.com' }],
    ['name', { name: 'Noor' }, { query: 'Noor' }],
    ['phone number first', { phone: '0612345678', email: 'a@example.com', name: 'Noor' }, { phone: '+31612345678' }],
    ['email before name', { email: 'a@example.com', name: 'Noor', phone: '' }, { email: 'a@example.com' }],
  ])('finds by %s, in one request', async (_what, inputData, query) => {
    answer('/v1/contacts', query, [contact.sample]);
    await expect(search('find_contact', inputData)).resolves.toEqual([contact.sample]);
  });

  test('puts who is called just so first, then who begins so, then the rest', async () => {
    const called = (id: string, first_name: string | null, last_name: string | null) => ({ id, first_name, last_name });
    const found = [
      called('c1', 'Marinoor', null),
      called('c2', 'Noortje', 'B'),
      called('c3', 'noor', null),
      called('c4', null, null),
    ];
    answer('/v1/contacts', { query: 'Noor' }, found);
    await expect(search('find_contact', { name: 'Noor' })).resolves.toEqual([found[2], found[1], found[0], found[3]]);
  });

  test('gives an empty list when there is nobody', async () => {
    answer('/v1/contacts', { email: 'a@example.com' }, []);
    await expect(search('find_contact', { email: 'a@example.com' })).resolves.toEqual([]);
  });

  test.each([
    [{}, 'Phone Number, Email and Name are all empty.'],
    [{ phone: 'me' }, 'Phone Number: "me" is not a complete phone number.'],
    [{ email: 'noor at example' }, 'Email: "noor at example" is not an email address.'],
  ])('with %j makes no request and says which field', async (inputData, words) => {
    await expect(search('find_contact', inputData)).rejects.toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining(words),
    });
  });
});

test.each([
  ['find_contact', { email: 'a@example.com' }],
  ['find_conversation', { phone: '+31612345678' }],
  ['find_message', { message: 'msg_1' }],
  ['find_campaign', { name: 'Summer' }],
  ['find_template', { name: 'Summer' }],
])('%s gives an empty list when the service answers 404', async (key, inputData) => {
  service()
    .get(/./)
    .query(true)
    .reply(404, { error: { code: 'not_found', message: 'No' } });
  await expect(search(key, inputData)).resolves.toEqual([]);
});

describe('find_message', () => {
  test('gives the message with its present status', async () => {
    service().get('/v1/messages/msg_1').reply(200, message.sample);
    await expect(search('find_message', { message: 'msg_1' })).resolves.toEqual([message.sample]);
  });

  test('gives an empty list when there is no such message', async () => {
    service()
      .get('/v1/messages/msg_1')
      .reply(404, { error: { code: 'not_found', message: 'No' } });
    await expect(search('find_message', { message: 'msg_1' })).resolves.toEqual([]);
  });
});

describe.each([
  ['find_campaign', '/v1/campaigns', {}, campaign.sample, { id: 'cmp_2', name: 'Summer' }],
  ['find_template', '/v1/templates', { channel: 'sms' }, template.sample, { name: 'Summer' }],
])('%s', (key, path, filters, sample, exact) => {
  test('finds by name, in one request, the best match first', async () => {
    answer(path, { query: 'summer', ...filters }, [sample, exact]);
    await expect(search(key, { name: ' summer ', ...filters })).resolves.toEqual([exact, sample]);
  });

  test('gives an empty list when there is none', async () => {
    answer(path, { query: 'x' }, []);
    await expect(search(key, { name: 'x' })).resolves.toEqual([]);
  });

  test('without a name makes no request', async () => {
    await expect(search(key, { name: '' })).rejects.toThrow('Name is empty.');
  });
});

describe('find_conversation', () => {
  const { id } = conversation.sample;
  const messages = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({ ...message.sample, id: `msg_${from + index}` }));
  const answerConversation = (query: Record<string, string> = {}) => {
    answer('/v1/contacts', { phone: '+31612345678', limit: '1' }, [contact.sample]);
    answer('/v1/conversations', { contact_id: contact.sample.id, limit: '1', ...query }, [conversation.sample], 'more');
  };
  const find = (inputData: Record<string, unknown> = {}, meta = {}) =>
    search('find_conversation', { phone: '0612345678', ...inputData }, meta);

  test('takes a status as people see it, and refuses one that is none before any request', async () => {
    answerConversation({ status: 'open' });
    answer(`/v1/conversations/${id}/messages`, { limit: '50' }, []);
    await expect(find({ status: ' Open ' })).resolves.toHaveLength(1);
    await expect(find({ status: 'weird' })).rejects.toThrow('Status: "weird" is not one of the choices. Choose one');
  });

  test('gives the newest conversation with its messages, newest first, and a transcript from the top', async () => {
    const data = [
      { ...message.sample, id: 'm3', direction: 'inbound', text: 'Thanks!\nBye', created_at: '2026-06-11T09:42:00Z' },
      { ...message.sample, id: 'm2', text: 'At 14:30.', created_at: '2026-06-11T09:41:00Z' },
      { id: 'm1', direction: 'inbound', from: '+31612345678', text: null, created_at: 'yesterday' },
    ];
    answerConversation({ channel: 'whatsapp', status: 'open' });
    answer(`/v1/conversations/${id}/messages`, { limit: '50' }, data);
    await expect(find({ channel: 'whatsapp', status: 'open' }, { timezone: 'Europe/Amsterdam' })).resolves.toEqual([
      {
        ...conversation.sample,
        messages: data,
        transcript: '+31612345678: \n[2026-06-11 11:41] Us: At 14:30.\n[2026-06-11 11:42] Noor Visser: Thanks! Bye',
      },
    ]);
  });

  test('reads 150 messages in four requests', async () => {
    answerConversation();
    answer(`/v1/conversations/${id}/messages`, { limit: '100' }, messages(100), 'c1');
    answer(`/v1/conversations/${id}/messages`, { limit: '50', after: 'c1' }, messages(50, 100), 'c2');
    const [found] = (await find({ message_limit: '150' })) as { messages: unknown[] }[];
    expect(found?.messages).toEqual(messages(150));
  });

  test('stops when the service sends the same cursors in turns', async () => {
    answerConversation();
    const page = (after: string | undefined, limit: string, next: string) =>
      answer(`/v1/conversations/${id}/messages`, after ? { limit, after } : { limit }, messages(1), next);
    page(undefined, '50', 'A');
    page('A', '49', 'B');
    page('B', '48', 'A');
    const [found] = (await find()) as { messages: unknown[] }[];
    expect(found?.messages).toHaveLength(3);
  });

  test('stops when there are no more, or when the service gives more than was asked for', async () => {
    answerConversation();
    answer(`/v1/conversations/${id}/messages`, { limit: '100' }, messages(3), null);
    await expect(find({ message_limit: 500 })).resolves.toMatchObject([{ messages: messages(3) }]);
    answerConversation();
    answer(`/v1/conversations/${id}/messages`, { limit: '2' }, messages(5), 'c1');
    await expect(find({ message_limit: 2 })).resolves.toMatchObject([{ messages: messages(2) }]);
  });

  test('does not run on when the service gives the same page for ever', async () => {
    answerConversation();
    answer(`/v1/conversations/${id}/messages`, { limit: '100' }, messages(100), 'c1');
    answer(`/v1/conversations/${id}/messages`, { limit: '100', after: 'c1' }, messages(100, 100), 'c1');
    await expect(find({ message_limit: 500 })).resolves.toMatchObject([{ messages: messages(200) }]);
  });

  test('does not run on when the service gives empty pages for ever', async () => {
    answerConversation();
    answer(`/v1/conversations/${id}/messages`, { limit: '50' }, [], 'c1');
    await expect(find()).resolves.toMatchObject([{ messages: [], transcript: '' }]);
  });

  test('gives an empty list when there is no such contact, or no such conversation', async () => {
    answer('/v1/contacts', { phone: '+31612345678', limit: '1' }, []);
    await expect(find()).resolves.toEqual([]);
    answer('/v1/contacts', { phone: '+31612345678', limit: '1' }, [contact.sample]);
    answer('/v1/conversations', { contact_id: contact.sample.id, limit: '1' }, []);
    await expect(find()).resolves.toEqual([]);
  });

  test.each([
    [{ phone: '' }, 'Phone Number is empty.'],
    [{ phone: 'me' }, 'Phone Number: "me"'],
    [{ message_limit: '0' }, 'Number of Messages: choose a number from 1 to 500.'],
    [{ message_limit: 501 }, 'Number of Messages: choose a number from 1 to 500.'],
    [{ message_limit: 'all' }, 'Number of Messages: "all" is not a whole number.'],
  ])('with %j makes no request and says which field', async (inputData, words) => {
    await expect(find(inputData)).rejects.toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining(words),
    });
  });
});
