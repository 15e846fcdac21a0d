/** What searches say of what they find. The simulation judges what they find, and in which order. */

import nock from 'nock';
import type { AnyInput } from '../../src/api/endpoints';
import { events } from '../../src/api/events';
import { campaign, contact, conversation, message, type Template, template } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { rankMatches } from '../../src/text/match';
import { pathOf } from '../support/calls';
import { expectHalt } from '../support/halt';
import { answerChannels, authData, expectCall, service, toResponse } from '../support/service';
import { reachable } from '../support/triggered';
import { runStep } from '../support/zapier';

describe('searches', () => {
  const search = (key: string, inputData: Record<string, unknown>, meta = {}) =>
    runStep(`searches.${key}.operation.perform`, { authData: { ...authData, default_country: 'US' }, inputData, meta });

  const answer = (call: EndpointName, query: object, data: object[], next_cursor: string | null = null) =>
    expectCall(call, { query: { limit: 100, ...query } }).reply(200, { data, next_cursor });

  describe('a filter that finds nothing', () => {
    const talk = conversation.sample;
    const lists = [
      ['find_messages', 'listMessages', {}, message.sample],
      ['find_conversations', 'listConversations', {}, conversation.sample],
      ['find_conversation_history', 'listConversations', { contact: talk.contact?.id }, talk],
      ['find_template', 'listTemplates', { name: template.sample.name }, template.sample],
    ] as const;

    const asked = (call: EndpointName, data: readonly object[]): (string | null)[] => {
      const values: (string | null)[] = [];
      for (const each of data) {
        expectCall(call).interceptor.reply(200, (uri) => {
          values.push(new URL(uri, authData.base_url).searchParams.get('channel'));
          return toResponse({ data: [each].flat() });
        });
      }
      return values;
    };

    test.each(lists)('by what people call a channel finds it in %s', async (key, call, input, sample) => {
      const values = asked(call, [[], sample]);
      answerChannels();
      service()
        .get(pathOf('listConversationMessages', { id: talk.id }))
        .query(true)
        .optionally()
        .reply(200, toResponse({ data: [] }));
      await expect(search(key, { ...input, channel: 'whatsapp BUSINESS' })).resolves.toHaveLength(1);
      expect(values).toEqual(['whatsapp BUSINESS', 'whatsapp']);
    });

    test.each(lists)('by a channel that there is has found nothing in %s', async (key, call, input) => {
      asked(call, [[]]);
      answerChannels();
      await expect(search(key, { ...input, channel: 'sms' })).resolves.toEqual([]);
    });

    test.each(lists)('by any other channel stops %s with the choices', async (key, call, input) => {
      asked(call, [[]]);
      answerChannels();
      await expectHalt(
        search(key, { ...input, channel: 'telegram' }),
        'Channel: "telegram" isn\'t one of the choices. Choose one of these: WhatsApp Business; sms.',
      );
    });

    test.each([
      ['find_conversations', 404, 'not_found', 'stops'],
      ['find_conversation_history', 404, 'not_found', 'stops'],
      ['find_conversations', 403, 'insufficient_scope', 'finds nothing'],
    ])('by a contact in %s after %i %s %s', async (key, status, code, does) => {
      asked('listConversations', [[]]);
      expectCall('getContact', { id: 'Noor' }).reply(status, { error: { code, message: 'No' } });
      const gone =
        "HaltedError: Contact: the messaging service doesn't have this record, perhaps because it was deleted.";
      const found = search(key, { contact: 'Noor' }).then(String, String);
      await expect(found).resolves.toMatch(does === 'stops' ? gone : /^$/);
    });

    test('by the name of a campaign finds its messages', async () => {
      asked('listMessages', [[], { ...message.sample, campaign_id: 'cmp_2' }]);
      expectCall('getCampaign', { id: 'summer sale' }).reply(404, { error: { code: 'not_found', message: 'No' } });
      answer('listCampaigns', {}, [campaign.sample, { ...campaign.sample, id: 'cmp_2', name: 'Summer Sale' }]);
      await expect(search('find_messages', { campaign: 'summer sale' })).resolves.toHaveLength(1);
    });
  });

  describe('find_contact', () => {
    test('asks for a phone number in E.164, in one request', async () => {
      // A service may ignore the filter, and leave out what a contact doesn't have.
      const others = ['+12025550187', undefined].map((phone) => ({ ...contact.sample, id: `con of ${phone}`, phone }));
      answer('listContacts', { phone: '+12025550123' }, [...others, contact.sample]);
      const input = { phone: '(202) 555-0123', email: 'a@example.com', name: 'Noor' };
      await expect(search('find_contact', input)).resolves.toEqual([reachable(contact.sample)]);
    });

    test.each([
      ['+5215541637145', '+525541637145'],
      ['+5491123456789', '+541123456789'],
      ['+5511987654321', '+551187654321'],
    ])('finds a person whom the service has as %s or as %s by either', async (...spellings) => {
      for (const phone of spellings) {
        for (const given of spellings) {
          expectCall('listContacts').interceptor.reply(200, (uri) => {
            const asked = new URL(uri, authData.base_url).searchParams.get('phone')?.split(',');
            return toResponse({
              data: asked?.includes(phone) ? [{ ...contact.sample, phone }] : [],
            });
          });
          await expect(search('find_contact', { phone: given })).resolves.toMatchObject([{ phone }]);
        }
      }
    });

    test('finds a contact by its id, whoever hides their number, and nobody for an unknown one', async () => {
      const input = { contact: 'con_7', phone: '+12025550123' };
      const hidden = { ...contact.sample, id: 'con_7', phone: null, username: 'lotte.p' };
      expectCall('getContact', { id: 'con_7' }).reply(200, hidden);
      await expect(search('find_contact', input)).resolves.toMatchObject([hidden]);
      expectCall('getContact', { id: 'con_7' }).reply(404, { error: { code: 'not_found', message: 'No' } });
      await expect(search('find_contact', input)).resolves.toEqual([]);
    });

    test('stops when several contacts match, even on different pages', async () => {
      answer('listContacts', { phone: '+12025550123' }, [contact.sample], 'c1');
      answer('listContacts', { phone: '+12025550123', after: 'c1' }, [{ ...contact.sample, id: 'con_8' }]);
      await expectHalt(
        search('find_contact', { phone: '2025550123' }),
        expect.stringContaining(
          "Phone Number: several contacts match equally well, so the step can't tell which one you mean.",
        ),
      );
    });

    test('stops when the service sends cursors in turns', async () => {
      let asked = 0;
      expectCall('listContacts')
        .interceptor.reply(200, () => {
          asked += 1;
          return toResponse({ data: [contact.sample], next_cursor: `c${asked % 2}` });
        })
        .persist();
      await expectHalt(
        search('find_contact', { name: 'Noor' }),
        'Name: too many contacts match to be sure of the right one. Use Phone Number or Email, or enter the full name.',
      );
      expect(asked).toBeLessThanOrEqual(20);
    });

    test('stops when a page is missing in the middle', async () => {
      answer('listContacts', { query: 'Noor' }, [contact.sample], 'c1');
      expectCall('listContacts', { query: { query: 'Noor', limit: 100, after: 'c1' } }).reply(404, {});
      await expectHalt(
        search('find_contact', { name: 'Noor' }),
        "The messaging service doesn't have this record, perhaps because it was deleted. Choose another one, or check the value from an earlier step.",
      );
    });

    test.each([
      [{ name: '\u200b' }, 'Phone Number, Email, Name and Contact are all empty.'],
      [{ phone: 'n/a', name: 'Noor' }, 'Phone Number: "n/a" isn\'t a complete phone number.'],
      [{ email: 'n/a', name: 'Noor' }, 'Email: "n/a" isn\'t an email address. Enter one such as noor@example.com.'],
    ])('with %j makes no request and says which field', async (inputData, words) => {
      await expectHalt(search('find_contact', inputData), expect.stringContaining(words));
    });
  });

  test.each<[string, object, EndpointName, AnyInput]>([
    ['find_conversation_history', { conversation: '201' }, 'getConversation', { id: '201' }],
    ['find_message_status', { message: '301' }, 'getMessage', { id: '301' }],
  ])('%s gives an empty list when the service does not have the record', async (key, inputData, call, input) => {
    expectCall(call, input).reply(404, { error: { code: 'not_found', message: 'No' } });
    await expect(search(key, { ...inputData })).resolves.toEqual([]);
  });

  test.each<[string, object, EndpointName]>([
    ['find_contact', { email: 'a@example.com' }, 'listContacts'],
    ['find_conversation_history', { phone: '+12025550123' }, 'listContacts'],
    ['find_conversations', {}, 'listConversations'],
    ['find_messages', {}, 'listMessages'],
    ['find_campaign', { name: 'Summer' }, 'listCampaigns'],
    ['find_template', { name: 'Summer' }, 'listTemplates'],
  ])('%s does not take a missing list for an empty one', async (key, inputData, call) => {
    expectCall(call).reply(404, { error: { code: 'not_found', message: 'No such path' } });
    await expect(search(key, { ...inputData })).rejects.toMatchObject({
      name: 'AppError',
      message: expect.stringContaining('API Base URL: no messaging service API was found'),
    });
  });

  test('a search by a contact says that it does not exist when the service itself says so', async () => {
    const gone = { error: { code: 'not_found', message: 'No such contact' } };
    expectCall('listConversations').reply(404, gone);
    await expectHalt(
      search('find_conversations', { contact: 'con_9' }),
      "Contact: the messaging service doesn't have this record, perhaps because it was deleted. Choose another one, or check the value from an earlier step.",
    );
    // Any other server says nothing about contacts.
    expectCall('listConversations').interceptor.reply(404, '{"message": "Not Found"}');
    await expect(search('find_conversations', { contact: 'con_9' })).rejects.toThrow(
      'API Base URL: no messaging service API was found',
    );
  });

  describe('a list with records that cannot be read', () => {
    const odd = [null, 7, {}, { id: '' }, { id: ' ' }, { id: '\u200b' }, { id: null }];
    const answerOdd = (call: EndpointName, record: object, input: AnyInput = {}) =>
      expectCall(call, input).interceptor.reply(200, () => {
        const { data, ...page } = JSON.parse(toResponse({ data: [record], next_cursor: null }));
        return JSON.stringify({ ...page, data: [odd[0], ...data, ...odd.slice(1)] });
      });

    test('gives the others, and says that some are missing', async () => {
      answerOdd('listConversations', conversation.sample);
      const conversations = await search('find_conversations', {});
      expect(conversations).toMatchObject([{ id: conversation.sample.id, complete: false }]);
      answerOdd('listMessages', message.sample);
      await expect(search('find_messages', {})).resolves.toMatchObject([{ id: message.sample.id, complete: false }]);
      const { id } = conversation.sample;
      expectCall('getConversation', { id }).reply(200, conversation.sample);
      answerOdd('listConversationMessages', message.sample, { id });
      await expect(search('find_conversation_history', { conversation: id })).resolves.toMatchObject([
        // One of the others may be the newest.
        { messages: [{ id: message.sample.id }], complete: false, awaiting_reply: null },
      ]);
    });

    test('stops a search whose result the next step acts on', async () => {
      answerOdd('listCampaigns', campaign.sample);
      await expect(search('find_campaign', { name: String(campaign.sample.name) })).rejects.toThrow(
        "Name: the messaging service returned campaigns that can't be read",
      );
    });

    test('is an error when none of them can be read', async () => {
      expectCall('listMessages').interceptor.reply(200, JSON.stringify({ data: odd }));
      await expect(search('find_messages', {})).rejects.toThrow('unexpected response');
    });
  });

  test.each([
    ['find_conversations', 'listConversations', { channel: 'whatsapp', status: 'open' }, conversation.sample],
    ['find_messages', 'listMessages', { channel: 'whatsapp', status: 'read' }, message.sample],
  ] as const)(
    '%s keeps what the service finds by a channel and status that it does not say',
    async (key, call, asked, found) => {
      expectCall(call).reply(200, { data: [{ ...found, channel: null, status: null }] });
      await expect(search(key, asked)).resolves.toMatchObject([{ id: found.id }]);
    },
  );

  test('a 404 with a web page is an error, since something else is at the address, but not one without a body', async () => {
    expectCall('getMessage', { id: '301' }).reply(404);
    await expect(search('find_message_status', { message: '301' })).resolves.toEqual([]);
    expectCall('getMessage', { id: '301' }).reply(404, '<html>Not Found</html>');
    await expect(search('find_message_status', { message: '301' })).rejects.toThrow('API Base URL');
  });

  describe('find_message_status', () => {
    test('gives the message with its present status', async () => {
      expectCall('getMessage', { id: '301' }).reply(200, message.sample);
      const found = { ...reachable(message.sample), has_arrived: true };
      await expect(search('find_message_status', { message: '301' })).resolves.toEqual([found]);
    });

    const at = '2026-06-11T09:41:02Z';

    test.each([
      [{ status: 'queued' }, false],
      [{ status: 'sent', sent_at: at }, false],
      [{ status: 'failed', failed_at: at }, false],
      [{ status: 'delivered' }, true],
      [{ status: 'read' }, true],
      [{ status: 'sent', delivered_at: at }, true],
      // One that was read at once has no time of its delivery.
      [{ status: 'sent', read_at: at }, true],
      [{ status: 'received', direction: 'inbound' }, true],
    ])('says of a message with %j whether it has arrived: %s', async (changes, has_arrived) => {
      const record = { ...message.sample, delivered_at: null, ...changes };
      expectCall('getMessage', { id: '301' }).reply(200, record);
      await expect(search('find_message_status', { message: '301' })).resolves.toMatchObject([{ has_arrived }]);
    });
  });

  /** The result for a template with one version. */
  const asFound = ({
    name,
    channel,
    language,
    category,
    header,
    body,
    footer,
    buttons,
    variables,
  }: Partial<Template>) => ({
    name,
    channel,
    languages: language ? [language] : [],
    variables,
    versions: [{ language, category, header, body, footer, buttons }],
  });

  describe.each<[string, EndpointName, Record<string, string>, object, object, (record: object) => object]>([
    ['find_campaign', 'listCampaigns', {}, campaign.sample, { id: '402', name: 'Summer' }, (record) => record],
    [
      'find_template',
      'listTemplates',
      { channel: 'whatsapp' },
      { ...template.sample, name: 'our_summer' },
      { name: 'Summer', channel: 'whatsapp' },
      asFound,
    ],
  ])('%s', (key, call, filters, sample, exact, asResult) => {
    test('finds by name, in one request, the best match first', async () => {
      answer(call, { query: 'summer', ...filters }, [sample, { ...exact, id: '403', name: 'Winter' }, exact]);
      await expect(search(key, { name: ' summer ', ...filters })).resolves.toEqual([exact, sample].map(asResult));
    });

    test('stops when two match as well, even on different pages', async () => {
      const other = { ...exact, id: '403', channel: 'sms' };
      answer(call, { query: 'summer' }, [exact], 'c1');
      answer(call, { query: 'summer', after: 'c1' }, [other]);
      await expectHalt(search(key, { name: 'summer' }), expect.stringContaining('match equally well, so the step'));
    });

    test('without a name makes no request', async () => {
      await expect(search(key, { name: '' })).rejects.toThrow('Name is empty.');
    });
  });

  test.each([
    ['Sale 🇳🇱', 'Sale 🇧🇪'],
    ['C++', 'C'],
    ['Offer €', 'Offer $'],
    ['Sale 👍🏽', 'Sale 👍🏿'],
    ['ダイキ', 'タイキ'],
    ['राम', 'रमा'],
    ['Ann', 'Joanna'],
  ])('takes %s and %s for different names', (name, other) => {
    expect(rankMatches([other], name, String)).toEqual([]);
  });

  test.each([
    ['zoe', 'Zoë'],
    ['NOELLE O’neill', "Noëlle O'Neill"],
    ['ﾊﾟﾘ', 'パリ'],
    ['Café', 'Cafe\u0301'],
    ['Acme® Launch', 'Acme Launch'],
    ['#SummerSale', 'SummerSale'],
    ['फिरोज', 'फ़िरोज़'],
    ['मां', 'माँ'],
    ['辻さん', '辻\u{e0100}さん'],
    ['Love ❤', 'Love ❤️'],
    // People put emojis beside their names.
    ['Noor', 'Noor ❤️'],
    ['❤️', '❤'],
    ['🎉', '🎉'],
  ])('takes %s and %s for one name', (name, other) => {
    expect(rankMatches([other], name, String)).toHaveLength(1);
  });

  test('takes the same name first, then one that starts with it, then one that has its words', () => {
    const names = ['Our Summer', 'Summer Sale', 'Summer', 'Winter'];
    const found = rankMatches(names, 'summer', String).map(({ item }) => item);
    expect(found).toEqual(['Summer', 'Summer Sale', 'Our Summer']);
  });

  test('find_template takes no similar template for one that is not approved', async () => {
    const similar = { ...template.sample, name: 'order_shipped_late' };
    const query = { query: 'order_shipped', channel: 'whatsapp' };
    const paused = { ...template.sample, name: 'order_shipped', status: 'paused' };
    const input = { name: 'order_shipped', channel: 'whatsapp' };
    for (const _ of ['paused', 'rejected', 'Order_Shipped', 'order-shipped']) answerChannels();
    answer('listTemplates', query, [similar, paused]);
    await expect(search('find_template', input)).resolves.toEqual([]);
    answer('listTemplates', { ...query, query: 'Order Shipped' }, [similar, { ...paused, status: 'rejected' }]);
    await expect(search('find_template', { ...input, name: 'Order Shipped' })).resolves.toEqual([]);
    for (const twin of ['Order_Shipped', 'order-shipped']) {
      answer('listTemplates', query, [paused, { ...template.sample, name: twin }]);
      await expect(search('find_template', input)).resolves.toEqual([]);
    }
    const bySms = { ...paused, channel: 'sms', status: 'approved' };
    answer('listTemplates', { query: 'order_shipped' }, [paused, bySms]);
    await expect(search('find_template', { name: 'order_shipped' })).rejects.toThrow(
      'several templates match equally well',
    );
    answer('listTemplates', query, [paused, { ...paused, language: 'nl', status: 'approved' }]);
    await expect(search('find_template', input)).resolves.toHaveLength(1);
    answer('listTemplates', query, [similar]);
    await expect(search('find_template', input)).resolves.toHaveLength(1);
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

    test.each([
      ['inbound', true],
      ['outbound', false],
      [null, null],
    ])('with a newest message that is %j, awaiting_reply is %s', async (direction, awaiting_reply) => {
      answerConversation();
      answerMessages({ limit: 50 }, [{ ...message.sample, direction }]);
      await expect(find()).resolves.toMatchObject([{ awaiting_reply }]);
    });

    test('an internal note among the messages is none of them, and no line of the transcript', async () => {
      answerConversation();
      const note = { ...message.sample, id: 'msg_note', direction: 'internal', text: 'SECRET NOTE' };
      answerMessages({ limit: 50 }, [note, { ...message.sample, direction: 'inbound' }]);
      const [found] = (await find()) as { messages: object[]; transcript: string; awaiting_reply: boolean }[];
      expect(found).toMatchObject({ messages: [{ id: message.sample.id }], awaiting_reply: true });
      expect(JSON.stringify(found)).not.toContain('SECRET NOTE');
    });

    test('takes a status as people see it, and refuses one that is none before any request', async () => {
      answerConversation({ status: 'open' });
      answerMessages({ limit: 50 }, []);
      await expect(find({ status: ' Open ' })).resolves.toHaveLength(1);
      await expect(find({ status: 'weird' })).rejects.toThrow('Status: "weird" isn\'t one of the choices. Choose one');
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

    test('reads 150 messages in four requests', async () => {
      answerConversation();
      answerMessages({ limit: 100 }, messages(100), 'c1');
      answerMessages({ limit: 50, after: 'c1' }, messages(50, 100), 'c2');
      await expect(find({ message_limit: '150' })).resolves.toMatchObject([
        { messages: messages(150), complete: false },
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

        test('fails when the list of conversations does', async () => {
          answerConversations(401, {});
          await expect(find()).rejects.toThrow('The API token is missing, invalid or expired.');
        });
      });
    });

    test('stops when there is no such message, because that is not the same as no reply', async () => {
      expectCall('getMessage', { id: sent.id }).reply(404);
      await expectHalt(find(), expect.stringMatching(/^Message: the messaging service has no message with this ID/));
    });
  });

  describe('find_messages', () => {
    const failed = { ...events['message.failed'].sample, created_at: '2026-06-11T09:40:00Z' };

    test('finds what of a campaign nobody has read', async () => {
      const mine = { ...failed, id: 'm1', campaign_id: 'cmp_1', status: 'sent' };
      const read = { ...mine, id: 'm2', status: 'read' };
      const others = { ...mine, id: 'm3', campaign_id: 'cmp_2' };
      const query = { campaign_id: 'cmp_1', status: 'queued,sent,delivered', limit: 50 };
      answer('listMessages', query, [mine, read, others, { ...mine, id: 'm4', campaign_id: null }]);
      const input = { campaign: 'cmp_1', status: 'not_read' };
      await expect(search('find_messages', input)).resolves.toMatchObject([{ id: 'm1' }]);
    });

    test('gives the messages, the newest first, with a line for each, in one request', async () => {
      const query = { direction: 'outbound', status: 'failed', channel: 'whatsapp', limit: 50 };
      const other = { ...failed, id: '112', contact: null, error: { code: 'blocked' } };
      answer('listMessages', query, [failed, { ...failed, status: 'delivered' }, other]);
      const input = { direction: 'Outbound (from you)', status: 'failed', channel: 'whatsapp' };
      await expect(search('find_messages', input, { timezone: 'Europe/Amsterdam' })).resolves.toEqual([
        {
          ...reachable(failed),
          summary_line: `[2026-06-11 11:40] To Noor Visser +12025550123: "${failed.text}" (failed: This number cannot be reached on this channel.)`,
          complete: true,
        },
        {
          ...reachable(other),
          summary_line: `[2026-06-11 11:40] To +12025550123: "${failed.text}" (failed: blocked)`,
          complete: true,
        },
      ]);
    });

    const old = { ...failed, id: 'old', created_at: '2026-06-10T09:40:00Z' };

    test('has all when as many as it may list came after a moment, and others before it', async () => {
      answer('listMessages', { limit: 2 }, [failed, old], 'c1');
      const input = { message_limit: 1, after: '2026-06-11T00:00:00Z' };
      await expect(search('find_messages', input)).resolves.toMatchObject([{ id: failed.id, complete: true }]);
    });

    test('says in the last line that there are older messages', async () => {
      answer('listMessages', { limit: 2 }, [failed, old], 'c1');
      await expect(search('find_messages', { message_limit: 2 })).resolves.toMatchObject([
        { complete: false, summary_line: expect.not.stringContaining('listed') },
        { complete: false, summary_line: expect.stringMatching(/ \(older messages aren't listed\)$/) },
      ]);
    });

    test('finds those with some words among all that came after a time', async () => {
      const said = (id: string, text: string | null) => ({ ...failed, id, direction: 'inbound', text });
      const inbound = [said('m1', 'STOP!'), said('m2', 'Can you stop here?'), said('m3', null), said('m4', 'stopp')];
      const input = {
        direction: 'inbound',
        contains: ['stop', 'Stopp'],
        match: 'exact',
        after: '2026-06-11T00:00:00Z',
      };
      answer('listMessages', { direction: 'inbound', limit: 100 }, inbound);
      await expect(search('find_messages', input)).resolves.toMatchObject([
        { id: 'm1', complete: true },
        { id: 'm4', complete: true },
      ]);
      answer('listMessages', { direction: 'inbound', limit: 100 }, inbound);
      await expect(search('find_messages', { ...input, message_limit: 1 })).resolves.toMatchObject([
        { id: 'm1', complete: false, summary_line: expect.stringContaining("older messages aren't listed") },
      ]);
      answer('listMessages', { direction: 'inbound', limit: 100 }, inbound.slice(1, 3));
      await expect(search('find_messages', input)).resolves.toEqual([]);
    });

    test.each([
      ['find_messages', 'listMessages', 'messages', 50, failed],
      ['find_conversations', 'listConversations', 'conversations', 100, conversation.sample],
    ] as const)(
      '%s does not take records that cannot be read for none',
      async (key, endpoint, plural, limit, other) => {
        const channel = 'whatsapp';
        answer(endpoint, { limit, channel }, [
          { ...other, id: null },
          { ...other, channel: 'sms' },
        ]);
        await expect(search(key, { channel })).rejects.toThrow(
          `The messaging service returned ${plural} that can't be read, and none of the others match, so the step can't tell whether any does.`,
        );
      },
    );

    test('misses no message that cannot be read among those of another channel', async () => {
      const listed = [{ ...failed, channel: 'sms' }, { ...failed, id: null }, old];
      answer('listMessages', { limit: 51, channel: 'whatsapp' }, listed);
      const input = { after: '2026-06-11T00:00:00Z', channel: 'whatsapp' };
      await expect(search('find_messages', input)).rejects.toThrow("messages that can't be read");
    });

    test.each([
      ['after an older one, which proves that it is older too', [old, { ...failed, id: null }], []],
      ['before an older one', [{ ...failed, id: null }, old], expect.stringContaining("messages that can't be read")],
    ])('finds none since a moment only when a record that cannot be read comes %s', async (_where, listed, found) => {
      answer('listMessages', { limit: 51 }, listed);
      const searching = search('find_messages', { after: '2026-06-11T00:00:00Z' });
      expect(await searching.catch(String)).toEqual(found);
    });

    test('does not take pages without messages, or a missing page, for none', async () => {
      for (let page = 0; page < 10; page += 1) {
        answer('listMessages', { limit: 50, ...(page && { after: `c${page}` }) }, [], `c${page + 1}`);
      }
      await expect(search('find_messages', {})).rejects.toThrow('more messages than this search can read');
      answer('listMessages', { limit: 50 }, [], 'c1');
      expectCall('listMessages', { query: { limit: 50, after: 'c1' } }).reply(404);
      await expectHalt(
        search('find_messages', {}),
        expect.stringContaining("doesn't have this record, perhaps because it was deleted"),
      );
    });
  });

  describe('find_contacts', () => {
    const vip = { ...contact.sample, tags: ['vip'] };
    const early = { ...vip, id: 'con_2', created_at: '2026-01-01T00:00:00Z' };

    test('gives the contacts with a tag who agreed, the newest first', async () => {
      const others = [
        { ...vip, id: 'con_3', consent: 'unknown' },
        { ...vip, id: 'con_4', tags: [] },
      ];
      answer('listContacts', { tag: 'vip', consent: 'opted_in', limit: 50 }, [vip, ...others, early]);
      await expect(search('find_contacts', { tag: ' vip\u200b ', consent: 'Opted in' })).resolves.toEqual(
        [vip, early].map((each) => ({ ...reachable(each), complete: true })),
      );
    });

    test('gives a contact that is on two pages once', async () => {
      answer('listContacts', { tag: 'vip', limit: 50 }, [vip, early], 'c1');
      answer('listContacts', { tag: 'vip', limit: 48, after: 'c1' }, [early, { ...vip, id: 'con_3' }]);
      const ids = [vip.id, early.id, 'con_3'].map((id) => expect.objectContaining({ id }));
      await expect(search('find_contacts', { tag: 'vip' })).resolves.toEqual(ids);
    });

    test('does not take contacts that cannot be read for none', async () => {
      const data = [
        { ...vip, id: null },
        { ...vip, tags: [] },
      ];
      answer('listContacts', { tag: 'vip', limit: 50 }, data);
      await expect(search('find_contacts', { tag: 'vip' })).rejects.toThrow("contacts that can't be read");
    });

    test.each([
      [{ tag: 'vip, new' }, 'Tag: "vip, new" is more than one. Enter only one.'],
      [{ contact_limit: 501 }, 'Number of Contacts: 501 is out of range. Enter a number from 1 to 500.'],
      [{ created_after: 'last month' }, 'Added After: "last month" isn\'t a time.'],
    ])('refuses %j', async (inputData, sentence) => {
      await expect(search('find_contacts', inputData)).rejects.toThrow(sentence);
    });
  });

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

    test.each([
      ['messages, but no newest one', { ...waiting, last_message: null }, { awaiting_reply: 'false' }],
      [
        'a time of a message, but neither a number nor a newest one',
        { ...waiting, last_message: null, message_count: null },
        { awaiting_reply: 'false' },
      ],
      ['no time', timeless, { quiet_since: '1 hour ago' }],
      [
        'a new note, after which nobody knows who wrote last',
        { ...waiting, last_message: { ...lastMessage, direction: 'note', created_at: '2026-06-11T10:20:00Z' } },
        { quiet_since: '1 hour ago' },
      ],
      [
        'a time that is none',
        { ...waiting, last_message: { ...lastMessage, created_at: 'yesterday' }, last_message_at: 'soon' },
        { quiet_since: '1 hour ago', awaiting_reply: 'true' },
      ],
    ])('keeps %s in the list, although nobody can judge it', async (_what, record, inputData) => {
      list({}, [{ ...record, id: 'cnv_odd' }, quiet]);
      const ids =
        'awaiting_reply' in inputData && inputData.awaiting_reply === 'false' ? ['cnv_odd'] : ['cnv_3', 'cnv_odd'];
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
});
