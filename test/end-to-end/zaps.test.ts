import * as z from 'zod/mini';
import app from '../../src';
import { encodeDelivery } from '../../src/api/encode';
import { endpoints } from '../../src/api/endpoints';
import { campaign, campaignRun, contact, message } from '../../src/api/resources';
import { fromWire } from '../../src/api/translate';
import { pathOf } from '../support/calls';
import { receivedCalls } from '../support/received';
import { controlOf, newNumber, Running, withId } from '../support/running';
import { reachable } from '../support/triggered';
import { type LiveTrigger, startZapier, type Zapier } from '../support/zapier';

const running = new Running();
let zapier: Zapier;

beforeAll(async () => {
  const authData = {
    base_url: running.url,
    api_token: running.sandbox.tokens.advanced,
    default_country: 'US',
    ai_agents: 'everything',
  };
  zapier = await startZapier({ authData });
});

afterAll(() => zapier.stop());

type Bundle = Parameters<Zapier['run']>[1];

const create = (key: string, inputData: Record<string, unknown>, bundle: Bundle = {}) =>
  zapier.run(`creates.${key}.operation.perform`, { inputData, ...bundle });

const search = async (key: string, inputData: Record<string, unknown>) =>
  z.array(z.looseObject({})).parse(await zapier.run(`searches.${key}.operation.perform`, { inputData }));

const requests = async () => (await receivedCalls(running.sandbox)).map(({ call }) => call);

beforeEach(async () => {
  await running.control('DELETE', '/requests');
});

const template = { channel: 'whatsapp', template: 'parcel_out_for_delivery' };

const control = controlOf(running);

/** What a trigger gives. */
const records = z.array(withId);

const sent = z.object({ data: z.array(z.looseObject({ id: z.unknown() })) });

const deliveriesTo = async ({ subscribeData }: LiveTrigger) => {
  const { id } = withId.parse(subscribeData);
  return sent.parse((await running.control('GET', `/deliveries?webhook_id=${id}`)).body).data;
};

test('two Zaps get the same message once each, and one that is turned off leaves the other alone', async () => {
  const [first, second] = [await zapier.turnOn('message_received'), await zapier.turnOn('message_received')];
  await control('/messages', { from: newNumber(), text: 'one' });
  expect([await first.nextRun(), await second.nextRun()]).toMatchObject([[{ text: 'one' }], [{ text: 'one' }]]);
  await first.turnOff();
  await control('/messages', { from: newNumber(), text: 'two' });
  await expect(second.nextRun()).resolves.toMatchObject([{ text: 'two' }]);
  // Everything that is due by now has been sent.
  await running.advance(0);
  expect([(await deliveriesTo(first)).length, (await deliveriesTo(second)).length]).toEqual([1, 2]);
  await second.turnOff();
});

test('a delivery that comes twice starts a Zap once', async () => {
  const zap = await zapier.turnOn('message_received');
  await control('/messages', { from: newNumber(), text: 'once' });
  await expect(zap.nextRun()).resolves.toMatchObject([{ text: 'once' }]);
  const [delivered] = await deliveriesTo(zap);
  await running.control('POST', `/deliveries/${delivered?.id}/again`);
  await expect(zap.nextRun()).resolves.toEqual([]);
  await zap.turnOff();
});

test('a secret that is rotated keeps a Zap running, since the old one signs along', async () => {
  const zap = await zapier.turnOn('message_received');
  await running.control('POST', `/webhooks/${withId.parse(zap.subscribeData).id}/rotate-secret`);
  await control('/messages', { from: newNumber(), text: 'still here' });
  await expect(zap.nextRun()).resolves.toMatchObject([{ text: 'still here' }]);
  await zap.turnOff();
});

