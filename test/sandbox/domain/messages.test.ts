import * as z from 'zod/mini';
import { specialNumbers } from '../../../sandbox/domain/phone-numbers';
import { errorOf, eventually, newNumber, parcelMessage, Running, withId } from '../../support/running';

const service = new Running();

const withRecord = z.looseObject({
  body: z.looseObject({ id: z.string(), conversation_id: z.string(), contact: z.looseObject({ id: z.string() }) }),
});

const send = (content: object) => service.request('sendMessage', { body: content });
const sent = (to: string) => service.read('sendMessage', { body: parcelMessage(to) });
const find = (id: string) => service.read('getMessage', { id });

test('is sent with its text, then delivered and read', async () => {
  const to = newNumber();
  const { id } = await sent(to);
  await eventually(async () =>
    expect(await find(id)).toMatchObject({
      status: 'read',
      direction: 'outbound',
      source: 'api',
      to,
      text: 'Your parcel PX-20418 arrives today at about 14:30.',
    }),
  );
  const { created_at, sent_at, delivered_at, read_at } = await find(id);
  const times = [created_at, sent_at, delivered_at, read_at];
  expect(times).toEqual(times.toSorted());
  expect(times.every((time) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time ?? ''))).toBe(true);
});

test('is read within a second by a customer who keeps the chat open', async () => {
  const from = newNumber();
  await service.control('POST', '/messages', { from, text: 'Where is my parcel?', stays_open: true });
  const { id } = await sent(from);
  await eventually(async () => expect(await find(id)).toMatchObject({ status: 'read' }));
  const { delivered_at, read_at } = await find(id);
  expect(Date.parse(`${read_at}`) - Date.parse(`${delivered_at}`)).toBeLessThanOrEqual(1000);
});

test('creates the contact and conversation that it needs', async () => {
  const to = newNumber();
  const first = await find((await sent(to)).id);
  const second = await find((await sent(to)).id);
  expect(second.conversation_id).toBe(first.conversation_id);
  const made = await service.read('getConversation', { id: String(first.conversation_id) });
  expect(made).toMatchObject({ status: 'open', channel: 'whatsapp', message_count: 2, contact: { phone: to } });
  expect(await service.read('getContact', { id: String(first.contact?.id) })).toMatchObject({ phone: to });
});

test('keeps braces in a value', async () => {
  const variables = { parcel_id: '{{arrival_time}} $& {{parcel_id}}', arrival_time: '14:30' };
  const { id } = await service.read('sendMessage', { body: { ...parcelMessage(newNumber()), variables } });
  expect((await find(id)).text).toBe('Your parcel {{arrival_time}} $& {{parcel_id}} arrives today at about 14:30.');
});

test('of a customer who hides the number has a username and no number, and ends up with the same contact', async () => {
  const username = `hidden.${newNumber().slice(1)}`;
  const write = (message: object) => service.control('POST', '/messages', { username, ...message });
  const first = withRecord.parse(await write({ text: 'Hello' }));
  const { body } = await write({ text: 'Yes', reply_to: first.body.id });
  expect(body).toMatchObject({ from: null, contact: { username, phone: null }, reply_to: first.body.id });
  expect(body).toMatchObject({ contact: { id: first.body.contact.id } });
  const conversation = await service.read('getConversation', { id: first.body.conversation_id });
  expect(conversation).toMatchObject({ contact: { username, phone: null }, message_count: 2 });
  const answer = `/conversations/${first.body.conversation_id}/messages`;
  expect(await service.control('POST', answer, { text: 'Of course' })).toMatchObject({
    status: 201,
    body: { to: null, contact: { username } },
  });
});

test('can be from a number and with a username, and later with the username alone', async () => {
  const [from, username] = [newNumber(), `shown.${newNumber().slice(1)}`];
  const first = withRecord.parse(await service.control('POST', '/messages', { from, username, text: 'Hello' }));
  const later = withRecord.parse(await service.control('POST', '/messages', { username, text: 'Hello again' }));
  expect(later.body).toMatchObject({ contact: first.body.contact, from: null });
  expect(first.body.contact).toMatchObject({ phone: from, username });
  const stranger = await service.control('POST', '/messages', { from: newNumber(), username, text: 'Hello' });
  expect(errorOf(stranger)).toMatchObject({ code: 'validation_failed' });
});

test('quotes only messages to or from the same customer', async () => {
  const { id } = await sent(newNumber());
  for (const reply_to of [id, 'msg_unknown']) {
    const refused = await service.control('POST', '/messages', { from: newNumber(), text: 'Yes', reply_to });
    expect(errorOf(refused)).toMatchObject({ code: 'validation_failed' });
  }
  const nobody = await service.control('POST', '/messages', { text: 'Yes' });
  expect(errorOf(nobody)).toMatchObject({ code: 'validation_failed' });
});

const good = parcelMessage('+12025550123');
const variables = (values: object) => ({ ...good, variables: { ...good.variables, ...values } });

