/** What the sandbox does with its records. */

import { isValidPhoneNumber } from 'libphonenumber-js/max';
import * as z from 'zod/mini';
import {
  type Campaign,
  campaign,
  campaignRun,
  contact,
  conversation,
  type Message,
  message,
  template,
} from '../../../src/api/resources';
import { errorOf, eventually, newNumber, parcelMessage, Running, requestFrom } from '../../../test/support/running';
import { startSeeded } from '../../../test/support/seeded';
import { hour } from '../../zapier/clock';
import { specialNumbers } from '../domain/phone-numbers';
import { startSandbox } from '../sandbox';

describe('campaigns', () => {
  const service = new Running({ speed: 1 });

  const byStatus = async (status: string): Promise<Campaign> => {
    const { data } = await service.read('listCampaigns', { query: { status } });
    return campaign.schema.parse(data[0]);
  };
  const find = (id: string) => service.read('getCampaign', { id });
  const trigger = (id: string, content: object) => service.request('triggerCampaign', { id, body: content });

  test('sends to its saved audience and counts the results', async () => {
    const { id, name } = await byStatus('scheduled');
    const answer = await trigger(id, {});
    expect(answer.status).toBe(202);
    const run = campaignRun.schema.parse(answer.body);
    expect(run).toMatchObject({ campaign_id: id, campaign_name: name, status: 'queued' });
    const recipients = Number(run.recipients);
    expect(recipients).toBeGreaterThan(25);
    await eventually(async () => expect(await find(id)).toMatchObject({ status: 'sending' }));
    await service.advance(60);
    const { status, audience_size, stats, started_at, completed_at } = await find(id);
    expect({ status, audience_size }).toEqual({ status: 'completed', audience_size: recipients });
    expect(stats).toEqual({
      recipients,
      sent: recipients,
      delivered: recipients,
      read: recipients,
      replied: 0,
      failed: 0,
    });
    expect(Date.parse(completed_at ?? '')).toBeGreaterThan(Date.parse(started_at ?? ''));
  });

  test('starts for its audience only once, also before the first message is sent', async () => {
    const { id } = await byStatus('completed');
    const answers = await Promise.all([trigger(id, {}), trigger(id, {})]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 422]);
    await service.advance(60);
    expect(await find(id)).toMatchObject({ status: 'completed' });
  });
});

describe('contacts', () => {
  const service = new Running();

  const create = (content: object) => service.read('createContact', { body: content });
  const update = (id: string, content: object) => service.request('updateContact', { id, body: content });

  test.each([
    [{ phone: '12' }, 'phone'],
    [{ email: 'noor at example' }, 'email'],
    [{ phone: '+12025550123', language: 'Dutch' }, 'language'],
    [{ phone: '+12025550123', tags: ['a,b'] }, 'tags'],
    [{ first_name: 'Noor' }, 'phone'],
  ])('refuses %j and names the field', async (content, field) => {
    const answer = await service.request('createContact', { body: content });
    expect(answer.status).toBe(422);
    expect(errorOf(answer)).toMatchObject({ code: 'validation_failed', field });
  });

  test('refuses the phone number or email address of another contact and returns its id', async () => {
    const phone = newNumber();
    const { id } = await create({ phone, email: 'taken@example.com' });
    for (const content of [{ phone }, { phone: newNumber(), email: 'TAKEN@example.com' }]) {
      const answer = await service.request('createContact', { body: content });
      expect(answer.status).toBe(409);
      expect(errorOf(answer)).toMatchObject({ code: 'contact_exists', existing_id: id });
    }
  });

  test('updates only the given fields', async () => {
    const made = await create({ phone: newNumber(), first_name: 'Noor', attributes: { floor: '3' }, tags: ['vip'] });
    const answer = await update(made.id, { last_name: 'Visser', attributes: { door: 'blue' } });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        phone: made.phone,
        first_name: 'Noor',
        last_name: 'Visser',
        attributes: { floor: '3', door: 'blue' },
        tags: ['vip'],
        created_at: made.created_at,
      },
    });
  });

  test('updates to its own phone number but not to that of another contact', async () => {
    const mine = await create({ phone: newNumber() });
    const other = await create({ phone: newNumber() });
    expect(await update(mine.id, { phone: mine.phone })).toMatchObject({ status: 200 });
    const answer = await update(mine.id, { phone: other.phone });
    expect(answer.status).toBe(409);
    expect(errorOf(answer)).toMatchObject({ code: 'contact_exists', existing_id: other.id });
  });

  test('deletes a contact and keeps its messages', async () => {
    const to = newNumber();
    const { id: messageId } = await service.read('sendMessage', { body: parcelMessage(to) });
    const sent = await service.read('getMessage', { id: messageId });
    const id = String(sent.contact?.id);
    expect(await service.request('deleteContact', { id })).toMatchObject({ status: 204 });
    expect(await service.request('getContact', { id })).toMatchObject({ status: 404 });
    expect(await service.request('deleteContact', { id })).toMatchObject({ status: 404 });
    expect(await service.read('getMessage', { id: messageId })).toMatchObject({ contact: null, to });
    expect(await service.read('getConversation', { id: String(sent.conversation_id) })).toMatchObject({
      contact: null,
      message_count: 1,
    });
    expect(await service.request('listContacts', { query: { query: to } })).toMatchObject({
      body: { data: [] },
    });
  });
});