test('new_contact finds a contact that was just added, among 100 of them', async () => {
  const { body } = await running.request('createContact', { body: { phone: newNumber(), tags: ['fresh'] } });
  const added = reachable(contact.schema.parse(body));
  const poll = async (inputData: object) =>
    records.parse(await zapier.run('triggers.new_contact.operation.perform', { inputData: { ...inputData } }));
  expect((await poll({}))[0]).toEqual(added);
  expect(await poll({})).toHaveLength(100);
  expect(await poll({ tag: 'fresh' })).toEqual([added]);
});

describe('Find or Create Contact', () => {
  const { search: searchKey, create: createKey } = z
    .object({ search: z.string(), create: z.string() })
    .parse(app.searchOrCreates?.find_contact);

  /** Runs both halves with the same form, as Zapier does. */
  const findOrCreate = async (inputData: Record<string, unknown>) =>
    contact.schema.parse((await search(searchKey, inputData))[0] ?? (await create(createKey, inputData)));

  const found = 'listContacts';
  const created = 'createContact';

  test('creates an unknown person once', async () => {
    const person = { phone: newNumber(), email: 'cleo@example.com', first_name: 'Cleo' };
    const { id } = await findOrCreate(person);
    await expect(findOrCreate(person)).resolves.toMatchObject({ id, first_name: 'Cleo' });
    await expect(requests()).resolves.toEqual([found, found, created, found]);
  });

  test.each(['n/a', '+12025550'])('finds a known person by email when the phone number is %s', async (phone) => {
    const email = `dana${phone.length}@example.com`;
    const { id } = await findOrCreate({ email });
    await expect(findOrCreate({ email, phone })).resolves.toMatchObject({ id });
    await expect(requests()).resolves.toEqual([found, created, found]);
  });

  test('finds a known person who has another phone number', async () => {
    const email = 'eli@example.com';
    const { id, phone } = await findOrCreate({ email, phone: newNumber() });
    await expect(findOrCreate({ email, phone: newNumber() })).resolves.toMatchObject({ id, phone });
  });

  test('stops at two people with the same name, and creates no third', async () => {
    const name = { name: 'Fay Twin', first_name: 'Fay', last_name: 'Twin' };
    for (const phone of [newNumber(), newNumber()]) await create(createKey, { ...name, phone });
    await expect(findOrCreate(name)).rejects.toThrow('Name: several contacts match equally well');
    await expect(requests()).resolves.toEqual([created, created, found]);
  });

  test('creates no one from an unreadable phone number alone, and looks for no name', async () => {
    await create(createKey, { phone: newNumber(), first_name: 'Gus' });
    await expect(findOrCreate({ phone: 'n/a', name: 'Gus', first_name: 'Gus' })).rejects.toThrow('Phone Number: "n/a"');
    await expect(requests()).resolves.toEqual([created]);
  });
});

