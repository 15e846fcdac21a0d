import { exampleConnection } from '../../../src/api/connection';
import { encode } from '../../../src/api/encode';
import { endpoints } from '../../../src/api/endpoints';
import { contact } from '../../../src/api/resources';
import { request } from '../../../src/api/service';
import { toWire } from '../../../src/api/translate';
import { pathOf } from '../../support/calls';
import { decodeAnswer, errorOf, newNumber, parcelMessage, Running } from '../../support/running';

const service = new Running();

const create = (content: object) => service.read('createContact', { body: content });
const update = (id: string, content: object) => service.request('updateContact', { id, body: content });

/** Writes a contact with its empty values, which other programs send, and the app doesn't. */
const writeAsIs = async (name: 'createContact' | 'updateContact', content: object, id?: string) => {
  const endpoint = endpoints[name];
  const { call } = encode(endpoint, { id }, exampleConnection);
  const { method, body } = request({ ...call, body: toWire(endpoint.body, content) });
  return decodeAnswer(name, await service.call(method, pathOf(name, { id }), body));
};

test('creates a contact with the given fields', async () => {
  const phone = newNumber();
  const given = { phone, first_name: 'Noor', language: 'nl', tags: ['vip', 'vip'], attributes: { floor: '3' } };
  const made = await service.request('createContact', { body: given });
  expect(made).toMatchObject({
    status: 201,
    body: { ...given, email: null, last_name: null, tags: ['vip'], consent: 'unknown' },
  });
  const { id } = contact.schema.parse(made.body);
  expect(await service.request('getContact', { id })).toMatchObject({ status: 200, body: made.body });
});

test('creates a contact with only an email address', async () => {
  expect(await create({ email: 'only@example.com' })).toMatchObject({ phone: null, email: 'only@example.com' });
});

test.each([
  ['neither phone number nor email address', { first_name: 'Noor' }, 'phone'],
  ['an empty phone number', { phone: '', email: 'noor@example.com' }, 'phone'],
  ['a phone number that is not E.164', { phone: '(202) 555-0123' }, 'phone'],
  ['an invalid email address', { email: 'noor at example.com' }, 'email'],
  ['the name of a language', { phone: '+12025550123', language: 'Dutch' }, 'language'],
  ['a consent that does not exist', { phone: '+12025550123', consent: 'maybe' }, 'consent'],
  ['a tag with a comma', { phone: '+12025550123', tags: ['a,b'] }, 'tags'],
  ['an attribute that is a number', { phone: '+12025550123', attributes: { floor: 3 } }, 'attributes.floor'],
])('refuses %s', async (_, content, field) => {
  const answer = await writeAsIs('createContact', content);
  expect(answer.status).toBe(422);
  expect(errorOf(answer)).toMatchObject({ code: 'validation_failed', field });
});

test('refuses an email address of 500,000 characters', async () => {
  const { id } = await create({ phone: newNumber() });
  expect(await update(id, { email: `noor@${'.'.repeat(500_000)}@` })).toMatchObject({ status: 422 });
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

test('refuses to remove the last of phone number and email address', async () => {
  const { id } = await create({ phone: newNumber() });
  const answer = await writeAsIs('updateContact', { phone: null }, id);
  expect(errorOf(answer)).toMatchObject({ code: 'validation_failed', field: 'phone' });
});

test('replaces, adds and removes tags', async () => {
  const { id } = await create({ phone: newNumber(), tags: ['one', 'two'] });
  expect(await update(id, { add_tags: ['three'], remove_tags: ['one'] })).toMatchObject({
    body: { tags: ['two', 'three'] },
  });
  expect(await service.request('listContacts', { query: { tag: 'three' } })).toMatchObject({
    body: { data: [{ id }] },
  });
  expect(await service.request('listContacts', { query: { tag: 'one' } })).toMatchObject({ body: { data: [] } });
  expect(await update(id, { tags: ['four'] })).toMatchObject({ body: { tags: ['four'] } });
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