describe('messages', () => {
  const service = new Running();

  const send = (content: object) => service.request('sendMessage', { body: content });

  const good = parcelMessage('+12025550123');
  const variables = (values: object) => ({ ...good, variables: { ...good.variables, ...values } });

  const invalid = 'validation_failed';

  test.each([
    ['a number without a plus', { ...good, to: '12025550123' }, invalid, 'to'],
    ['a channel that does not exist', { ...good, channel: 'pigeon' }, invalid, 'channel'],
    ['a channel named after an object property', { ...good, channel: 'constructor' }, invalid, 'channel'],
    ['no template', { channel: 'whatsapp', to: good.to }, invalid, 'template'],
    ['an unknown template', { ...good, template: 'parcel_lost' }, 'template_not_found', 'template'],
    ['a template of another channel', { ...good, channel: 'sms' }, 'template_not_found', 'template'],
    ['a template that waits', { ...good, template: 'summer_promotion' }, 'template_not_approved', 'template'],
    ['a variable left empty', variables({ parcel_id: '' }), 'template_variables_missing', 'variables.parcel_id'],
    ['an unknown variable', variables({ colour: 'red' }), invalid, 'variables.colour'],
    ['a field that the call does not have', { ...good, language: 'nl' }, invalid, 'language'],
    ['a time in words', variables({ arrival_time: 'half past two' }), invalid, 'variables.arrival_time'],
    ['a time that does not exist', variables({ arrival_time: '24:00' }), invalid, 'variables.arrival_time'],
    ['a value that is a number', variables({ parcel_id: 20418 }), invalid, expect.stringMatching(/^variables/)],
    ['a number that cannot be reached', parcelMessage(specialNumbers.unreachable), 'recipient_unreachable', 'to'],
    ['a number that opted out', parcelMessage(specialNumbers.optedOut), 'recipient_opted_out', 'to'],
  ])('refuses %s', async (_, content, code, field) => {
    const answer = await send(content);
    expect(answer.status).toBe(422);
    expect(errorOf(answer)).toMatchObject({ code, field });
  });

  test('refuses several variables at once, and names each', async () => {
    const { details } = errorOf(await send(variables({ parcel_id: '', arrival_time: '' })));
    expect(details).toMatchObject([{ field: 'variables.parcel_id' }, { field: 'variables.arrival_time' }]);
  });

  test('refuses a contact who has opted out', async () => {
    const phone = newNumber();
    await service.read('createContact', { body: { phone, consent: 'opted_out' } });
    expect(errorOf(await send(parcelMessage(phone)))).toMatchObject({ code: 'recipient_opted_out' });
  });
});

describe('templates', () => {
  const service = new Running();

  const values = { parcel_id: 'PX-1', parcel_point: 'Quay Street 12', pickup_date: '2026-06-19' };
  const inEnglish = 'Your parcel PX-1 is ready at Quay Street 12. We keep it until 2026-06-19.';

  const send = (to: string, content: object = {}) =>
    service.request('sendMessage', {
      body: { channel: 'whatsapp', to, template: 'parcel_ready', variables: values, ...content },
    });

  const customerWith = async (language?: string): Promise<string> => {
    const phone = newNumber();
    await service.request('createContact', { body: { phone, ...(language && { language }) } });
    return phone;
  };

  test.each([
    ['nl', 'Uw pakket PX-1 ligt tot en met 2026-06-19 klaar bij Quay Street 12.'],
    ['nl-BE', 'Uw pakket PX-1 ligt tot en met 2026-06-19 klaar bij Quay Street 12.'],
    ['de', 'Ihr Paket PX-1 liegt für Sie bereit: Quay Street 12.'],
    ['en', inEnglish],
    ['pl', inEnglish],
    [undefined, inEnglish],
  ])("a contact whose language is %s gets the text in it, else in the workspace's", async (language, text) => {
    expect((await send(await customerWith(language))).body).toMatchObject({ text });
  });
});

describe('seed data', () => {
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

  test('has over 200 contacts with valid numbers that are reserved for fiction', async () => {
    const contacts = await readAll((input) => service.read('listContacts', input));
    const phones = contacts.flatMap(({ phone }) => phone ?? []);
    expect(contacts.length).toBeGreaterThan(200);
    expect(phones.filter((phone) => !isValidPhoneNumber(phone))).toEqual([]);
    expect(phones.filter((phone) => !/^\+1\d{3}55501\d{2}$/.test(phone))).toEqual([]);
    expect(contacts.some(({ consent }) => consent === 'opted_out')).toBe(true);
  });

  test('has a value for every field of the contract in some record, except for messages that fail and buttons', async () => {
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
    expect(empty).toEqual(['Message error', 'Message button', 'Message failed_at']);
  });

  test('closes no conversation in its first two hours, so that a slow run reads the same', async () => {
    const sandbox = await startSeeded({ speed: 1 });
    const account = { url: sandbox.url, token: sandbox.tokens.advanced };
    const query = { status: ['open'], limit: 100 };
    const { body } = await requestFrom(account, 'listConversations', { query }).finally(sandbox.stop);
    const { data } = z.object({ data: z.array(conversation.schema) }).parse(body);
    const quiet = data.filter(({ last_message_at: time }) => Date.parse(time ?? '') < Date.now() - 23 * hour);
    expect(data).not.toEqual([]);
    expect(quiet).toEqual([]);
  });
});
