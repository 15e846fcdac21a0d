import * as z from 'zod/mini';
import { endpoints, list } from '../../../src/api/endpoints';
import { contact, conversation, message, template } from '../../../src/api/resources';
import { errorOf, newNumber, parcelMessage, Running } from '../running';

const service = new Running();

const page = list(z.looseObject({ id: z.string() }));

/** The ids on all pages. Calls `between` after each page. */
const readAll = async (path: string, between: () => Promise<unknown> = async () => {}): Promise<string[]> => {
  const ids: string[] = [];
  for (let after: string | null | undefined = ''; after !== null && after !== undefined; ) {
    const cursor: string = after && `&after=${after}`;
    const { data, next_cursor } = await service.get(page, `${path}${cursor}`);
    ids.push(...data.map(({ id }) => id));
    after = next_cursor;
    await between();
  }
  return ids;
};

describe('pages', () => {
  test('list every contact once in the same order for any page size', async () => {
    const inSevens = await readAll('/v1/contacts?limit=7');
    const inHundreds = await readAll('/v1/contacts?limit=100');
    expect(inSevens.length).toBeGreaterThan(200);
    expect(new Set(inSevens).size).toBe(inSevens.length);
    expect(inSevens).toEqual(inHundreds);
  });

  test('neither repeat nor skip a row when others are added', async () => {
    const before = await readAll('/v1/contacts?limit=100');
    const during = await readAll('/v1/contacts?limit=50', () =>
      service.call('POST', '/v1/contacts', { phone: newNumber() }),
    );
    expect(during).toEqual(before);
  });

  test('have 20 rows by default, and no cursor on the last', async () => {
    const { data } = await service.get(page, '/v1/contacts');
    expect(data).toHaveLength(20);
    expect(await service.get(list(template.schema), '/v1/templates?limit=100')).toMatchObject({ next_cursor: null });
  });

  test('list all channels without a cursor', async () => {
    expect(await service.call('GET', '/v1/channels')).toMatchObject({
      body: {
        data: [
          { key: 'whatsapp', name: 'WhatsApp' },
          { key: 'sms', name: 'SMS' },
        ],
        next_cursor: null,
      },
    });
  });

  const pagedPaths = Object.values(endpoints)
    .filter((endpoint) => 'query' in endpoint)
    .map(({ path }) => path)
    .filter((path) => !path.includes('{'));

  test.each(pagedPaths)('of %s have a limit from 1 to 100', async (path) => {
    for (const limit of ['0', '101', '-1', '1.5', 'ten']) {
      const answer = await service.call('GET', `${path}?limit=${limit}`);
      expect(errorOf(answer)).toMatchObject({ code: 'validation_failed', field: 'limit' });
    }
    expect(await service.call('GET', `${path}?limit=100`)).toMatchObject({ status: 200 });
  });

  test('refuse an invalid cursor and one of another list', async () => {
    const { next_cursor } = await service.get(page, '/v1/contacts?limit=1');
    for (const path of [`/v1/messages?after=${next_cursor}`, '/v1/contacts?after=five', '/v1/contacts?after=%00']) {
      const answer = await service.call('GET', path);
      expect(answer.status).toBe(422);
      expect(errorOf(answer).field).toBe('after');
    }
  });
});

