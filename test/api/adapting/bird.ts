/**
 * A part of Bird's API for one workspace, from its public documentation (https://docs.bird.com/api): contacts, channels and
 * sending a template. Its messages are listed by channel, and a webhook subscription is for one event, so they aren't here.
 */
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { project } from '../../../cli/environment';
import { makeEdit, readEdits } from './copy';

interface Identifier {
  key: string;
  value: string;
}

interface Contact {
  id: string;
  computedDisplayName: string;
  featuredIdentifiers: Identifier[];
  attributes: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
}

let made = 0;

const makeContact = (identifiers: Identifier[], attributes: Record<string, unknown>): Contact => {
  made += 1;
  const at = new Date(Date.UTC(2026, 5, 11, 9, made)).toISOString();
  const id = `123e4567-e89b-12d3-a456-${String(made).padStart(12, '0')}`;
  const name = String(attributes.firstName ?? '');
  return { id, computedDisplayName: name, featuredIdentifiers: identifiers, attributes, createdAt: at, updatedAt: at };
};

const phoneOf = (index: number): string => `+120255501${String(index).padStart(2, '0')}`;

const contacts = Array.from({ length: 40 }, (_, index) =>
  makeContact(
    [
      { key: 'phonenumber', value: phoneOf(index) },
      { key: 'emailaddress', value: `noor${index}@example.com` },
    ],
    { firstName: 'Noor', lastName: `Visser ${index}`, floor: '3' },
  ),
).toReversed();

const channels = [
  { id: 'ch_1', name: 'WhatsApp', platform: 'whatsapp', status: 'active', connectorId: 'con_1' },
  { id: 'ch_2', name: 'SMS', platform: 'sms', status: 'active', connectorId: 'con_2' },
];

interface Answer {
  status: number;
  body?: unknown;
}

const refuse = (status: number, message: string): Answer => ({ status, body: { message } });

const paged = (all: readonly unknown[], query: URLSearchParams): Answer => {
  const [limit, start] = [Number(query.get('limit') ?? 10), Number(query.get('pageToken') ?? 0)];
  if (!(limit >= 1 && limit <= 100)) return refuse(422, 'The limit is from 1 to 100.');
  if (!Number.isInteger(start)) return refuse(422, 'The page token is unknown.');
  const next = start + limit < all.length ? { nextPageToken: String(start + limit) } : {};
  return { status: 200, body: { results: all.slice(start, start + limit), ...next } };
};

const has = (contact: Contact, { key, value }: Identifier): boolean =>
  contact.featuredIdentifiers.some((each) => each.key === key && each.value.toLowerCase() === value.toLowerCase());

const create = (body: { identifiers?: Identifier[]; attributes?: Record<string, unknown> }): Answer => {
  const { identifiers = [], attributes = {} } = body;
  if (identifiers.length === 0) return refuse(422, 'A contact needs an identifier.');
  const isTaken = contacts.some((contact) => identifiers.some((identifier) => has(contact, identifier)));
  if (isTaken) return refuse(409, 'A contact with this identifier exists.');
  const contact = makeContact(identifiers, attributes);
  contacts.unshift(contact);
  return { status: 201, body: contact };
};

const change = (contact: Contact, { attributes = {} }: { attributes?: Record<string, unknown> }): Answer => {
  Object.assign(contact.attributes, attributes);
  return { status: 200, body: contact };
};

const send = (channel: string, body: { receiver?: object; template?: object }): Answer => {
  if (!channels.some(({ id }) => id === channel)) return refuse(404, 'The channel was not found.');
  if (!body.receiver || !body.template) return refuse(422, 'A message needs a receiver and a template.');
  const sent = { id: 'msg_1', status: 'accepted', direction: 'outgoing', receiver: body.receiver };
  const content = { type: 'text', text: { text: 'Your parcel arrives.' } };
  return { status: 202, body: { ...sent, body: content, createdAt: '2026-06-11T10:00:00.000Z' } };
};

