/** What the sandbox does with its records, as far as no check of conformance and no test of the app asks. */

import { isValidPhoneNumber } from 'libphonenumber-js/max';
import * as z from 'zod/mini';
import { campaign, campaignRun, contact, conversation, message, template } from '../../../src/api/resources';
import { errorOf, eventually, newNumber, parcelMessage, Running, requestFrom } from '../../../test/support/running';
import { specialNumbers } from '../domain/phone-numbers';
import { startSandbox } from '../sandbox';

const service = new Running({ speed: 1 });

test('a campaign sends to its saved audience once, and counts the results', async () => {
  const { data } = await service.read('listCampaigns', { query: { status: 'scheduled' } });
  const id = String(data[0]?.id);
  const answers = await Promise.all([1, 2].map(() => service.request('triggerCampaign', { id, body: {} })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 422]);
  const started = answers.find(({ status }) => status === 202)?.body;
  const { recipients } = campaignRun.schema.parse(started);
  expect(recipients).toBeGreaterThan(25);
  await eventually(async () => expect(await service.read('getCampaign', { id })).toMatchObject({ status: 'sending' }));
  await service.advance(60);
  const done = { recipients, sent: recipients, delivered: recipients, read: recipients, replied: 0, failed: 0 };
  const completed = { status: 'completed', audience_size: recipients, stats: done };
  expect(await service.read('getCampaign', { id })).toMatchObject(completed);
});

test('deletes a contact and keeps its messages', async () => {
  const to = newNumber();
  const { id: messageId } = await service.read('sendMessage', { body: parcelMessage(to) });
  const sent = await service.read('getMessage', { id: messageId });
  const id = String(sent.contact?.id);
  expect(await service.request('deleteContact', { id })).toMatchObject({ status: 204 });
  expect(await service.request('getContact', { id })).toMatchObject({ status: 404 });
  expect(await service.read('getMessage', { id: messageId })).toMatchObject({ contact: null, to });
  const kept = await service.read('getConversation', { id: String(sent.conversation_id) });
  expect(kept).toMatchObject({ contact: null, message_count: 1 });
});

describe('refuses, and names the field', () => {
  const good = parcelMessage('+12025550123');
  const variables = (values: object) => ({ ...good, variables: { ...good.variables, ...values } });
  const invalid = 'validation_failed';

  test.each([
    ['a number without a plus', { ...good, to: '12025550123' }, invalid, 'to'],
    ['a channel named after an object property', { ...good, channel: 'constructor' }, invalid, 'channel'],
    ['no template', { channel: 'whatsapp', to: good.to }, invalid, 'template'],
    ['a template of another channel', { ...good, channel: 'sms' }, 'template_not_found', 'template'],
    ['a template that waits', { ...good, template: 'summer_promotion' }, 'template_not_approved', 'template'],
    ['a variable left empty', variables({ parcel_id: '' }), 'template_variables_missing', 'variables.parcel_id'],
    ['an unknown variable', variables({ colour: 'red' }), invalid, 'variables.colour'],
    ['a field that the call does not have', { ...good, language: 'nl' }, invalid, 'language'],
    ['a time that does not exist', variables({ arrival_time: '24:00' }), invalid, 'variables.arrival_time'],
    ['a value that is a number', variables({ parcel_id: 20418 }), invalid, expect.stringMatching(/^variables/)],
    ['a number that cannot be reached', parcelMessage(specialNumbers.unreachable), 'recipient_unreachable', 'to'],
    ['a number that opted out', parcelMessage(specialNumbers.optedOut), 'recipient_opted_out', 'to'],
  ])('%s', async (_what, body, code, field) => {
    const answer = await service.request('sendMessage', { body });
    expect(answer.status).toBe(422);
    expect(errorOf(answer)).toMatchObject({ code, field });
  });

  test.each([
    ['a phone number that is none', { phone: '12' }, 'phone'],
    ['an email address that is none', { email: 'noor at example' }, 'email'],
    ['a language that is none', { phone: '+12025550123', language: 'Dutch' }, 'language'],
    ['a tag with a comma', { phone: '+12025550123', tags: ['a,b'] }, 'tags'],
    ['nothing to reach a person by', { first_name: 'Noor' }, 'phone'],
  ])('a contact with %s', async (_what, body, field) => {
    const answer = await service.request('createContact', { body });
    expect(answer.status).toBe(422);
    expect(errorOf(answer)).toMatchObject({ code: invalid, field });
  });

  test('each of several variables, and a contact who has opted out', async () => {
    const both = await service.request('sendMessage', { body: variables({ parcel_id: '', arrival_time: '' }) });
    expect(errorOf(both).details).toMatchObject([
      { field: 'variables.parcel_id' },
      { field: 'variables.arrival_time' },
    ]);
    const phone = newNumber();
    await service.read('createContact', { body: { phone, consent: 'opted_out' } });
    const refused = await service.request('sendMessage', { body: parcelMessage(phone) });
    expect(errorOf(refused)).toMatchObject({ code: 'recipient_opted_out' });
  });
});

