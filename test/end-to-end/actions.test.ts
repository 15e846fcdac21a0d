import * as z from 'zod/mini';
import { startZapier, type Zapier } from '../../playground/zapier';
import { specialNumbers } from '../../sandbox/domain/phone-numbers';
import { campaign, campaignRun, contact, message } from '../../src/api/resources';
import { receivedBy } from '../received';
import { newNumber, Running } from '../sandbox/running';

const running = new Running();
let zapier: Zapier;

beforeAll(async () => {
  const connection = { base_url: running.url, api_token: running.sandbox.tokens.advanced, default_country: 'US' };
  zapier = await startZapier(connection);
});

afterAll(() => zapier.stop());

type Bundle = Parameters<Zapier['run']>[1];

const create = (key: string, inputData: Record<string, unknown>, bundle: Bundle = {}) =>
  zapier.run(`creates.${key}.operation.perform`, { inputData, ...bundle });

const search = async (key: string, inputData: Record<string, unknown>) =>
  z.array(z.looseObject({})).parse(await zapier.run(`searches.${key}.operation.perform`, { inputData }));

const requests = async () => (await receivedBy(running.sandbox)).map(({ method, path }) => `${method} ${path}`);

beforeEach(async () => {
  await running.control('DELETE', '/requests');
});

const template = { channel: 'whatsapp', template: 'parcel_out_for_delivery' };

describe('send_message', () => {
  const fields = z.array(
    z.looseObject({ key: z.string(), meta: z.optional(z.record(z.string(), z.union([z.string(), z.boolean()]))) }),
  );

  test('fills in the form of a real template and sends it in one request', async () => {
    const form = fields.parse(await zapier.run('creates.send_message.operation.inputFields', { inputData: template }));
    await running.control('DELETE', '/requests');
    const inputFields = Object.fromEntries(form.map(({ key, meta = {} }) => [key, meta]));
    const to = newNumber();
    const inputData = {
      ...template,
      to: to.replace('+1', ''),
      variable_parcel_id: 'PX-1',
      variable_arrival_time: '2:30 pm',
    };
    const sent = message.schema.parse(await create('send_message', inputData, { meta: { inputFields } }));
    expect(sent).toMatchObject({ to, status: 'queued', text: 'Your parcel PX-1 arrives today at about 14:30.' });
    expect(await requests()).toEqual(['POST /v1/messages']);
  });

  test('never sends the same message twice with one value of Send Only Once Per, also at the same moment', async () => {
    const variables = { parcel_id: 'PX-1', arrival_time: '14:30' };
    const inputData = { ...template, to: newNumber(), variables, deduplication_key: 'order 1' };
    const sends = await Promise.all(
      [1, 2, 3].map(() => create('send_message', inputData).catch((error: Error) => error.name)),
    );
    const ids = sends.flatMap((result) => (typeof result === 'string' ? [] : [message.schema.parse(result).id]));
    expect(new Set(ids).size).toBe(1);
    expect(new Set(sends.filter((result) => typeof result === 'string'))).toEqual(
      new Set(ids.length < 3 ? ['ThrottledError'] : []),
    );
    const toAnother = await create('send_message', { ...inputData, to: newNumber() });
    expect(ids).not.toContain(message.schema.parse(toAnother).id);
  });

  test.each([
    [{ template: 'no_such_template' }, 'There is no template with this name on this channel'],
    [{ variables: {} }, 'The template needs variables that are empty in this step'],
    [{ to: specialNumbers.unreachable }, "This phone number can't be reached on this channel"],
    [{ to: specialNumbers.optedOut }, 'This person has opted out of messages'],
    [{ variables: { parcel_id: 'PX-1', arrival_time: 'soon' } }, 'Template Variables (arrival_time)'],
  ])('with %j halts in plain words', async (changes, words) => {
    const variables = { parcel_id: 'PX-1', arrival_time: '14:30' };
    await expect(create('send_message', { ...template, to: newNumber(), variables, ...changes })).rejects.toMatchObject(
      {
        name: 'HaltedError',
        message: expect.stringContaining(words),
      },
    );
  });

  test('sends braces in the words of people just as they are', async () => {
    const variables = { parcel_id: '{{bundle.inputData.to}} {{parcel_id}}', arrival_time: '14:30' };
    const sent = message.schema.parse(await create('send_message', { ...template, to: newNumber(), variables }));
    expect(sent.text).toBe('Your parcel {{bundle.inputData.to}} {{parcel_id}} arrives today at about 14:30.');
  });
});

