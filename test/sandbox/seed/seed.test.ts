import { isValidPhoneNumber } from 'libphonenumber-js/max';
import type * as z from 'zod/mini';
import { specialNumbers } from '../../../sandbox/domain/phone-numbers';
import { type SandboxOptions, startSandbox } from '../../../sandbox/sandbox';
import { list } from '../../../src/api/endpoints';
import { campaign, contact, conversation, message, template, vocabulary } from '../../../src/api/resources';
import { ask, Running } from '../running';

const service = new Running();

const readAll = async <S extends z.ZodMiniType>(schema: S, path: string): Promise<z.output<S>[]> => {
  const found: z.output<S>[] = [];
  for (let after: string | null | undefined = ''; after !== null && after !== undefined; ) {
    const cursor: string = after && `&after=${after}`;
    const page = await service.get(list(schema), `${path}?limit=100${cursor}`);
    found.push(...page.data);
    after = page.next_cursor;
  }
  return found;
};

test('has over 200 contacts with valid numbers that are reserved for fiction', async () => {
  const contacts = await readAll(contact.schema, '/v1/contacts');
  const phones = contacts.map(({ phone }) => phone ?? '');
  expect(contacts.length).toBeGreaterThan(200);
  expect(phones.filter((phone) => !isValidPhoneNumber(phone))).toEqual([]);
  expect(phones.filter((phone) => !/^\+1\d{3}55501\d{2}$/.test(phone))).toEqual([]);
  expect(contacts.some(({ consent }) => consent === 'opted_out')).toBe(true);
});

test('has templates for every language, channel, status and variable format', async () => {
  const templates = await readAll(template.schema, '/v1/templates');
  const variables = templates.flatMap((each) => each.variables ?? []);
  expect(templates[0]).toEqual(template.sample);
  expect(new Set(templates.map(({ language }) => language))).toEqual(new Set(['en', 'nl']));
  expect(new Set(variables.map(({ format }) => format))).toEqual(new Set(vocabulary.variableFormat));
  expect(variables.some(({ required }) => required === false)).toBe(true);
  expect(templates.some(({ status }) => status !== 'approved')).toBe(true);
  expect(templates.some(({ channel }) => channel === 'sms')).toBe(true);
});

test('has a campaign in each status, whose stats match its messages', async () => {
  const campaigns = await readAll(campaign.schema, '/v1/campaigns');
  expect(campaigns.map(({ status }) => status).toSorted()).toEqual(vocabulary.campaignStatus.toSorted());
  const messages = await readAll(message.schema, '/v1/messages');
  for (const { id, stats } of campaigns) {
    const own = messages.filter(({ campaign_id }) => campaign_id === id);
    expect(stats?.sent).toBe(own.filter(({ sent_at }) => sent_at).length);
    expect(stats?.read).toBe(own.filter(({ read_at }) => read_at).length);
  }
});

test('has open and closed conversations that count their messages', async () => {
  const conversations = await readAll(conversation.schema, '/v1/conversations');
  const messages = await readAll(message.schema, '/v1/messages');
  expect(new Set(conversations.map(({ status }) => status))).toEqual(new Set(vocabulary.conversationStatus));
  for (const { id, message_count } of conversations) {
    expect(messages.filter(({ conversation_id }) => conversation_id === id)).toHaveLength(message_count ?? 0);
  }
  expect(new Set(messages.map(({ source }) => source))).toEqual(new Set(['api', 'agent', 'campaign', 'contact']));
});

test('gives each workspace its own contacts', async () => {
  const authorization = `Bearer ${service.sandbox.tokens.growth}`;
  const { body } = await service.call('GET', '/v1/contacts?limit=100', undefined, { authorization });
  expect(list(contact.schema).parse(body).data.length).toBeGreaterThan(10);
});

test('has no contact with a special number', async () => {
  for (const number of Object.values(specialNumbers)) {
    const path = `/v1/contacts?phone=${encodeURIComponent(number)}`;
    expect(await service.call('GET', path)).toMatchObject({ body: { data: [] } });
  }
});

describe('the seed number', () => {
  const withoutTimes = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (key, inner) => (key.endsWith('_at') ? undefined : inner)));

  const read = async (options: SandboxOptions) => {
    const { url, tokens, stop } = await startSandbox(options);
    const authorization = `Bearer ${tokens.advanced}`;
    const paths = ['/v1/contacts?limit=100', '/v1/messages?limit=100', '/v1/conversations?limit=100', '/v1/campaigns'];
    const reads = paths.map((path) => ask(url + path, 'GET', undefined, { authorization }));
    const responses = await Promise.all(reads).finally(stop);
    return { tokens, data: withoutTimes(responses.map(({ body }) => body)) };
  };

  test('always gives the same tokens, ids and data except times', async () => {
    expect(await read({ seed: 7 })).toEqual(await read({ seed: 7 }));
  });

  test('gives different data for a different number', async () => {
    const [one, other] = [await read({ seed: 1 }), await read({ seed: 2 })];
    expect(other.tokens).not.toEqual(one.tokens);
    expect(other.data).not.toEqual(one.data);
  });
});
