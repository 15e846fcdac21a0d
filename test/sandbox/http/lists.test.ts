import { message } from '../../../src/api/resources';
import { errorOf, newNumber, Running } from '../../support/running';

const service = new Running();

type List = 'listContacts' | 'listMessages';

/** The ids on all pages. Calls `between` after each page. */
const readAll = async (
  list: List,
  query: object,
  between: () => Promise<unknown> = async () => {},
): Promise<string[]> => {
  const ids: string[] = [];
  for (let after: string | null | undefined = ''; after !== null && after !== undefined; ) {
    const page: { data: { id: string }[]; next_cursor?: string | null | undefined } = await service.read(list, {
      query: { ...query, ...(after && { after }) },
    });
    ids.push(...page.data.map(({ id }) => id));
    after = page.next_cursor;
    await between();
  }
  return ids;
};

describe('pages', () => {
  test('list every contact once in the same order for any page size', async () => {
    const inSevens = await readAll('listContacts', { limit: 7 });
    const inHundreds = await readAll('listContacts', { limit: 100 });
    expect(inSevens.length).toBeGreaterThan(200);
    expect(new Set(inSevens).size).toBe(inSevens.length);
    expect(inSevens).toEqual(inHundreds);
  });

  test('neither repeat nor skip a row when others are added', async () => {
    const before = await readAll('listContacts', { limit: 100 });
    const during = await readAll('listContacts', { limit: 50 }, () =>
      service.request('createContact', { body: { phone: newNumber() } }),
    );
    expect(during).toEqual(before);
  });

  test('have 20 rows by default, and no cursor on the last', async () => {
    const { data } = await service.read('listContacts');
    expect(data).toHaveLength(20);
    expect(await service.read('listTemplates', { query: { limit: 100 } })).toMatchObject({ next_cursor: null });
  });

  test('list the channels and the webhooks too', async () => {
    const all = await service.read('listChannels');
    const first = await service.read('listChannels', { query: { limit: 1 } });
    const second = await service.read('listChannels', { query: { limit: 1, after: first.next_cursor } });
    expect([...first.data, ...second.data]).toEqual(all.data);
    expect([second.next_cursor, all.next_cursor]).toEqual([null, null]);
    expect(await service.read('listWebhooks', { query: { limit: 1 } })).toEqual({ data: [], next_cursor: null });
  });

  test('refuse an invalid cursor and one of another list', async () => {
    const { next_cursor: ofContacts } = await service.read('listContacts', { query: { limit: 1 } });
    const encode = (position: string) => Buffer.from(position).toString('base64url');
    const answers = [
      await service.request('listMessages', { query: { after: ofContacts } }),
      await service.request('listContacts', { query: { after: 'five' } }),
      await service.request('listContacts', { query: { after: '\0' } }),
      await service.request('listContacts', { query: { after: '5abc' } }),
      await service.request('listContacts', { query: { after: encode('listContacts:5abc') } }),
      await service.request('listContacts', { query: { after: encode('listContacts:5:6') } }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(422);
      expect(errorOf(answer).field).toBe('after');
    }
  });
});

describe('filters', () => {
  test('list the newest first with several values of two filters', async () => {
    const query = { status: ['received', 'read'], channel: ['sms', 'whatsapp'] };
    const ids = await readAll('listMessages', { ...query, limit: 9 });
    const { data } = await service.read('listMessages', { query: { ...query, limit: 100 } });
    expect(ids.slice(0, 100)).toEqual(data.map(({ id }) => id));
    expect(data.map(({ created_at }) => created_at)).toEqual(
      data
        .map(({ created_at }) => created_at)
        .toSorted()
        .toReversed(),
    );
  });

  test('find a contact once when it has two of the tags', async () => {
    const ids = await readAll('listContacts', {
      tag: ['newsletter', 'business', 'parcel-customer'],
      limit: 50,
    });
    expect(ids.length).toBeGreaterThan(200);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('find contacts by words, ignoring case and accents', async () => {
    const person = { phone: newNumber(), first_name: 'Zoë', last_name: 'Quillfeather', tags: ['search-test'] };
    const { id } = await service.read('createContact', { body: person });
    const find = async (query: string, tag?: string[]) => {
      const { data } = await service.read('listContacts', { query: { query, tag } });
      return data.map((found) => found.id);
    };
    expect(await find('QUILL')).toEqual([id]);
    expect(await find('zoe quill')).toEqual([id]);
    expect(await find('feather zo')).toEqual([id]);
    expect(await find('"quill" OR nothing*')).toEqual([]);
    expect(await find('quill', ['search-test', 'other'])).toEqual([id]);
    expect(await find('quill', ['other'])).toEqual([]);
  });

  test('find templates and campaigns by channel, status and words', async () => {
    const read = async (list: 'listTemplates' | 'listCampaigns', query: object) =>
      (await service.read(list, { query })).data.map(({ name }) => name);
    expect(await read('listTemplates', { channel: 'sms' })).toEqual(['parcel_ready', 'parcel_sms']);
    expect(await read('listTemplates', { name: 'parcel_ready', channel: 'whatsapp' })).toHaveLength(3);
    expect(await read('listTemplates', { name: 'parcel' })).toEqual([]);
    expect(await read('listTemplates', { query: 'Vandaag' })).toEqual(['pakket_onderweg']);
    expect(await read('listCampaigns', { query: 'summer' })).toEqual(['Summer opening hours']);
    const names = await read('listCampaigns', { status: ['draft', 'canceled'] });
    expect(names).toEqual(['Holiday closing', 'Weekend parcel points']);
  });

  test.each([
    ['listMessages', { status: 'lost' }],
    ['listMessages', { direction: 'up' }],
    ['listConversations', { status: ['open', 'ajar'] }],
  ] as const)('refuse the unknown value in %s by %j', async (list, query) => {
    expect(errorOf(await service.request(list, { query }))).toMatchObject({ code: 'validation_failed' });
  });

  test('refuse a phone number without its plus, as when the plus is not encoded', async () => {
    const answer = await service.request('listContacts', { query: { phone: ' 12025550123' } });
    expect(errorOf(answer)).toMatchObject({ field: 'phone' });
  });

  test('find messages by four filters of 120 values each', async () => {
    const { data } = await service.read('listMessages', {
      query: { direction: 'outbound', status: 'read', channel: 'whatsapp', limit: 1 },
    });
    const { status, channel, conversation_id } = message.schema.parse(data[0]);
    const repeat = (value: unknown, ...others: string[]) => [...Array.from({ length: 119 }, () => value), ...others];
    const query = {
      direction: repeat('outbound', 'inbound'),
      status: repeat(status, 'sent'),
      channel: repeat(channel, 'sms'),
      conversation_id: repeat(conversation_id, 'cnv_unknown'),
    };
    const found = await service.read('listMessages', { query });
    expect(found.data.map(({ id }) => id)).toContain(data[0]?.id);
    expect(new Set(found.data.map((each) => each.conversation_id))).toEqual(new Set([conversation_id]));
  });

  test.each([
    ['1,000 words', Array.from({ length: 1000 }, (_, index) => `w${index}`).join(' ')],
    ['SQL wildcards', '% _'],
  ])('find no contact by %s', async (_, query) => {
    expect((await service.read('listContacts', { query: { query } })).data).toEqual([]);
  });

  test('find contacts by 7,000 words', async () => {
    const { data } = await service.read('listContacts', { query: { query: 'e '.repeat(7000) } });
    expect(data).toHaveLength(20);
  });

  test.each([
    ['listContacts', { query: '\0' }],
    ['listContacts', { query: 'zo\0e' }],
    ['listTemplates', { channel: 'sms\0' }],
  ] as const)('refuse the null character in %s by %j', async (list, query) => {
    expect(errorOf(await service.request(list, { query }))).toMatchObject({ code: 'validation_failed' });
  });
});
