/** What the sandbox does with its records. */

import { isValidPhoneNumber } from 'libphonenumber-js/max';
import * as z from 'zod/mini';
import { endpoints } from '../../../src/api/endpoints';
import {
  type Campaign,
  campaign,
  campaignRun,
  contact,
  conversation,
  type Message,
  message,
  template,
  vocabulary,
} from '../../../src/api/resources';
import { pathOf } from '../../../test/support/calls';
import {
  errorOf,
  eventually,
  newNumber,
  parcelMessage,
  Running,
  requestFrom,
  withId,
} from '../../../test/support/running';
import { startSeeded } from '../../../test/support/seeded';
import { runStep } from '../../../test/support/zapier';
import { specialNumbers } from '../domain/phone-numbers';
import { hour } from '../engine/clock';
import { declared } from '../engine/declared';
import { type Sandbox, startSandbox } from '../sandbox';

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

  test('sends to one recipient and counts the first reply', async () => {
    const { id, name, stats } = await byStatus('completed');
    const to = newNumber();
    const run = campaignRun.schema.parse((await trigger(id, { to })).body);
    expect(run.recipients).toBe(1);
    await service.advance(60);
    const { data } = await service.read('listMessages', { query: { direction: 'outbound', limit: 1 } });
    expect(data[0]).toMatchObject({ campaign_id: id, campaign_name: name, to, source: 'campaign', status: 'read' });
    await service.control('POST', '/messages', { from: to, text: 'Thanks' });
    await service.control('POST', '/messages', { from: to, text: 'Bye' });
    expect((await find(id)).stats).toMatchObject({
      recipients: Number(stats?.recipients) + 1,
      sent: Number(stats?.sent) + 1,
      replied: Number(stats?.replied) + 1,
    });
  });

  test('counts an unreachable recipient as failed, and stays a draft', async () => {
    const { id, stats } = await byStatus('draft');
    await trigger(id, { to: '+12025550101' });
    await service.advance(60);
    expect(await find(id)).toMatchObject({
      status: 'draft',
      stats: { ...stats, recipients: 1, failed: 1 },
      started_at: null,
      completed_at: null,
    });
  });

  test('sends to one recipient also when its saved audience is done first', async () => {
    const { id } = await byStatus('completed');
    await service.control('POST', `/campaigns/${id}/start`);
    await eventually(async () => expect(await find(id)).toMatchObject({ status: 'sending' }));
    const to = newNumber();
    await trigger(id, { to });
    await service.control('POST', `/campaigns/${id}/finish`);
    await service.advance(60);
    const { data } = await service.read('listMessages', { query: { direction: 'outbound', limit: 100 } });
    expect(data).toContainEqual(expect.objectContaining({ campaign_id: id, to, status: 'read' }));
  });

  test('starts while it is being sent only for one recipient', async () => {
    const { id } = await byStatus('sending');
    expect(errorOf(await trigger(id, {}))).toMatchObject({ code: 'validation_failed' });
    expect(await trigger(id, { to: newNumber() })).toMatchObject({ status: 202 });
    await service.settle();
  });

  test('starts for its audience only once, also before the first message is sent', async () => {
    const { id } = await byStatus('completed');
    const answers = await Promise.all([trigger(id, {}), trigger(id, {})]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 422]);
    await service.advance(60);
    expect(await find(id)).toMatchObject({ status: 'completed' });
  });

  test.each([
    ['a number that is not E.164', { to: '2025550123' }, 'to'],
    ['variables without a recipient', { variables: { parcel_id: 'PX-1' } }, 'to'],
    ['a variable that the template does not have', { to: '+12025550123', variables: { a: 'b' } }, 'variables.a'],
    ['a field that does not exist', { audience: 'all' }, 'audience'],
  ])('refuses %s', async (_, content, field) => {
    const { id } = await byStatus('failed');
    const answer = await trigger(id, content);
    expect(answer.status).toBe(422);
    expect(errorOf(answer).field).toBe(field);
  });

  test('refuses to start when canceled or unknown', async () => {
    expect(await trigger((await byStatus('canceled')).id, {})).toMatchObject({ status: 422 });
    expect(await trigger('cmp_unknown', {})).toMatchObject({ status: 404 });
  });

  test('starts, completes and fails by control calls', async () => {
    const { id } = await byStatus('failed');
    const tell = (what: string) => service.control('POST', `/campaigns/${id}/${what}`);
    // The last end is as it was found.
    for (const [end, status] of [
      ['finish', 'completed'],
      ['fail', 'failed'],
    ] as const) {
      expect(await tell('start')).toMatchObject({ status: 202 });
      await eventually(async () => expect(await find(id)).toMatchObject({ status: 'sending' }));
      expect(await tell(end)).toMatchObject({ body: { id, status } });
      await service.advance(60);
      expect(await find(id)).toMatchObject({ status });
    }
  });
});

