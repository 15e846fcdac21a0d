/**
 * A part of an API for WhatsApp as YCloud and others publish it: a key in a header of its own, templates and messages with
 * `components`, the language in the send, and one webhook event per message.
 */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../../../cli/environment';
import { type Answer, jsonApi } from '../server';
import { type Edit, readEdits } from './copy';

type Fields = Record<string, unknown>;

const timeOf = (minute: number): string => new Date(Date.UTC(2026, 5, 11, 9, minute)).toISOString();

/** A message that was just sent says so. */
const now = (): string => new Date().toISOString();

const contacts: Fields[] = Array.from({ length: 30 }, (_, index) => ({
  id: `c${900 - index}`,
  phoneNumber: `+120255501${String(index).padStart(2, '0')}`,
  nickname: `Noor ${index}`,
  email: `noor${index}@example.com`,
  createTime: timeOf(-index),
}));

const components = [
  { type: 'HEADER', format: 'IMAGE' },
  { type: 'BODY', text: 'Hi {{1}}, your parcel {{2}} arrives.' },
  { type: 'FOOTER', text: 'Harbor Parcels' },
  { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Follow', url: 'https://example.com/{{1}}' }] },
];
const templates: Fields[] = ['en', 'nl'].map((language) => ({
  ...{ name: 'parcel', language, category: 'UTILITY', status: 'APPROVED', components },
}));

const messages: Fields[] = Array.from({ length: 3 }, (_, index) => ({
  ...{ id: `m${index}`, from: '+12025550190', to: `+120255501${index}0`, type: 'text', text: { body: 'Hello' } },
  ...{ status: 'delivered', createTime: timeOf(-index) },
}));

const webhooks: (Fields & { url: string })[] = [];
let nextId = 5_000;

/** What was sent, as it came. */
export const sent: Fields[] = [];

const secret = 'a-secret-of-32-characters-length';

const deliver = (message: Fields): void => {
  for (const { url } of webhooks) {
    const event = { type: 'whatsapp.message.updated', createTime: now(), whatsappMessage: message };
    const content = JSON.stringify({ id: `evt_${message.id}`, ...event });
    const time = Math.floor(Date.now() / 1000);
    const hash = createHmac('sha256', secret).update(`${time}.${content}`).digest('hex');
    const headers = { 'content-type': 'application/json', 'ycloud-signature': `t=${time},s=${hash}` };
    void fetch(url, { method: 'POST', headers, body: content }).catch(() => undefined);
  }
};

const refuse = (status: number, message: string): Answer => ({
  status,
  body: { error: { status, code: 'REFUSED', message } },
});

const page = (all: readonly Fields[], query: URLSearchParams): Answer => {
  const [number, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 10)];
  const names = [...query].filter(([name]) => name.startsWith('filter.'));
  const found = all.filter((each) => names.every(([name, value]) => each[name.slice(7)] === value));
  const items = found.slice((number - 1) * limit, number * limit);
  return { status: 200, body: { items, total: found.length, page: number, limit } };
};

/** Somebody who has opted out. Only a message that says so is refused, as by the API of YCloud. */
const optedOut = '+12025550104';

/** A message without all values, or in no language, is refused as a whole. */
const send = (body: Fields): Answer => {
  const { name, language, components: given } = Object(body.template);
  const template = templates.find((each) => each.name === name && each.language === language?.code);
  if (!template) return refuse(400, 'The template has no such language.');
  const counts = Object.fromEntries([given].flat().map((each) => [each?.type, each?.parameters?.length]));
  if (counts.header !== 1 || counts.body !== 2 || counts.button !== 1) return refuse(400, 'Parameters do not match.');
  const { from, to, type } = body;
  if (body.filterUnsubscribed && to === optedOut) return refuse(400, 'The recipient has unsubscribed.');
  const message = { id: nextId++, from, to, type, template: body.template, status: 'accepted', createTime: now() };
  messages.unshift(message);
  sent.push(body);
  deliver({ ...message, status: 'sent' });
  return { status: 200, body: message };
};

const stores: Record<string, Fields[]> = {
  'contact/contacts': contacts,
  'whatsapp/templates': templates,
  'whatsapp/messages': messages,
  webhookEndpoints: webhooks,
};

const respond = (method: string, { pathname, searchParams }: URL, body: Fields): Answer => {
  const [, name = '', id] =
    /^\/v2\/(contact\/contacts|whatsapp\/templates|whatsapp\/messages|webhookEndpoints)(?:\/(\w+))?$/.exec(pathname) ??
    [];
  const store = stores[name];
  if (!store) return refuse(404, 'Not found.');
  if (!id && method === 'GET') return page(store, searchParams);
  if (!id && store === messages) return send(body);
  if (!id && method === 'POST') {
    const isTaken = contacts.some((each) => each.phoneNumber === body.phoneNumber);
    if (store === contacts && !body.phoneNumber) return refuse(400, 'phoneNumber is required.');
    if (store === contacts && isTaken) return refuse(409, 'The contact exists.');
    const made = { ...body, id: `x${nextId++}`, createTime: now() };
    store.unshift(made);
    return { status: 200, body: store === webhooks ? { ...made, secret } : made };
  }
  const found = store.find((each) => String(each.id) === id);
  if (!found) return refuse(404, 'Not found.');
  if (method === 'GET') return { status: 200, body: found };
  if (method === 'PATCH') Object.assign(found, body);
  if (method === 'DELETE') store.splice(store.indexOf(found), 1);
  return { status: 204 };
};

/** The service. */
export const service = jsonApi(
  (headers) => headers['x-api-key'] === 'tok_whatsapp' && headers.authorization === undefined,
  refuse(401, 'Unauthenticated.'),
  respond,
);

/** The path of its address. */
export const path = '';

const document = readFileSync(join(project, 'docs/adapting.md'), 'utf8');
const [, section = ''] = /^## A whole service\n(.*?)^## /ms.exec(document) ?? [];

/** What differs from the contract, which the page shows. */
export const edits: Edit[] = readEdits(section);

/** What people enter besides the address and the token. */
export const connection = { sender: '+12025550190' };

const phone = '+12025550103';
const values = { '1': 'Noor', '2': 'PX-1', header_image: 'https://example.com/a.png', button_0_1: 'PX-1' };

/** Runs of steps in order, with what they return. */
export const runs: [path: string, inputData: object, expected: unknown][] = [
  ['authentication.test', {}, { name: expect.any(String) }],
  [
    'creates.send_message.operation.perform',
    { channel: 'whatsapp', template: 'parcel:nl', to: phone, variables: values },
    { id: expect.stringMatching(/^\d+$/), status: 'queued', to: phone },
  ],
  [
    'creates.send_message.operation.perform',
    { channel: 'whatsapp', template: 'parcel:nl', to: phone, variables: { ...values, '2': '' } },
    expect.stringMatching(/^HaltedError: .*nothing was sent/),
  ],
  [
    'creates.create_contact.operation.perform',
    { phone: '+12025550177', first_name: 'Noor' },
    { phone: '+12025550177', first_name: 'Noor', id: expect.any(String) },
  ],
  [
    'creates.update_contact.operation.perform',
    { contact: 'c890', first_name: 'Kim' },
    { id: 'c890', first_name: 'Kim' },
  ],
  ['searches.find_contact.operation.perform', { phone }, [{ id: 'c897', first_name: 'Noor 3', phone }]],
  ['searches.find_contact.operation.perform', { phone: '+12025550199' }, []],
];
