import { isValidPhoneNumber } from 'libphonenumber-js/max';
import * as z from 'zod/mini';
import { specialNumbers } from '../../../sandbox/domain/phone-numbers';
import { type SandboxOptions, startSandbox } from '../../../sandbox/sandbox';
import {
  campaign,
  contact,
  conversation,
  type Message,
  message,
  template,
  vocabulary,
} from '../../../src/api/resources';
import { Running, requestFrom } from '../../support/running';
import { runStep } from '../../support/zapier';

const service = new Running();

interface Page<T> {
  data: T[];
  next_cursor?: string | null | undefined;
}

const readAll = async <T>(list: (input: { query: object }) => Promise<Page<T>>): Promise<T[]> => {
  const found: T[] = [];
  for (let after: string | null | undefined = ''; after !== null && after !== undefined; ) {
    const page: Page<T> = await list({ query: { limit: 100, ...(after && { after }) } });
    found.push(...page.data);
    after = page.next_cursor;
  }
  return found;
};

let messages: Message[];

beforeAll(async () => {
  messages = await readAll((input) => service.read('listMessages', input));
});

test('has over 200 contacts with valid numbers that are reserved for fiction', async () => {
  const contacts = await readAll((input) => service.read('listContacts', input));
  const phones = contacts.flatMap(({ phone }) => phone ?? []);
  expect(contacts.length).toBeGreaterThan(200);
  expect(phones.filter((phone) => !isValidPhoneNumber(phone))).toEqual([]);
  expect(phones.filter((phone) => !/^\+1\d{3}55501\d{2}$/.test(phone))).toEqual([]);
  expect(contacts.some(({ consent }) => consent === 'opted_out')).toBe(true);
});

test('has a customer who hides the phone number, and whose reply quotes a message', async () => {
  const [hidden, ...others] = (await readAll((input) => service.read('listContacts', input))).filter(
    ({ phone }) => !phone,
  );
  expect(others).toEqual([]);
  const theirs = messages.filter((each) => each.contact?.id === hidden?.id);
  const customers = theirs.map(({ direction, from, to }) => (direction === 'inbound' ? from : to));
  expect(customers).toEqual([null, null, null]);
  expect(theirs[0]).toMatchObject({ reply_to: theirs[1]?.id, contact: { username: hidden?.username, phone: null } });
  await expect(service.read('listConversations', { query: { contact_id: hidden?.id } })).resolves.toMatchObject({
    data: [{ contact: { id: hidden?.id, phone: null } }],
  });
});

test('has templates for every language, channel, status and variable format', async () => {
  const templates = await readAll((input) => service.read('listTemplates', input));
  const variables = templates.flatMap((each) => each.variables ?? []);
  expect(templates[0]).toEqual(template.sample);
  expect(new Set(templates.map(({ language }) => language))).toEqual(new Set(['de', 'en', 'nl']));
  expect(new Set(variables.map(({ format }) => format))).toEqual(new Set(vocabulary.variableFormat));
  expect(variables.some(({ required }) => required === false)).toBe(true);
  expect(templates.some(({ status }) => status !== 'approved')).toBe(true);
  expect(templates.some(({ channel }) => channel === 'sms')).toBe(true);
});

test('has one template in three languages and on two channels, with texts of their own', async () => {
  const { data } = await service.read('listTemplates', { query: { name: 'parcel_ready' } });
  const versions = data.map(({ channel, language }) => `${channel} ${language}`);
  expect(versions.toSorted()).toEqual(['sms en', 'whatsapp de', 'whatsapp en', 'whatsapp nl']);
  expect(new Set(data.map(({ body }) => body)).size).toBe(4);
});