const inEnglish = 'Your parcel PX-1 is ready at Quay Street 12. We keep it until 2026-06-19.';

test.each([
  ['nl-BE', 'Uw pakket PX-1 ligt tot en met 2026-06-19 klaar bij Quay Street 12.'],
  ['de', 'Ihr Paket PX-1 liegt für Sie bereit: Quay Street 12.'],
  ['pl', inEnglish],
  [undefined, inEnglish],
])("a contact whose language is %s gets the text in it, else in the workspace's", async (language, text) => {
  const to = newNumber();
  await service.request('createContact', { body: { phone: to, ...(language && { language }) } });
  const variables = { parcel_id: 'PX-1', parcel_point: 'Quay Street 12', pickup_date: '2026-06-19' };
  const body = { channel: 'whatsapp', to, template: 'parcel_ready', variables };
  expect((await service.request('sendMessage', { body })).body).toMatchObject({ text });
});

describe('seed data', () => {
  const seeded = new Running();

  test('is the same for the same seed, and other data for another one', async () => {
    const [first, again, other] = await Promise.all(
      [7, 7, 8].map(async (seed) => {
        const { url, tokens, stop } = await startSandbox({ seed });
        const account = { url, token: tokens.advanced };
        const { body } = await requestFrom(account, 'listContacts', { query: { limit: 100 } }).finally(stop);
        const { data } = z.object({ data: z.array(contact.schema) }).parse(body);
        return { token: tokens.advanced, people: data.map(({ id, phone, first_name }) => [id, phone, first_name]) };
      }),
    );
    expect(again).toEqual(first);
    expect(other?.token).not.toBe(first?.token);
    expect(other?.people).not.toEqual(first?.people);
  });

  type List = 'listTemplates' | 'listContacts' | 'listConversations' | 'listCampaigns' | 'listMessages';

  const readAll = async (list: List): Promise<Record<string, unknown>[]> => {
    const found: Record<string, unknown>[] = [];
    for (let after: string | null | undefined = ''; after !== null && after !== undefined; ) {
      const { body } = await seeded.request(list, { query: { limit: 100, ...(after && { after }) } });
      const page = z.object({ data: z.array(z.looseObject({})), next_cursor: z.nullish(z.string()) }).parse(body);
      found.push(...page.data);
      after = page.next_cursor;
    }
    return found;
  };

  test('has over 200 contacts with valid numbers that are reserved for fiction', async () => {
    const contacts = z.array(contact.schema).parse(await readAll('listContacts'));
    const phones = contacts.flatMap(({ phone }) => phone ?? []);
    expect(contacts.length).toBeGreaterThan(200);
    expect(phones.filter((phone) => !isValidPhoneNumber(phone))).toEqual([]);
    expect(phones.filter((phone) => !/^\+1\d{3}55501\d{2}$/.test(phone))).toEqual([]);
    expect(contacts.some(({ consent }) => consent === 'opted_out')).toBe(true);
  });

  test('has a value for every field of the contract in some record, except for messages that fail and buttons', async () => {
    const resources = [
      [template, 'listTemplates'],
      [contact, 'listContacts'],
      [conversation, 'listConversations'],
      [campaign, 'listCampaigns'],
      [message, 'listMessages'],
    ] as const;
    const empty = resources.map(async ([{ noun, schema }, list]) => {
      const found = await readAll(list);
      const isEmpty = (field: string) => found.every((each) => (each[field] ?? null) === null);
      return Object.keys(schema.shape)
        .filter(isEmpty)
        .map((field) => `${noun} ${field}`);
    });
    expect((await Promise.all(empty)).flat()).toEqual(['Message error', 'Message button', 'Message failed_at']);
  });
});