describe('filters', () => {
  const messages = list(message.schema);
  const contacts = list(contact.schema);
  const conversations = list(conversation.schema);

  test('find messages by several statuses', async () => {
    const { data } = await service.get(messages, '/v1/messages?status=received,read&limit=100');
    expect(new Set(data.map(({ status }) => status))).toEqual(new Set(['received', 'read']));
  });

  test('find messages by direction and channel', async () => {
    const { data } = await service.get(messages, '/v1/messages?direction=inbound&channel=sms&limit=100');
    expect(data.length).toBeGreaterThan(0);
    expect(data.every(({ direction, channel }) => direction === 'inbound' && channel === 'sms')).toBe(true);
  });

  test('list the newest first with several values of two filters', async () => {
    const path = '/v1/messages?status=received,read&channel=sms,whatsapp';
    const ids = await readAll(`${path}&limit=9`);
    const { data } = await service.get(messages, `${path}&limit=100`);
    expect(ids.slice(0, 100)).toEqual(data.map(({ id }) => id));
    expect(data.map(({ created_at }) => created_at)).toEqual(
      data
        .map(({ created_at }) => created_at)
        .toSorted()
        .toReversed(),
    );
  });

  test('find the messages of a conversation by query and by path', async () => {
    const sent = await service.post(message.schema, '/v1/messages', parcelMessage(newNumber()));
    const filtered = await service.get(messages, `/v1/messages?conversation_id=${sent.conversation_id}`);
    const listed = await service.get(messages, `/v1/conversations/${sent.conversation_id}/messages`);
    expect(filtered.data.map(({ id }) => id)).toEqual([sent.id]);
    expect(listed.data.map(({ id }) => id)).toEqual([sent.id]);
  });

  test('find contacts by phone number, and by email address in any case', async () => {
    const phone = newNumber();
    const made = await service.post(contact.schema, '/v1/contacts', { phone, email: 'Iris.Prins@example.com' });
    const byPhone = await service.get(contacts, `/v1/contacts?phone=${encodeURIComponent(phone)}`);
    const byEmail = await service.get(contacts, '/v1/contacts?email=iris.prins@EXAMPLE.com');
    expect([byPhone, byEmail].map(({ data }) => data.map(({ id }) => id))).toEqual([[made.id], [made.id]]);
  });

  test('find a contact once when it has two of the tags', async () => {
    const ids = await readAll('/v1/contacts?tag=newsletter,business,parcel-customer&limit=50');
    expect(ids.length).toBeGreaterThan(200);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('find contacts by words, ignoring case and accents', async () => {
    const { id } = await service.post(contact.schema, '/v1/contacts', {
      phone: newNumber(),
      first_name: 'Zoë',
      last_name: 'Quillfeather',
      tags: ['search-test'],
    });
    const find = async (query: string) => {
      const { data } = await service.get(contacts, `/v1/contacts?query=${encodeURIComponent(query)}`);
      return data.map((found) => found.id);
    };
    expect(await find('QUILL')).toEqual([id]);
    expect(await find('zoe quill')).toEqual([id]);
    expect(await find('feather zo')).toEqual([id]);
    expect(await find('"quill" OR nothing*')).toEqual([]);
    const tagged = await service.get(contacts, '/v1/contacts?query=quill&tag=search-test,other');
    expect(tagged.data.map((found) => found.id)).toEqual([id]);
    expect(await service.get(contacts, '/v1/contacts?query=quill&tag=other')).toMatchObject({ data: [] });
  });

  test('find conversations by contact and status', async () => {
    const { contact: person } = await service.post(message.schema, '/v1/messages', parcelMessage(newNumber()));
    const mine = await service.get(conversations, `/v1/conversations?contact_id=${person?.id}&status=open`);
    const closed = await service.get(conversations, '/v1/conversations?status=closed&limit=100');
    expect(mine.data).toHaveLength(1);
    expect(new Set(closed.data.map(({ status }) => status))).toEqual(new Set(['closed']));
  });

  test('find templates and campaigns by channel, status and words', async () => {
    const names = z.object({ data: z.array(z.object({ name: z.string() })) });
    const read = async (path: string) => (await service.get(names, path)).data.map(({ name }) => name);
    expect(await read('/v1/templates?channel=sms')).toEqual(['parcel_sms']);
    expect(await read('/v1/templates?query=Vandaag')).toEqual(['pakket_onderweg']);
    expect(await read('/v1/campaigns?query=summer')).toEqual(['Summer opening hours']);
    expect(await read('/v1/campaigns?status=draft,canceled')).toEqual(['Holiday closing', 'Weekend parcel points']);
  });

  test.each(['/v1/messages?status=seen', '/v1/messages?direction=up', '/v1/conversations?status=open,ajar'])(
    'refuse the unknown value in %s',
    async (path) => {
      expect(errorOf(await service.call('GET', path))).toMatchObject({ code: 'validation_failed' });
    },
  );

  test('refuse a phone number whose plus is not encoded', async () => {
    expect(errorOf(await service.call('GET', '/v1/contacts?phone=+12025550123'))).toMatchObject({ field: 'phone' });
  });

  test('find messages by four filters of 120 values each', async () => {
    const { data } = await service.get(
      messages,
      '/v1/messages?direction=outbound&status=read&channel=whatsapp&limit=1',
    );
    const { status, channel, conversation_id } = message.schema.parse(data[0]);
    const repeat = (value: unknown, ...others: string[]) => [...Array.from({ length: 119 }, () => value), ...others];
    const filters = [
      `direction=${repeat('outbound', 'inbound')}`,
      `status=${repeat(status, 'sent')}`,
      `channel=${repeat(channel, 'sms')}`,
      `conversation_id=${repeat(conversation_id, 'cnv_unknown')}`,
    ];
    const found = await service.get(messages, `/v1/messages?${filters.join('&')}`);
    expect(found.data.map(({ id }) => id)).toContain(data[0]?.id);
    expect(new Set(found.data.map((each) => each.conversation_id))).toEqual(new Set([conversation_id]));
  });

  test.each([
    ['1,000 words', Array.from({ length: 1000 }, (_, index) => `w${index}`).join('+')],
    ['SQL wildcards', '%25+_'],
  ])('find no contact by %s', async (_, query) => {
    expect(await service.call('GET', `/v1/contacts?query=${query}`)).toMatchObject({ status: 200, body: { data: [] } });
  });

  test('find contacts by 7,000 words in under five seconds', async () => {
    const began = performance.now();
    const { data } = await service.get(contacts, `/v1/contacts?query=${'e+'.repeat(7000)}`);
    expect(data).toHaveLength(20);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test.each(['/v1/contacts?query=%00', '/v1/contacts?query=zo%00e', '/v1/templates?channel=sms%00'])(
    'refuse the null character in %s',
    async (path) => {
      expect(errorOf(await service.call('GET', path))).toMatchObject({ code: 'validation_failed' });
    },
  );
});