describe('contacts', () => {
  const service = new Running();

  const create = (content: object) => service.read('createContact', { body: content });
  const update = (id: string, content: object) => service.request('updateContact', { id, body: content });

  /** Writes a contact with its empty values, which other programs send, and the app doesn't. */
  const writeAsIs = async (name: 'createContact' | 'updateContact', content: object, id?: string) => {
    return service.call(endpoints[name].method, pathOf(name, { id }), content);
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
    const changed = await update(id, { add_tags: ['three'], remove_tags: ['one'] });
    expect(changed).toMatchObject({ body: { tags: ['two', 'three'] } });
    const tagged = async (tag: string) => (await service.read('listContacts', { query: { tag } })).data;
    expect([await tagged('three'), await tagged('one')]).toMatchObject([[{ id }], []]);
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
});

describe('conversations', () => {
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
});

describe('messages', () => {
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

  test('is read at once by a customer who keeps the chat open, without a delivery', async () => {
    const from = newNumber();
    await service.control('POST', '/messages', { from, text: 'Where is my parcel?', stays_open: true });
    const { id } = await sent(from);
    await eventually(async () => expect(await find(id)).toMatchObject({ status: 'read' }));
    const { sent_at, delivered_at, read_at } = await find(id);
    expect(delivered_at).toBeNull();
    expect(Date.parse(`${read_at}`) - Date.parse(`${sent_at}`)).toBeLessThanOrEqual(2000);
  });

  test.each([
    [
      'the file of its header as an attachment',
      'invoice_ready',
      { invoice: 'https://files.example.com/a/1042.pdf?t=1', invoice_number: '1042', amount: '€ 59.90' },
      'Your invoice 1042 for € 59.90 is ready.',
      [{ type: 'document', url: 'https://files.example.com/a/1042.pdf?t=1', name: '1042.pdf' }],
    ],
    [
      'the text of its header above that of its body',
      'parcel_on_its_way',
      { parcel_id: 'PX-1' },
      'Parcel PX-1\nIt is on its way to you.',
      [],
    ],
    [
      'braces of a value as they are',
      'parcel_out_for_delivery',
      { parcel_id: '{{arrival_time}} $& {{parcel_id}}', arrival_time: '14:30' },
      'Your parcel {{arrival_time}} $& {{parcel_id}} arrives today at about 14:30.',
      [],
    ],
  ])('has %s', async (_, name, variables, text, attachments) => {
    const body = { channel: 'whatsapp', to: newNumber(), template: name, variables };
    expect(await service.read('sendMessage', { body })).toMatchObject({ text, attachments });
  });

  test('a note of a colleague is among the messages, is no reply, and changes nothing that customers see', async () => {
    const from = newNumber();
    const { body } = withRecord.parse(await service.control('POST', '/messages', { from, text: 'Hello' }));
    const noted = await service.control('POST', `/conversations/${body.conversation_id}/notes`, { text: 'A regular' });
    const note = { direction: 'internal', text: 'A regular', from: null, to: null, status: null, sent_at: null };
    expect(noted).toMatchObject({ status: 201, body: note });
    const { id } = withId.parse(noted.body);
    await service.settle();
    expect(await find(id)).toMatchObject(note);
    const made = await service.read('getConversation', { id: body.conversation_id });
    expect(made).toMatchObject({ message_count: 1, last_message: { id, direction: 'internal' } });
    const quoted = await service.control('POST', '/messages', { from, text: 'Yes', reply_to: id });
    expect(errorOf(quoted)).toMatchObject({ code: 'validation_failed' });
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
    expect((await service.read('listContacts', { query: { phone: to } })).data).toEqual([]);
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
          body: {
            data: [{ direction: 'inbound', from: specialNumbers.replies, source: 'contact' }, { status: 'read' }],
          },
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

  test('tells a pressed quick reply from the same words that a customer wrote', async () => {
    const to = newNumber();
    const variables = {
      picture: 'https://files.example.com/1.jpg',
      first_name: 'Noor',
      appointment: 'Friday, June 12, 2:30 PM',
    };
    const { body } = await service.request('sendMessage', {
      body: { channel: 'whatsapp', to, template: 'appointment_reminder', variables },
    });
    const { id } = withId.parse(body);
    const answer = async (content: object) =>
      (await service.control('POST', '/messages', { from: to, text: 'Confirm', ...content })).body;
    expect(await answer({ reply_to: id })).toMatchObject({
      reply_to: id,
      button: { text: 'Confirm', payload: 'Confirm' },
    });
    expect(await answer({})).toMatchObject({ reply_to: null, button: null });
    expect(await answer({ reply_to: id, text: 'Maybe' })).toMatchObject({ reply_to: id, button: null });
  });

  test('takes the variables that only the text of a template has, and none too many', async () => {
    const send = async (variables: object) => {
      const message = { channel: 'whatsapp', to: newNumber(), template: 'appointment_confirmed', variables };
      return service.request('sendMessage', { body: message });
    };
    expect(await send({ 1: 'Noor', 2: 'Maya' })).toMatchObject({
      status: 202,
      body: { text: 'Hi Noor, your appointment with Maya is confirmed. See you soon!' },
    });
    for (const wrong of [{ 1: 'Noor' }, { 1: 'Noor', 2: 'Maya', 3: 'x' }])
      expect(await send(wrong)).toMatchObject({ status: 422 });
  });

  test('a message and its conversation say where a person reads them', async () => {
    const message = await sent(newNumber());
    const { conversation_id, url, campaign_name } = await find(message.id);
    const { url: page, last_message } = await service.read('getConversation', { id: String(conversation_id) });
    expect({ url, campaign_name }).toEqual({ url: `${page}/messages/${message.id}`, campaign_name: null });
    expect(last_message).toMatchObject({ id: message.id, direction: 'outbound' });
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

  test('a person who is no contact yet gets the text in the language of the workspace', async () => {
    expect((await send(newNumber())).body).toMatchObject({ text: inEnglish });
  });

  test('a template with one language goes to everybody', async () => {
    const content = { template: 'openingstijden', variables: {} };
    expect((await send(await customerWith('pl'), content)).status).toBe(202);
  });

  test('another channel has its own text and variables', async () => {
    const variables = { parcel_id: 'PX-1', pickup_code: '4711' };
    const sent = await send(await customerWith('nl'), { channel: 'sms', variables });
    expect(sent.body).toMatchObject({ text: 'Parcel PX-1 is ready. Your code is 4711.' });
    const refused = await send(await customerWith('nl'), { channel: 'sms' });
    expect(errorOf(refused)).toMatchObject({ code: 'template_variables_missing', field: 'variables.pickup_code' });
  });

  test("only the text that is sent needs its variables, and another channel's are unknown", async () => {
    const { pickup_date: _, ...withoutDate } = values;
    expect((await send(await customerWith('de'), { variables: withoutDate })).status).toBe(202);
    const refused = await send(await customerWith('nl'), { variables: withoutDate });
    expect(errorOf(refused)).toMatchObject({ code: 'template_variables_missing', field: 'variables.pickup_date' });
    const unknown = await send(await customerWith('de'), { variables: { ...values, pickup_code: '4711' } });
    expect(errorOf(unknown)).toMatchObject({ code: 'validation_failed', field: 'variables.pickup_code' });
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

  test('has over 200 contacts with valid numbers that are reserved for fiction', async () => {
    const contacts = await readAll((input) => service.read('listContacts', input));
    const phones = contacts.flatMap(({ phone }) => phone ?? []);
    expect(contacts.length).toBeGreaterThan(200);
    expect(phones.filter((phone) => !isValidPhoneNumber(phone))).toEqual([]);
    expect(phones.filter((phone) => !/^\+1\d{3}55501\d{2}$/.test(phone))).toEqual([]);
    expect(contacts.some(({ consent }) => consent === 'opted_out')).toBe(true);
  });

  test('has a customer who hides the phone number, and whose reply quotes a message', async () => {
    const [hidden, ...others] = (await readAll((input) => service.read('listContacts', input))).filter(
      ({ phone }) => !phone,
    );
    expect(others).toEqual([]);
    const theirs = messages.filter((each) => each.contact?.id === hidden?.id);
    const customers = theirs.map(({ direction, from, to }) => (direction === 'inbound' ? from : to));
    expect(customers).toEqual([null, null, null]);
    expect(theirs[0]).toMatchObject({ reply_to: theirs[1]?.id, contact: { username: hidden?.username, phone: null } });
    await expect(service.read('listConversations', { query: { contact_id: hidden?.id } })).resolves.toMatchObject({
      data: [{ contact: { id: hidden?.id, phone: null } }],
    });
  });

  test('has templates for every language, channel, status and variable format', async () => {
    const templates = await readAll((input) => service.read('listTemplates', input));
    const variables = templates.flatMap((each) => each.variables ?? []);
    expect(templates[0]).toEqual(template.sample);
    expect(new Set(templates.map(({ language }) => language))).toEqual(new Set(['de', 'en', 'nl']));
    expect(new Set(variables.map(({ format }) => format))).toEqual(new Set(vocabulary.variableFormat));
    expect(variables.some(({ required }) => required === false)).toBe(true);
    expect(templates.some(({ status }) => status !== 'approved')).toBe(true);
    expect(templates.some(({ channel }) => channel === 'sms')).toBe(true);
  });

  test('has one template in three languages and on two channels, with texts of their own', async () => {
    const { data } = await service.read('listTemplates', { query: { name: 'parcel_ready' } });
    const versions = data.map(({ channel, language }) => `${channel} ${language}`);
    expect(versions.toSorted()).toEqual(['sms en', 'whatsapp de', 'whatsapp en', 'whatsapp nl']);
    expect(new Set(data.map(({ body }) => body)).size).toBe(4);
  });

  test('has a campaign in each status, whose stats match its messages', async () => {
    const campaigns = await readAll((input) => service.read('listCampaigns', input));
    expect(campaigns.map(({ status }) => status).toSorted()).toEqual(vocabulary.campaignStatus.toSorted());
    for (const { id, stats } of campaigns) {
      const own = messages.filter(({ campaign_id }) => campaign_id === id);
      expect(stats?.sent).toBe(own.filter(({ sent_at }) => sent_at).length);
      expect(stats?.read).toBe(own.filter(({ read_at }) => read_at).length);
    }
  });

  test('has open and closed conversations that count their messages', async () => {
    const conversations = await readAll((input) => service.read('listConversations', input));
    expect(new Set(conversations.map(({ status }) => status))).toEqual(new Set(vocabulary.conversationStatus));
    for (const { id, message_count } of conversations) {
      expect(messages.filter(({ conversation_id }) => conversation_id === id)).toHaveLength(message_count ?? 0);
    }
    expect(new Set(messages.map(({ source }) => source))).toEqual(new Set(['api', 'colleague', 'campaign', 'contact']));
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

  test('has no contact with a special number', async () => {
    for (const number of Object.values(specialNumbers)) {
      expect((await service.read('listContacts', { query: { phone: number } })).data).toEqual([]);
    }
  });

  describe('a new database', () => {
    const withoutTimes = (value: unknown): string =>
      JSON.stringify(value, (key, inner) => (/_at$|^next_cursor$/.test(key) ? undefined : inner));

    const readFrom = async ({ url, tokens }: Sandbox) => {
      const account = { url, token: tokens.advanced };
      // A conversation may close meanwhile.
      const names = ['listContacts', 'listMessages', 'listCampaigns'] as const;
      const responses = await Promise.all(names.map((name) => requestFrom(account, name, { query: { limit: 100 } })));
      const data = withoutTimes(responses.map(({ body }) => body));
      return { tokens, data: data.replaceAll(/http:..127\.0\.0\.1:\d+/g, '') };
    };

    test('has as many more templates as asked for, which a dropdown lists by name, and is otherwise the same', async () => {
      const sandbox = await startSandbox({ templates: 300 });
      const authData = { base_url: sandbox.url, api_token: sandbox.tokens.advanced, ai_agents: 'everything' };
      const perform = 'creates.send_message.operation.inputFields.1.choices.perform';
      const choices = runStep(perform, { authData, inputData: { channel: 'whatsapp' } });
      const reads = await Promise.all([choices, readFrom(sandbox), readFrom(service.sandbox)]).finally(sandbox.stop);
      const [listed, data, usual] = reads;
      const { results } = z.object({ results: z.array(withId), paging_token: z.null() }).parse(listed);
      const names = results.map(({ id }) => id);
      expect(names.filter((name) => name.startsWith('parcel_update_'))).toHaveLength(300);
      expect(names).toContain(template.sample.name);
      expect(names).toEqual(names.toSorted());
      expect(data).toEqual(usual);
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

    test('has other tokens, ids and data by another seed', async () => {
      const sandbox = await startSandbox({ seed: 8 });
      const [other, usual] = await Promise.all([sandbox, service.sandbox].map(readFrom)).finally(sandbox.stop);
      expect(other?.tokens).not.toEqual(usual?.tokens);
      expect(other?.data).not.toEqual(usual?.data);
    });
  });

  test('has photos and voice messages without a text', () => {
    const without = messages.filter(({ text }) => text === null);
    const types = without.flatMap(({ attachments }) => (attachments ?? []).map(({ type }) => type));
    expect(new Set(types)).toEqual(new Set(['image', 'audio']));
    expect(types).toHaveLength(without.length);
  });
});

test('a record shows the fields that the contract declares, with null for one that it may lack, and no others', () => {
  const inner = z.looseObject({ id: z.string(), added: z.nullish(z.string()), later: z.optional(z.string()) });
  const schema = z.looseObject({ ...inner.shape, list: z.array(inner), any: z.looseObject({}) });
  const kept = { id: 'a', gone: 1 };
  expect(declared(schema).parse({ ...kept, list: [kept, { id: 'b', added: 'c' }], any: kept })).toEqual({
    id: 'a',
    added: null,
    list: [
      { id: 'a', added: null },
      { id: 'b', added: 'c' },
    ],
    any: kept,
  });
});