test.each([
  ['a number without a plus', { ...good, to: '12025550123' }, 'validation_failed', 'to'],
  ['a channel that does not exist', { ...good, channel: 'pigeon' }, 'validation_failed', 'channel'],
  ['a channel named after an object property', { ...good, channel: 'constructor' }, 'validation_failed', 'channel'],
  ['no template', { channel: 'whatsapp', to: good.to }, 'validation_failed', 'template'],
  ['an unknown template', { ...good, template: 'parcel_lost' }, 'template_not_found', 'template'],
  ['a template of another channel', { ...good, channel: 'sms' }, 'template_not_found', 'template'],
  [
    'a template that waits for approval',
    { ...good, template: 'summer_promotion' },
    'template_not_approved',
    'template',
  ],
  [
    'a variable left out',
    { ...good, variables: { parcel_id: 'PX-1' } },
    'template_variables_missing',
    'variables.arrival_time',
  ],
  ['a variable left empty', variables({ parcel_id: '' }), 'template_variables_missing', 'variables.parcel_id'],
  ['an unknown variable', variables({ colour: 'red' }), 'validation_failed', 'variables.colour'],
  ['a time in words', variables({ arrival_time: 'half past two' }), 'validation_failed', 'variables.arrival_time'],
  ['a time that does not exist', variables({ arrival_time: '24:00' }), 'validation_failed', 'variables.arrival_time'],
  [
    'a value that is a number',
    variables({ parcel_id: 20418 }),
    'validation_failed',
    expect.stringMatching(/^variables/),
  ],
  ['a number that cannot be reached', parcelMessage(specialNumbers.unreachable), 'recipient_unreachable', 'to'],
  ['a number that opted out', parcelMessage(specialNumbers.optedOut), 'recipient_opted_out', 'to'],
])('refuses %s', async (_, content, code, field) => {
  const answer = await send(content);
  expect(answer.status).toBe(422);
  expect(errorOf(answer)).toMatchObject({ code, field });
});

test('names every missing variable', async () => {
  const answer = await send({ ...good, variables: {} });
  expect(errorOf(answer)).toMatchObject({
    code: 'template_variables_missing',
    details: [{ field: 'variables.parcel_id' }, { field: 'variables.arrival_time' }],
  });
});

test.each([
  ['customs_charge', { amount: 'much' }, 'variables.amount'],
  ['customs_charge', { payment_link: 'javascript:alert(1)' }, 'variables.payment_link'],
  ['delivery_rescheduled', { new_date: '2026-02-30' }, 'variables.new_date'],
])('%s refuses %j', async (template, wrong, field) => {
  const right = {
    customs_charge: { parcel_id: 'PX-1', amount: '12.50', payment_link: 'https://pay.example.com/' },
    delivery_rescheduled: { parcel_id: 'PX-1', new_date: '2026-06-12' },
  }[template];
  const answer = await send({ channel: 'whatsapp', to: newNumber(), template, variables: { ...right, ...wrong } });
  expect(errorOf(answer)).toMatchObject({ code: 'validation_failed', field });
});

test('refuses a contact who has opted out', async () => {
  const phone = newNumber();
  await service.read('createContact', { body: { phone, consent: 'opted_out' } });
  expect(errorOf(await send(parcelMessage(phone)))).toMatchObject({ code: 'recipient_opted_out' });
});

test('creates no contact when refused', async () => {
  const to = newNumber();
  await send({ ...parcelMessage(to), template: 'parcel_lost' });
  expect(await service.request('listContacts', { query: { phone: to } })).toMatchObject({
    body: { data: [] },
  });
});

describe('special numbers', () => {
  test('include one that fails after it was sent', async () => {
    const { id } = await sent(specialNumbers.failsLater);
    await eventually(async () =>
      expect(await find(id)).toMatchObject({
        status: 'failed',
        error: { code: 'recipient_unreachable' },
        delivered_at: null,
        failed_at: expect.any(String),
      }),
    );
  });

  test('include one that replies', async () => {
    const { id } = await sent(specialNumbers.replies);
    const { conversation_id } = await find(id);
    await eventually(async () =>
      expect(await service.request('listConversationMessages', { id: String(conversation_id) })).toMatchObject({
        body: { data: [{ direction: 'inbound', from: specialNumbers.replies, source: 'contact' }, { status: 'read' }] },
      }),
    );
  });

  test('include one that never reads', async () => {
    const { id } = await sent(specialNumbers.neverReads);
    await service.advance(3600);
    expect(await find(id)).toMatchObject({ status: 'delivered', read_at: null });
  });
});

test('a customer can send a photo without a text', async () => {
  const from = newNumber();
  const attachments = [{ type: 'image', name: 'damaged parcel.jpg' }];
  const { status, body } = await service.control('POST', '/messages', { from, attachments });
  expect(status).toBe(201);
  const { id } = withId.parse(body);
  expect(await find(id)).toMatchObject({
    text: null,
    attachments: [{ ...attachments[0], url: `${service.url}/files/image/damaged%20parcel.jpg` }],
  });
});

test('a file of a message has real bytes, for whoever has a token', async () => {
  const attachments = [{ type: 'image', name: 'damaged parcel.jpg' }];
  const { body } = await service.control('POST', '/messages', { from: newNumber(), attachments });
  const { attachments: sent } = z.object({ attachments: z.array(z.object({ url: z.string() })) }).parse(body);
  const link = sent[0]?.url ?? '';
  expect((await fetch(link)).status).toBe(401);
  const file = await fetch(link, { headers: { authorization: `Bearer ${service.sandbox.tokens.advanced}` } });
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect([...new Uint8Array(await file.arrayBuffer())].slice(0, 3)).toEqual([0xff, 0xd8, 0xff]);
});

test('a customer can send neither nothing nor an unknown kind of attachment', async () => {
  const from = newNumber();
  for (const content of [{}, { text: '' }, { attachments: [] }, { attachments: [{ type: 'smell', name: 'a' }] }]) {
    expect(await service.control('POST', '/messages', { from, ...content })).toMatchObject({ status: 422 });
  }
});

test('a message and its conversation say where a person reads them', async () => {
  const message = await sent(newNumber());
  const { conversation_id, url, campaign_name } = await find(message.id);
  const { url: page, last_message } = await service.read('getConversation', { id: String(conversation_id) });
  expect({ url, campaign_name }).toEqual({ url: `${page}/messages/${message.id}`, campaign_name: null });
  expect(last_message).toMatchObject({ id: message.id, direction: 'outbound' });
});
