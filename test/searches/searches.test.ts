/** What searches say of what they find. The simulation judges what they find, and in which order. */

import type { AnyInput } from '../../src/api/endpoints';
import { events } from '../../src/api/events';
import { campaign, contact, conversation, message, type Template, template } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { pathOf } from '../support/calls';
import { expectHalt } from '../support/halt';
import { answer, search } from '../support/search';
import { answerChannels, authData, expectCall, service, toResponse } from '../support/service';
import { reachable } from '../support/triggered';

describe('searches', () => {
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

    test.each(lists)('by a channel has another name, found nothing, or stops %s', async (key, call, input, sample) => {
      const values = asked(call, [[], sample, [], []]);
      for (const _ of ['another name', 'nothing', 'no channel']) answerChannels();
      service()
        .get(pathOf('listConversationMessages', { id: talk.id }))
        .query(true)
        .optionally()
        .reply(200, toResponse({ data: [] }));
      await expect(search(key, { ...input, channel: 'whatsapp BUSINESS' })).resolves.toHaveLength(1);
      expect(values).toEqual(['whatsapp BUSINESS', 'whatsapp']);
      await expect(search(key, { ...input, channel: 'sms' })).resolves.toEqual([]);
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
      ['+525541637145', '+5215541637145'],
      ['+5491123456789', '+541123456789'],
    ])('asks for %s also as %s, as which the service may have the same person', async (phone, other) => {
      answer('listContacts', { phone: `${phone},${other}` }, [{ ...contact.sample, phone: other }]);
      await expect(search('find_contact', { phone })).resolves.toMatchObject([{ phone: other }]);
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
  });

  describe('find_message_status', () => {
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
});
