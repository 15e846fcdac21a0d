/** A service that lacks fields, events, filters and a list, and whose update replaces the tags of a contact. */
import app from '../../src';
import type { Missing } from '../../src/api/endpoints';
import { message, webhook } from '../../src/api/resources';
import type { Hooks } from '../../src/api/transport';
import { deliveryOf, signed, subscribeData } from '../support/deliveries';
import { authData, expectCall, recordCalls } from '../support/service';
import { runStep } from '../support/zapier';

jest.mock('../../src/api/service', () => {
  const { contract } = jest.requireActual<typeof import('../../src/api/presets')>('../../src/api/presets');
  const missing: Missing = {
    calls: ['listMessages', 'listWebhooks'],
    events: ['message.read'],
    filters: ['webhook.channel', 'listContacts.tag'],
    fields: ['contact.consent', 'contact.created_at', 'contact.language', 'message.source', 'message.status'],
  };
  const hooks: Hooks = {
    updateContact: {
      request: async ({ body }, read) => {
        const { add_tags = [], ...others } = Object(body);
        const { tags } = Object(await read('/v1/contacts/{id}'));
        return { body: { ...others, tags: [...tags, ...add_tags] } };
      },
    },
  };
  return { ...contract, hooks, keepsIdempotencyKeys: true, missing };
});

const keysOf = (fields: readonly object[] = []): string[] =>
  fields.flatMap((each) => ('key' in each ? String(each.key) : []));
const formOf = (step: { operation: { inputFields?: readonly object[] } } | undefined) =>
  keysOf(step?.operation.inputFields);

test('a form takes no field of a contact that nobody would keep, such as an opt-out', () => {
  for (const key of ['create_contact', 'create_or_update_contact', 'update_contact']) {
    expect(formOf(app.creates[key])).toContain('attributes');
    expect(formOf(app.creates[key])).not.toContain('consent');
  }
  const clear = app.creates.update_contact?.operation.inputFields?.find(
    (field) => 'key' in field && field.key === 'clear',
  );
  expect(clear).toMatchObject({ choices: ['first_name', 'last_name', 'email', 'phone'].map((value) => ({ value })) });
  expect(formOf(app.searches.find_contacts)).toEqual(expect.arrayContaining(['tag']));
  expect(formOf(app.searches.find_contacts)).not.toContain('consent');
});

test('a value that the form no longer asks for stops the step instead of being lost', async () => {
  const inputData = { contact: 'con_1', first_name: 'Noor', consent: 'opted_out' };
  await expect(runStep('creates.update_contact.operation.perform', { authData, inputData })).rejects.toMatchObject({
    name: 'HaltedError',
    message: "Consent: the messaging service doesn't keep this, so nothing was changed. Leave it out.",
  });
});

test('a result shows no field that the service lacks', () => {
  const { outputFields, sample } = app.creates.create_contact?.operation ?? {};
  expect(keysOf(outputFields as object[])).not.toContain('consent');
  expect(sample).not.toHaveProperty('consent');
  expect(sample).toHaveProperty('tags');
  expect(app.triggers.message_received?.operation.sample).not.toHaveProperty('source');
});

test('a step is left out that would say of each message that it has not arrived', () => {
  expect(app.searches).not.toHaveProperty('find_message_status');
});

test('a trigger is left out that would never start, or start on what its own Zap sends', () => {
  expect(Object.keys(app.triggers)).toEqual(expect.arrayContaining(['message_received', 'message_status_updated']));
  expect(app.triggers).not.toHaveProperty('contact_opted_out');
  expect(app.triggers).not.toHaveProperty('new_contact');
  expect(app.triggers).not.toHaveProperty('message_sent');
});

test('without the list of messages, the test step shows the example, and without the list of webhooks it asks nobody', async () => {
  await expect(
    runStep('triggers.message_received.operation.performList', { authData, inputData: {} }),
  ).resolves.toMatchObject([{ ...app.triggers.message_received?.operation.sample }]);
});

test('a Zap asks for no event and no filter that the service lacks, and starts for any sender', async () => {
  const { secret } = subscribeData;
  expectCall('listChannels').reply(200, { data: [{ key: 'whatsapp', name: 'WhatsApp' }], next_cursor: null });
  const requests = recordCalls('createWebhook', {}, 201, { ...webhook.sample, secret });
  const inputData = { channel: 'whatsapp' };
  const path = 'triggers.message_status_updated.operation';
  await runStep(`${path}.performSubscribe`, { authData, inputData, targetUrl: 'https://hooks.zapier.com/1' });
  expect(requests).toMatchObject([{ body: { events: ['message.delivered', 'message.failed'] } }]);
  expect(JSON.stringify(requests[0]?.body)).not.toMatch(/"channel"|"source"/);
  const { source: _, ...record } = message.sample;
  const delivery = { ...deliveryOf('message.delivered'), data: record };
  await expect(
    runStep(`${path}.perform`, { authData, inputData, subscribeData, ...signed(delivery) }),
  ).resolves.toMatchObject([{ id: message.sample.id }]);
  expect(formOf(app.triggers.message_status_updated)).not.toContain('sources');
});

test('a hook reads a contact before it replaces its tags, and what it can not read stops the step', async () => {
  const update = (): Promise<unknown> =>
    runStep('creates.update_contact.operation.perform', {
      authData,
      inputData: { contact: 'con_1', add_tags: ['vip'] },
    });
  expectCall('getContact', { id: 'con_1' }).reply(200, { id: 'con_1', tags: ['old'] });
  const requests = recordCalls('updateContact', { id: 'con_1' }, 200, { id: 'con_1', tags: ['old', 'vip'] });
  await expect(update()).resolves.toMatchObject({ tags: ['old', 'vip'] });
  expect(requests).toMatchObject([{ body: { tags: ['old', 'vip'] } }]);
  expectCall('getContact', { id: 'con_1' }).reply(404, { error: { code: 'not_found', message: 'No' } });
  await expect(update()).rejects.toMatchObject({ name: 'HaltedError' });
  expect(requests).toHaveLength(1);
});