const respond = (method: string, { pathname, searchParams }: URL, json: string): Answer => {
  const [, resource, id = '', inner] = /^\/workspaces\/ws_1\/([a-z]+)(?:\/([\w-]+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
  const body = json ? JSON.parse(json) : {};
  const call = `${method} ${resource}`;
  if (call === 'GET channels' && !id) return paged(channels, searchParams);
  if (call === 'POST channels' && inner === 'messages') return send(id, body);
  if (call === 'GET contacts' && !id) return paged(contacts, searchParams);
  if (call === 'POST contacts' && id === 'search') {
    return { status: 200, body: { results: contacts.filter((contact) => has(contact, body.identifier)) } };
  }
  if (call === 'POST contacts') return create(body);
  const found = contacts.find((each) => resource === 'contacts' && each.id === id);
  if (!found || inner) return refuse(404, 'Not found.');
  if (method === 'GET') return { status: 200, body: found };
  if (method === 'PATCH') return change(found, body);
  if (method !== 'DELETE') return refuse(404, 'Not found.');
  contacts.splice(contacts.indexOf(found), 1);
  return { status: 204 };
};

/** The service. */
export const service: RequestListener = async (request, response) => {
  const json = await text(request);
  const { status, body } =
    request.headers.authorization === 'Bearer tok_bird'
      ? respond(request.method ?? '', new URL(request.url ?? '', 'http://localhost'), json)
      : refuse(401, 'Unauthorized.');
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(body === undefined ? '' : JSON.stringify(body));
};

/** The path of its address. */
export const path = '';

/** What people enter besides the address and the token. */
export const connection = { workspace_id: 'ws_1' };

/** Makes the edits of the whole service in docs/adapting.md in a copy of the project. */
export const adapt = (copy: string): void => {
  const page = readFileSync(join(project, 'docs/adapting.md'), 'utf8');
  const [, section = ''] = /^## A whole service\n(.*?)^## /ms.exec(page) ?? [];
  for (const edit of readEdits(section)) makeEdit(copy, edit);
};

/** What conformance can't choose by itself. */
export const message = ['--template', 'project_1', '--channel', 'ch_1', '--variables', '{"parcel":"PX-1"}'];

/** The steps of the app. */
export const steps = [
  'new_contact',
  ...['send_message', 'create_contact', 'create_or_update_contact', 'update_contact', 'delete_contact', 'call_api'],
  'find_contact',
];

const phone = phoneOf(3);
const id = '123e4567-e89b-12d3-a456-000000000004';

/** Runs of steps in order, with what they return. */
export const runs: [path: string, inputData: object, expected: unknown][] = [
  ['authentication.test', {}, { name: expect.any(String) }],
  [
    'creates.send_message.operation.inputFields.0.choices.perform',
    {},
    { results: [expect.objectContaining({ id: 'ch_1' }), expect.objectContaining({ id: 'ch_2' })], paging_token: null },
  ],
  [
    'creates.send_message.operation.perform',
    { channel: 'ch_1', template: 'project_1', to: phone, variables: { parcel: 'PX-1' } },
    { id: 'msg_1', to: phone, text: 'Your parcel arrives.', direction: 'outbound' },
  ],
  [
    'searches.find_contact.operation.perform',
    { phone },
    [{ id, phone, email: 'noor3@example.com', first_name: 'Noor', last_name: 'Visser 3', attributes: { floor: '3' } }],
  ],
  ['searches.find_contact.operation.perform', { email: 'NOOR3@example.com' }, [{ id }]],
  ['searches.find_contact.operation.perform', { phone: '+12025550199' }, []],
  [
    'creates.create_contact.operation.perform',
    { phone: '+12025550177', first_name: 'Sanne', attributes: { floor: '7' } },
    { phone: '+12025550177', first_name: 'Sanne', attributes: { floor: '7' } },
  ],
  [
    'creates.create_or_update_contact.operation.perform',
    { phone: '+12025550177', last_name: 'Bos' },
    { phone: '+12025550177', first_name: 'Sanne', last_name: 'Bos' },
  ],
  ['creates.update_contact.operation.perform', { contact: id, first_name: 'Nora' }, { id, first_name: 'Nora', phone }],
  ['creates.delete_contact.operation.perform', { contact: id }, { id }],
  ['searches.find_contact.operation.perform', { phone }, []],
];