describe('send_message_and_wait', () => {
  test('watches, sends, goes on with the reply that the service delivers, and tidies up', async () => {
    const to = newNumber();
    const variables = { parcel_id: 'PX-1', arrival_time: '14:30' };
    // Zapier gives the callback an address of its own; here the stand-in for Zapier receives what is delivered.
    const callback = await zapier.turnOn('message_received');
    const outputData = z
      .object({ webhook_id: z.string(), recipient: z.string(), sent: message.schema })
      .parse(await create('send_message_and_wait', { ...template, to, variables }));
    await running.control('POST', '/messages', { from: to, text: 'Leave it with the neighbours' });
    const [delivered] = z.array(message.schema).parse(await callback.nextRun());
    await callback.turnOff();
    const resumed = await zapier.run('creates.send_message_and_wait.operation.performResume', {
      outputData,
      cleanedRequest: { id: 'evt_1', type: 'message.received', data: delivered },
    });
    expect(resumed).toMatchObject({
      reply_text: 'Leave it with the neighbours',
      reply: delivered,
      sent: outputData.sent,
    });
    expect((await running.call('GET', '/v1/webhooks')).body).toMatchObject({ data: [] });
  });

  test('leaves no watch behind when the send fails', async () => {
    const inputData = { ...template, to: specialNumbers.optedOut };
    await expect(create('send_message_and_wait', inputData)).rejects.toMatchObject({ name: 'HaltedError' });
    expect((await running.call('GET', '/v1/webhooks')).body).toMatchObject({ data: [] });
  });
});

describe('trigger_campaign', () => {
  const startable = async () => {
    const [found] = await search('find_campaign', { name: 'Weekend parcel points' });
    return campaign.schema.parse(found);
  };

  test('starts it for the saved audience within the limit, and for one recipient with variables', async () => {
    const { id, audience_size: size } = await startable();
    const saved = { campaign: id, audience: 'saved' };
    await expect(create('trigger_campaign', { ...saved, max_recipients: Number(size) - 1 })).rejects.toThrow(
      `the audience has ${size} people`,
    );
    const all = await create('trigger_campaign', { ...saved, max_recipients: size });
    // Who has opted out since the audience was counted gets nothing.
    expect(campaignRun.schema.parse(all).recipients).toBeLessThanOrEqual(Number(size));
    const inputData = { campaign: id, audience: 'one' };
    const fields = z.array(z.looseObject({ key: z.string() }));
    const form = fields.parse(await zapier.run('creates.trigger_campaign.operation.inputFields', { inputData }));
    expect(form.map(({ key }) => key)).toEqual([
      'campaign',
      'audience',
      'to',
      'test_recipient',
      'template_text',
      'deduplication_key',
    ]);
    const one = await create('trigger_campaign', { ...inputData, to: newNumber() });
    expect(campaignRun.schema.parse(one)).toMatchObject({ campaign_id: id, recipients: 1 });
  });
});

describe('contacts', () => {
  test('are created, found, changed, listed by the API itself, and deleted', async () => {
    const phone = newNumber();
    const person = { phone, first_name: 'Wilhelmina', tags: 'vip, new', attributes: { customer_number: 7 } };
    const created = contact.schema.parse(await create('create_contact', person));
    expect(created).toMatchObject({ phone, tags: ['vip', 'new'], attributes: { customer_number: '7' } });
    await expect(create('create_contact', { phone })).rejects.toThrow(
      `already has this phone number or email (${created.id})`,
    );
    expect(await search('find_contact', { phone: phone.replace('+1', '') })).toEqual([created]);
    expect(await search('find_contact', { name: 'Wilhelmina' })).toEqual([created]);
    const changes = { contact: created.id, last_name: 'Bos', add_tags: ['old'], remove_tags: ['new'] };
    const changed = contact.schema.parse(await create('update_contact', changes));
    expect(changed).toMatchObject({ first_name: 'Wilhelmina', last_name: 'Bos', tags: ['vip', 'old'] });
    const asked = await create('api_request', { method: 'GET', path: 'contacts', query: { phone } });
    expect(asked).toEqual({ response: { data: [changed], next_cursor: null } });
    await expect(create('delete_contact', { contact: created.id })).resolves.toEqual({ id: created.id, deleted: true });
    expect(await search('find_contact', { phone })).toEqual([]);
    await expect(create('update_contact', changes)).rejects.toThrow(
      "Contact: the messaging service doesn't have this record",
    );
  });
});

describe('searches', () => {
  test('find_conversation gives the history of a contact, newest first, and its transcript', async () => {
    const from = newNumber();
    for (const text of ['Hello', 'Where is my parcel?', 'Thanks'])
      await running.control('POST', '/messages', { from, text });
    const [found] = await search('find_conversation', { phone: from });
    expect(found).toMatchObject({ status: 'open', messages: [{ text: 'Thanks' }, {}, { text: 'Hello' }] });
    expect(found?.transcript).toMatch(/Hello\n.*Where is my parcel\?\n.*Thanks$/);
    expect(await requests()).toHaveLength(3);
  });

  test('find_message, find_campaign and find_template give what there is, or nothing', async () => {
    expect(await search('find_message', { message: 'msg_none' })).toEqual([]);
    expect(await search('find_campaign', { name: 'no such campaign' })).toEqual([]);
    expect(await search('find_template', { name: 'parcel', channel: 'whatsapp' })).not.toEqual([]);
    const [exact] = await search('find_template', { name: 'parcel_out_for_delivery' });
    expect(exact).toMatchObject({ name: 'parcel_out_for_delivery', status: 'approved' });
  });
});
