import * as z from 'zod/mini';
import { startZapier, type Zapier } from '../../playground/zapier';
import { contact, message } from '../../src/api/resources';
import { newNumber, Running } from '../sandbox/running';
import { causesIn, controlOf, nextStart, records, withId } from './causes';

const running = new Running();
let zapier: Zapier;

beforeAll(async () => {
  zapier = await startZapier({ base_url: running.url, api_token: running.sandbox.tokens.advanced });
});

afterAll(() => zapier.stop());

const control = controlOf(running);

test.each(causesIn(running))(
  '%s starts a Zap with the real thing, and its test step shows the same',
  async (trigger, inputData, cause, like) => {
    const zap = await zapier.turnOn(trigger, inputData);
    await cause();
    const started = await nextStart(zap);
    expect(started).toMatchObject(like);
    const listed = records.parse(await zapier.run(`triggers.${trigger}.operation.performList`, { inputData }));
    expect(listed.length).toBeGreaterThan(0);
    for (const record of listed) expect(Object.keys(record).sort()).toEqual(Object.keys(started).sort());
    await zap.turnOff();
    const { data } = z.object({ data: records }).parse((await running.call('GET', '/v1/webhooks')).body);
    expect(data.map(({ id }) => id)).not.toContain(withId.parse(zap.subscribeData).id);
  },
);

test('two Zaps get the same message once each, and one that is turned off leaves the other alone', async () => {
  const [first, second] = [await zapier.turnOn('message_received'), await zapier.turnOn('message_received')];
  await control('/messages', { from: newNumber(), text: 'one' });
  expect([await first.nextRun(), await second.nextRun()]).toMatchObject([[{ text: 'one' }], [{ text: 'one' }]]);
  await first.turnOff();
  await control('/messages', { from: newNumber(), text: 'two' });
  await expect(second.nextRun()).resolves.toMatchObject([{ text: 'two' }]);
  await second.turnOff();
});

test('a delivery that comes twice starts a Zap once', async () => {
  const zap = await zapier.turnOn('message_received');
  await control('/messages', { from: newNumber(), text: 'once' });
  await expect(zap.nextRun()).resolves.toMatchObject([{ text: 'once' }]);
  const sent = z.object({ data: z.array(z.looseObject({ id: z.unknown() })) });
  const { id } = withId.parse(zap.subscribeData);
  const [delivered] = sent.parse((await running.control('GET', `/deliveries?webhook_id=${id}`)).body).data;
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

test('new_contact finds a contact that was just added, and pages through all of them', async () => {
  const added = contact.schema.parse(
    (await running.call('POST', '/v1/contacts', { phone: newNumber(), tags: ['fresh'] })).body,
  );
  const poll = async (inputData: object) =>
    records.parse(await zapier.run('triggers.new_contact.operation.perform', { inputData: { ...inputData } }));
  expect((await poll({}))[0]).toEqual(added);
  expect(await poll({})).toHaveLength(100);
  expect(await poll({ tag: 'fresh' })).toEqual([added]);
});

test.each([
  ['growth', undefined, 'Instant triggers need the Advanced plan, '],
  ['starter', undefined, 'The API needs the Growth plan or above.'],
  ['advanced', ['messages:read'], 'doesn\'t have the scope \\"webhooks:write\\"'],
])(
  'a workspace or token that cannot have instant triggers is told why (%s, scopes %j)',
  async (plan, scopes, words) => {
    const { token } = z
      .object({ token: z.string() })
      .parse((await running.control('POST', '/tokens', { plan, scopes })).body);
    const bundle = { authData: { base_url: running.url, api_token: token }, targetUrl: 'https://hooks.example.com/1/' };
    await expect(zapier.run('triggers.message_received.operation.performSubscribe', bundle)).rejects.toThrow(words);
  },
);

test.each(['list_channels', 'list_templates', 'list_campaigns', 'list_contacts'])(
  'the dropdown behind %s has rows',
  async (trigger) => {
    const rows = await zapier.run(`triggers.${trigger}.operation.perform`);
    expect(z.array(z.strictObject({ id: z.string(), name: z.string() })).parse(rows).length).toBeGreaterThan(1);
  },
);

test('no message that this service gives lacks a field of the contract', async () => {
  const [listed] = records.parse(await zapier.run('triggers.message_received.operation.performList'));
  expect(Object.keys(listed ?? {}).sort()).toEqual(Object.keys(message.sample).sort());
});