test('has as many more templates as asked for, and a dropdown lists all 3,000 of a large shop by name', async () => {
  const sandbox = await startSandbox({ templates: 3_000 });
  const authData = { base_url: sandbox.url, api_token: sandbox.tokens.advanced };
  const perform = 'creates.send_message.operation.inputFields.1.choices.perform';
  const { results, paging_token } = z
    .object({ results: z.array(z.object({ id: z.string() })), paging_token: z.null() })
    .parse(await runStep(perform, { authData, inputData: { channel: 'whatsapp' } }).finally(sandbox.stop));
  const names = results.map(({ id }) => id);
  expect(paging_token).toBeNull();
  expect(names.filter((name) => name.startsWith('parcel_update_'))).toHaveLength(3_000);
  expect(names).toContain(template.sample.name);
  expect(names).toEqual(names.toSorted());
});

test('has a campaign in each status, whose stats match its messages', async () => {
  const campaigns = await readAll((input) => service.read('listCampaigns', input));
  expect(campaigns.map(({ status }) => status).toSorted()).toEqual(vocabulary.campaignStatus.toSorted());
  for (const { id, stats } of campaigns) {
    const own = messages.filter(({ campaign_id }) => campaign_id === id);
    expect(stats?.sent).toBe(own.filter(({ sent_at }) => sent_at).length);
    expect(stats?.read).toBe(own.filter(({ read_at }) => read_at).length);
  }
});

test('has open and closed conversations that count their messages', async () => {
  const conversations = await readAll((input) => service.read('listConversations', input));
  expect(new Set(conversations.map(({ status }) => status))).toEqual(new Set(vocabulary.conversationStatus));
  for (const { id, message_count } of conversations) {
    expect(messages.filter(({ conversation_id }) => conversation_id === id)).toHaveLength(message_count ?? 0);
  }
  expect(new Set(messages.map(({ source }) => source))).toEqual(new Set(['api', 'colleague', 'campaign', 'contact']));
});

test('has a value for every field of the contract in some record, except for messages that fail', async () => {
  const read = (name: 'listTemplates' | 'listContacts' | 'listConversations' | 'listCampaigns') =>
    readAll<object>((input) => service.read(name, input));
  const records = [
    [template, await read('listTemplates')],
    [contact, await read('listContacts')],
    [conversation, await read('listConversations')],
    [campaign, await read('listCampaigns')],
    [message, messages],
  ] as const;
  const empty = records.flatMap(([{ noun, schema }, found]) =>
    Object.keys(schema.shape)
      .filter((field) => found.every((each) => (new Map(Object.entries(each)).get(field) ?? null) === null))
      .map((field) => `${noun} ${field}`),
  );
  expect(empty).toEqual(['Message error', 'Message failed_at']);
});

test('has no contact with a special number', async () => {
  for (const number of Object.values(specialNumbers)) {
    expect((await service.read('listContacts', { query: { phone: number } })).data).toEqual([]);
  }
});

describe('the seed number', () => {
  const withoutTimes = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (key, inner) => (key.endsWith('_at') ? undefined : inner)));

  const read = async (options: SandboxOptions) => {
    const { url, tokens, stop } = await startSandbox(options);
    const account = { url, token: tokens.advanced };
    const names = ['listContacts', 'listMessages', 'listConversations', 'listCampaigns'] as const;
    const reads = names.map((name) => requestFrom(account, name, { query: { limit: 100 } }));
    const responses = await Promise.all(reads).finally(stop);
    return { tokens, data: JSON.stringify(withoutTimes(responses.map(({ body }) => body))).replaceAll(url, '') };
  };

  test('decides the tokens, ids and data except times', async () => {
    const [first, again, other] = [await read({ seed: 7 }), await read({ seed: 7 }), await read({ seed: 8 })];
    expect(again).toEqual(first);
    expect(other.tokens).not.toEqual(first.tokens);
    expect(other.data).not.toEqual(first.data);
  });
});

test('has photos and voice messages without a text', () => {
  const without = messages.filter(({ text }) => text === null);
  const types = without.flatMap(({ attachments }) => (attachments ?? []).map(({ type }) => type));
  expect(new Set(types)).toEqual(new Set(['image', 'audio']));
  expect(types).toHaveLength(without.length);
});
