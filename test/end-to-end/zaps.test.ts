import * as z from 'zod/mini';
import app from '../../src';
import { contact, message } from '../../src/api/resources';
import { receivedCalls } from '../support/received';
import { controlOf, newNumber, Running, withId } from '../support/running';
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

const control = controlOf(running);

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
      { contact: { id }, transcript: expect.stringMatching(/\] From @rosa\.k: Where is my parcel\?$/) },
    ]);
    await create('update_contact', { contact: id, first_name: 'Rosa' });
    expect(await search('find_contact', { name: 'Rosa' })).toMatchObject([{ id, username: 'rosa.k' }]);
    const form = { channel: 'whatsapp', template: 'opening_hours' };
    await expect(create('send_message', { ...form, to: started?.from })).rejects.toThrow(
      'Phone Number: the value for this run is empty, so nothing was sent.',
    );
    await expect(create('delete_contact', { contact: id })).resolves.toEqual({ id, deleted: true });
    await expect(search('find_conversation_history', { contact: id })).rejects.toThrow(
      "Contact: the messaging service doesn't have this record, perhaps because it was deleted.",
    );
  });
});
