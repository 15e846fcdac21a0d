import { conversation, message } from '../../../src/api/resources';
import { eventually, newNumber, Running } from '../../support/running';

const service = new Running();

const find = (id: string) => service.read('getConversation', { id });
const control = async (path: string, content?: object) => service.control('POST', `/conversations${path}`, content);
const write = async (from: string, text = 'Hello') =>
  message.schema.parse((await service.control('POST', '/messages', { from, text })).body);

test('opens when a customer writes for the first time', async () => {
  const from = newNumber();
  const received = await write(from, 'Where is my parcel?');
  expect(received).toMatchObject({
    direction: 'inbound',
    status: 'received',
    source: 'contact',
    from,
    text: 'Where is my parcel?',
    template: null,
    contact: { phone: from },
  });
  expect(await find(received.conversation_id ?? '')).toMatchObject({ status: 'open', message_count: 1 });
});

test('is one per customer and channel', async () => {
  const from = newNumber();
  const { conversation_id } = await write(from);
  expect((await write(from)).conversation_id).toBe(conversation_id);
  const bySms = await service.control('POST', '/messages', { from, text: 'Hello', channel: 'sms' });
  expect(message.schema.parse(bySms.body).conversation_id).not.toBe(conversation_id);
});

test('closes and reopens by a control call, and reopens when the customer writes', async () => {
  const from = newNumber();
  const { conversation_id: id } = await write(from);
  expect(await control(`/${id}/close`)).toMatchObject({ status: 200, body: { id, status: 'closed' } });
  expect((await find(id ?? '')).closed_at).toEqual(expect.any(String));
  expect(await control(`/${id}/close`)).toMatchObject({ status: 422 });
  expect(await control(`/${id}/reopen`)).toMatchObject({ body: { id, status: 'open', closed_at: null } });
  await control(`/${id}/close`);
  expect((await write(from)).conversation_id).toBe(id);
  expect(await find(id ?? '')).toMatchObject({ status: 'open', closed_at: null, message_count: 2 });
});

test('opens without a message, and sends what a colleague writes', async () => {
  const from = newNumber();
  const opened = conversation.schema.parse((await control('', { from })).body);
  expect(opened).toMatchObject({ status: 'open', message_count: 0, contact: { phone: from } });
  const written = await control(`/${opened.id}/messages`, { text: 'How can we help?' });
  expect(written).toMatchObject({
    status: 201,
    body: { direction: 'outbound', source: 'colleague', status: 'queued', to: from, text: 'How can we help?' },
  });
  const { id } = message.schema.parse(written.body);
  await eventually(async () => expect(await service.read('getMessage', { id })).toMatchObject({ status: 'read' }));
});

test('closes after a day without messages', async () => {
  const { conversation_id: id } = await write(newNumber());
  await service.advance(23 * 3600);
  expect(await find(id ?? '')).toMatchObject({ status: 'open' });
  await service.advance(2 * 3600);
  const { status, closed_at, last_message_at } = await find(id ?? '');
  expect(status).toBe('closed');
  expect(Date.parse(closed_at ?? '') - Date.parse(last_message_at ?? '')).toBe(24 * 3600 * 1000);
});

test('takes messages for the workspace of another plan', async () => {
  const { body } = await service.control('POST', '/messages', { workspace: 'growth', from: newNumber(), text: 'Hi' });
  const { id } = message.schema.parse(body);
  expect(await service.request('getMessage', { id })).toMatchObject({ status: 404 });
  const authorization = `Bearer ${service.sandbox.tokens.growth}`;
  expect(await service.request('getMessage', { id }, { authorization })).toMatchObject({ status: 200 });
});

test.each([
  ['a number that is not E.164', { from: '2025550123', text: 'Hi' }],
  ['a channel that does not exist', { from: '+12025550123', text: 'Hi', channel: 'pigeon' }],
  ['a field that does not exist', { from: '+12025550123', text: 'Hi', to: '+31' }],
  ['no text', { from: '+12025550123' }],
])('refuses a customer message with %s', async (_, content) => {
  expect(await service.control('POST', '/messages', content)).toMatchObject({ status: 422 });
});