describe('send_message', () => {
  const fields = z.array(
    z.looseObject({ key: z.string(), meta: z.optional(z.record(z.string(), z.union([z.string(), z.boolean()]))) }),
  );

  test('fills in the form of a real template and sends it in two requests', async () => {
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
    expect(await requests()).toEqual(['listTemplates', 'sendMessage']);
    expect(await running.read('getMessage', { id: sent.id })).toMatchObject({
      to,
      text: 'Your parcel PX-1 arrives today at about 14:30.',
    });
  });

  test('never sends the same message twice with one value of Send Once for Each, also at the same moment', async () => {
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
});

describe('send_message_and_wait', () => {
  const waiting = z.object({ webhook_id: z.string(), recipient: z.string(), sent: message.schema });
  const write = (from: string, text: string) => control('/messages', { from, text });
  const listedWebhooks = async () =>
    z.object({ data: z.array(withId) }).parse((await running.request('listWebhooks')).body).data;

  test('checks, sends, watches, goes on with the first reply, and tidies up', async () => {
    const to = newNumber();
    const variables = { parcel_id: 'PX-1', arrival_time: '2 pm' };
    await write(to, 'Hello?');
    await running.control('DELETE', '/requests');
    // Zapier creates the callback address. Here, the simulated Zapier receives the delivery.
    const callback = await zapier.turnOn('message_received');
    await running.control('DELETE', '/requests');
    const outputData = waiting.parse(await create('send_message_and_wait', { ...template, to, variables }));
    expect(await requests()).toEqual(['listTemplates', 'listWebhooks', 'sendMessage', 'createWebhook']);
    await write(to, 'Leave it with the neighbors');
    const [started] = z.array(message.schema).parse(await callback.nextRun());
    const { has_phone_number: _, summary_line: __, ...delivered } = { ...started };
    await write(to, 'Please');
    await callback.turnOff();
    await running.control('DELETE', '/requests');
    const resumed = await zapier.run('creates.send_message_and_wait.operation.performResume', {
      outputData,
      cleanedRequest: encodeDelivery({
        id: 'evt_1',
        type: 'message.received',
        created_at: started?.created_at,
        data: delivered,
      }),
    });
    expect(resumed).toMatchObject({
      reply_text: 'Leave it with the neighbors',
      reply: { id: delivered.id, contact: delivered.contact, from: to, text: delivered.text },
      sent: { id: outputData.sent.id, text: outputData.sent.text },
    });
    expect(await requests()).toEqual(['listMessages', 'deleteWebhook']);
    expect(await listedWebhooks()).toEqual([]);
  });

  test('takes one reply for the later of two questions, as Find Reply does', async () => {
    const to = newNumber();
    const ask = async (parcel_id: string) => {
      const variables = { parcel_id, arrival_time: '2 pm' };
      return waiting.parse(await create('send_message_and_wait', { ...template, to, variables }));
    };
    const waits = [await ask('PX-1'), await ask('PX-2')];
    const data = await write(to, 'Yes');
    const goOn = async (outputData: object) =>
      zapier.run('creates.send_message_and_wait.operation.performResume', {
        outputData,
        cleanedRequest: encodeDelivery({ id: 'evt_1', type: 'message.received', data: Object(data).body }),
      });
    const find = async ({ sent: { id } }: z.output<typeof waiting>) => search('find_reply', { message: id });
    const [first, second] = waits;
    if (!first || !second) throw new Error('Two steps wait.');
    await expect(find(first)).resolves.toMatchObject([{ reply_text: 'Yes', answers_another: true }]);
    await expect(goOn(first)).rejects.toThrow('may answer another message of yours');
    await expect(find(second)).resolves.toMatchObject([{ reply_text: 'Yes', answers_another: false }]);
    await expect(goOn(second)).resolves.toMatchObject({ reply_text: 'Yes' });
    expect(await listedWebhooks()).toEqual([]);
  });
});

describe('start_campaign', () => {
  const startable = async () => {
    const [found] = await search('find_campaign', { name: 'Weekend parcel points' });
    return campaign.schema.parse(found);
  };

  test('starts it for the saved audience within the limit, and for one recipient with variables', async () => {
    const { id, audience_size: size } = await startable();
    const saved = { campaign: id, audience: 'saved' };
    await expect(create('start_campaign', { ...saved, max_recipients: Number(size) - 1 })).rejects.toThrow(
      `the audience has ${size} people`,
    );
    const all = await create('start_campaign', { ...saved, max_recipients: size });
    // Who has opted out since the audience was counted gets nothing.
    expect(campaignRun.schema.parse(all).recipients).toBeLessThanOrEqual(Number(size));
    const inputData = { campaign: id, audience: 'one' };
    const fields = z.array(z.looseObject({ key: z.string() }));
    const form = fields.parse(await zapier.run('creates.start_campaign.operation.inputFields', { inputData }));
    expect(form.map(({ key }) => key)).toEqual([
      'campaign',
      'audience',
      'to',
      'test_recipient',
      'template_text',
      'deduplication_key',
    ]);
    const one = await create('start_campaign', { ...inputData, to: newNumber() });
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
      `Another contact (${created.id}) already has this phone number or email`,
    );
    expect(await search('find_contact', { phone: phone.replace('+1', '') })).toEqual([created]);
    expect(await search('find_contact', { name: 'Wilhelmina' })).toEqual([created]);
    const changes = { contact: created.id, last_name: 'Bos', add_tags: ['old'], remove_tags: ['new'] };
    const changed = contact.schema.parse(await create('update_contact', changes));
    expect(changed).toMatchObject({ first_name: 'Wilhelmina', last_name: 'Bos', tags: ['vip', 'old'] });
    const asked = await create('call_api', { method: 'GET', path: pathOf('getContact', { id: created.id }) });
    expect(fromWire(endpoints.getContact.response, Object(asked).response)).toEqual({
      ...changed,
      has_phone_number: undefined,
    });
    await expect(create('delete_contact', { contact: created.id })).resolves.toEqual({ id: created.id, deleted: true });
    expect(await search('find_contact', { phone })).toEqual([]);
    await expect(create('update_contact', changes)).rejects.toThrow(
      "Contact: the messaging service doesn't have this record",
    );
  });

  test('who hide their number start Zaps, and are found, changed and deleted by contact ID', async () => {
    const subscription = await zapier.turnOn('message_received');
    await running.control('POST', '/messages', { username: 'rosa.k', text: 'Where is my parcel?' });
    const [started] = z.array(message.schema).parse(await subscription.nextRun());
    await subscription.turnOff();
    const id = started?.contact?.id;
    expect(started).toMatchObject({
      from: null,
      contact: { phone: null, username: 'rosa.k' },
      has_phone_number: false,
    });
    expect(await search('find_conversation_history', { contact: id })).toMatchObject([
      { contact: { id }, transcript: expect.stringMatching(/\] @rosa\.k: Where is my parcel\?$/) },
    ]);
    await create('update_contact', { contact: id, first_name: 'Rosa' });
    expect(await search('find_contact', { name: 'Rosa' })).toMatchObject([{ id, username: 'rosa.k' }]);
    const form = { channel: 'whatsapp', template: 'opening_hours' };
    await expect(create('send_message', { ...form, to: started?.from })).rejects.toThrow(
      'Phone Number: the value for this run is empty, so nothing was sent.',
    );
    await expect(create('delete_contact', { contact: id })).resolves.toEqual({ id, deleted: true });
    expect(await search('find_conversation_history', { contact: id })).toEqual([]);
  });

  test.each(['keep', 'replace', 'stop'])(
    'with the phone number of one and the email of another are not merged: %s',
    async (on_difference) => {
      const [phone, email] = [newNumber(), `${on_difference}@example.com`];
      const byPhone = contact.schema.parse(await create('create_contact', { phone, first_name: 'Hal' }));
      const byEmail = contact.schema.parse(await create('create_contact', { email, first_name: 'Ida' }));
      await expect(
        create('create_or_update_contact', { phone, email, first_name: 'Joe', on_difference }),
      ).rejects.toThrow('Phone Number and Email: they belong to different contacts, so nothing was changed.');
      expect(await search('find_contact', { phone })).toEqual([byPhone]);
      expect(await search('find_contact', { email })).toEqual([byEmail]);
    },
  );

  test('found by email keep their phone number and stay opted out, unless the form replaces the number', async () => {
    const email = 'kim@example.com';
    const person = { phone: newNumber(), email, consent: 'opted_out' };
    const { id } = contact.schema.parse(await create('create_contact', person));
    const form = { phone: newNumber(), email, first_name: 'Kim', consent: 'opted_in' };
    const kept = await create('create_or_update_contact', form);
    expect(kept).toMatchObject({ ...person, id, first_name: 'Kim' });
    await expect(create('create_or_update_contact', { ...form, on_difference: 'stop' })).rejects.toThrow(
      'has another phone number',
    );
    expect(await search('find_contact', { email })).toEqual([kept]);
    const replaced = await create('create_or_update_contact', {
      ...form,
      on_difference: 'Replace it with the new one',
    });
    expect(replaced).toMatchObject({ id, phone: form.phone, consent: 'opted_out' });
  });
});
