import * as z from 'zod/mini';
import app from '../../src';
import { encodeDelivery } from '../../src/api/encode';
import { contact, message } from '../../src/api/resources';
import { receivedCalls } from '../support/received';
import { controlOf, newNumber, Running, withId } from '../support/running';
import { reachable } from '../support/triggered';
import { startZapier, type Zapier } from '../support/zapier';

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

test('two Zaps get the same message once each, and one that is turned off leaves the other alone', async () => {
  const [first, second] = [await zapier.turnOn('message_received'), await zapier.turnOn('message_received')];
  await control('/messages', { from: newNumber(), text: 'one' });
  expect([await first.nextRun(), await second.nextRun()]).toMatchObject([[{ text: 'one' }], [{ text: 'one' }]]);
  await first.turnOff();
  await control('/messages', { from: newNumber(), text: 'two' });
  await expect(second.nextRun()).resolves.toMatchObject([{ text: 'two' }]);
  await second.turnOff();
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

  test.each([{ phone: 'n/a' }, { phone: '+12025550' }, { phone: '+12025550199' }])(
    'finds a known person by email whatever the phone number: %j',
    async (other) => {
      const email = `dana${other.phone.length}@example.com`;
      const { id } = await findOrCreate({ email });
      await expect(findOrCreate({ email, ...other })).resolves.toMatchObject({ id });
      await expect(requests()).resolves.toEqual([
        found,
        created,
        ...Array(other.phone.length > 10 ? 2 : 1).fill(found),
      ]);
    },
  );

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

describe('send_message_and_wait', () => {
  const waiting = z.object({ webhook_id: z.string(), recipient: z.string(), sent: message.schema });
  const write = (from: string, text: string) => control('/messages', { from, text });
  const listedWebhooks = async () =>
    z.object({ data: z.array(withId) }).parse((await running.request('listWebhooks')).body).data;

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

describe('contacts', () => {
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
});
