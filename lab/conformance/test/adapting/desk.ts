/**
 * A part of an API for customer service as Chatwoot and others publish it: Basic authentication, an account in each path,
 * page numbers, times in seconds, numbers as IDs, and notes of colleagues among the messages. It has no webhook of its own
 * for each Zap, so it's polled.
 */
import { type Answer, jsonApi } from '../server';
import type { Edit } from './copy';

type Fields = Record<string, unknown>;

const pageSize = 15;

const timeOf = (minute: number): number => Date.UTC(2026, 5, 11, 9, minute) / 1000;

const contacts: Fields[] = Array.from({ length: 40 }, (_, index) => ({
  id: 900 - index,
  name: `Noor ${index}`,
  email: `noor${index}@example.com`,
  phone_number: `+120255501${String(index).padStart(2, '0')}`,
  custom_attributes: { city: 'Utrecht', street: 'Quay' },
  created_at: timeOf(-index),
}));

const conversations: Fields[] = contacts.slice(0, 20).map((contact, index) => ({
  id: 500 - index,
  status: ['open', 'pending', 'resolved'][index % 3],
  meta: { sender: contact, channel: 'whatsapp', assignee: { name: 'Sam Okafor' } },
  created_at: timeOf(-index),
}));

const messagesOf = (conversation: number): Fields[] =>
  Array.from({ length: 20 }, (_, index) => ({
    id: conversation * 100 - index,
    content: index % 5 === 4 ? 'SECRET NOTE' : `Hello ${index}`,
    message_type: index % 2,
    private: index % 5 === 4,
    conversation_id: conversation,
    created_at: timeOf(-index),
  }));

let nextId = 2_000;

const refuse = (status: number, message: string): Answer => ({ status, body: { message } });

const paged = (all: readonly Fields[], query: URLSearchParams, name = 'payload'): Answer => {
  const number = Number(query.get('page') ?? 1);
  const part = all.slice((number - 1) * pageSize, number * pageSize);
  return { status: 200, body: { meta: { count: all.length }, [name]: part } };
};

const create = (body: Fields): Answer => {
  if (!body.phone_number && !body.email) return refuse(422, 'Email or phone number is required');
  const isTaken = ['phone_number', 'email'].some(
    (name) => body[name] && contacts.some((each) => each[name] === body[name]),
  );
  if (isTaken) return refuse(422, 'Phone number has already been taken');
  const contact = { custom_attributes: {}, ...body, id: nextId++, created_at: timeOf(1) };
  contacts.unshift(contact);
  return { status: 200, body: { payload: { contact } } };
};

const update = (found: Fields, body: Fields): Answer => {
  const custom_attributes = { ...Object(found.custom_attributes), ...Object(body.custom_attributes) };
  return { status: 200, body: { payload: Object.assign(found, body, { custom_attributes }) } };
};

const optedOut = '+12025550104';

const send = (body: Fields): Answer => {
  if (!body.source_id || !body.template_params) return refuse(422, 'source_id is required');
  if (body.source_id === optedOut) return refuse(422, 'The contact is blocked');
  return { status: 200, body: { id: nextId++, status: 'open' } };
};

const respond = (method: string, { pathname, searchParams }: URL, body: Fields): Answer => {
  const [, resource, id, inner] =
    /^\/api\/v1\/accounts\/7\/(contacts|conversations)(?:\/(\w+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
  const call = `${method} ${[resource, id && ':id', inner].filter(Boolean).join('/')}`;
  if (call === 'GET contacts') return paged(contacts, searchParams);
  if (call === 'POST contacts') return create(body);
  if (call === 'POST conversations') return send(body);
  if (call === 'GET conversations') return paged(conversations, searchParams);
  if (call === 'GET contacts/:id' && id === 'search') {
    const asked = searchParams.get('q')?.toLowerCase();
    const isFound = ({ phone_number, email }: Fields) => phone_number === asked || email === asked;
    return paged(contacts.filter(isFound), searchParams);
  }
  const all = resource === 'contacts' ? contacts : conversations;
  const found = all.find((each) => String(each.id) === id);
  if (!found) return refuse(404, 'Resource could not be found');
  if (call === 'GET contacts/:id') return { status: 200, body: { payload: found } };
  if (call === 'PUT contacts/:id') return update(found, body);
  if (call === 'GET conversations/:id') return { status: 200, body: found };
  if (call === 'GET conversations/:id/messages') return paged(messagesOf(Number(found.id)), searchParams);
  if (call === 'DELETE contacts/:id') {
    contacts.splice(contacts.indexOf(found), 1);
    return { status: 200 };
  }
  return refuse(404, 'Not found');
};

const credentials = `Basic ${Buffer.from('noor:tok_desk').toString('base64')}`;

/** The service. */
export const service = jsonApi(
  ({ authorization }) => authorization === credentials,
  refuse(401, 'You need to sign in'),
  respond,
);

/** The path of its address. */
export const path = '';

const file = 'src/api/service.ts';

/** What differs from the contract, by whole lines. */
export const edits: Edit[] = [
  {
    file: 'src/api/connection.ts',
    from: 'export const connectionFields = {} satisfies',
    to: `export const connectionFields = {
  account_id: { label: 'Account ID', helpText: 'Copy it from the address of your account.', example: '7' },
  user: { label: 'User', helpText: 'Enter the name that you sign in with.', example: 'noor' },
} satisfies`,
  },
  {
    file,
    from: 'export const missing: Missing = { calls: [], events: [], filters: [], fields: [] };',
    to: `export const missing: Missing = {
  calls: ['getWorkspace', 'listChannels', 'listTemplates', 'listMessages', 'getMessage', 'listCampaigns',
    'getCampaign', 'triggerCampaign', 'createWebhook', 'listWebhooks', 'deleteWebhook'],
  events: [],
  filters: ['listContacts.query', 'listContacts.tag', 'listContacts.consent'],
  fields: ['contact.last_name', 'contact.language', 'contact.consent', 'contact.tags', 'message.source'],
};`,
  },
  { file, from: 'keepsIdempotencyKeys: boolean = true;', to: 'keepsIdempotencyKeys: boolean = false;' },
  {
    file,
    from: "import { bearer, standardWebhooks } from './presets';",
    to: "import { basic, echo, type Fields, fromEpoch, list, one, pageNumbers, standardWebhooks } from './presets';",
  },
  { file, from: "prefix: string = '/v1';", to: "prefix: string = '/api/v1/accounts/{account_id}';" },
  { file, from: 'authorize: Authorize = bearer;', to: 'authorize: Authorize = basic(({ user }) => user);' },
  {
    file,
    from: 'export const hooks: Hooks = {};',
    to: `const pages = pageNumbers({ total: 'meta.count', fixed: ${pageSize} });
const readContact = ({ name, phone_number: phone, custom_attributes: attributes, created_at, ...others }: Fields) => {
  return { ...others, first_name: name, phone, attributes, created_at: fromEpoch(created_at) };
};
const write = ({ body }: Call) => {
  const { first_name: name, phone: phone_number, attributes: custom_attributes, ...others } = Object(body);
  return { body: { ...others, name, phone_number, custom_attributes } };
};
const readConversation = ({ id, status: word, meta, created_at: time }: Fields) => {
  const { sender, channel, assignee } = Object(meta);
  const [status, created_at] = [word === 'resolved' ? 'closed' : 'open', fromEpoch(time)];
  return { id, status, channel, assignee: assignee?.name, contact: sender && readContact(sender), created_at };
};
const readMessage = ({ content: text, message_type: type, private: isNote, created_at, ...others }: Fields) => {
  if (isNote) return undefined;
  return { ...others, text, direction: type === 0 ? 'inbound' : 'outbound', created_at: fromEpoch(created_at) };
};
const contacts = list(pages, 'payload', readContact);

export const hooks: Hooks = {
  sendMessage: {
    path: \`\${prefix}/conversations\`,
    request: ({ body }) => {
      const { to, channel, template: name, variables } = Object(body);
      return { body: { source_id: to, inbox_id: channel, template_params: { name, processed_params: variables } } };
    },
    response: echo(),
  },
  listContacts: {
    ...contacts,
    request: async (call, read) => {
      const q = call.query.phone ?? call.query.email;
      return q ? { path: \`\${call.path}/search\`, query: { q: String(q) } } : { ...(await contacts.request?.(call, read)) };
    },
  },
  createContact: { request: write, ...one(readContact, 'payload.contact') },
  getContact: one(readContact, 'payload'),
  updateContact: { method: 'PUT', request: write, ...one(readContact, 'payload') },
  listConversations: list(pages, 'payload', readConversation),
  getConversation: one(readConversation),
  listConversationMessages: list(pages, 'payload', readMessage),
};`,
  },
  {
    file,
    from: 'export const response = (given: HttpResponse, _call: Call): HttpResponse => given;',
    to: `export const response = (given: HttpResponse, { name }: Call): HttpResponse => {
  const isTaken = name === 'createContact' && /taken/.test(String(Object(given.body).message));
  return isTaken ? { ...given, status: 409 } : given;
};`,
  },
];

/** What people enter besides the address and the token. */
export const connection = { account_id: '7', user: 'noor' };

const phone = '+12025550103';

/** Runs of steps in order, with what they return. */
export const runs: [path: string, inputData: object, expected: unknown][] = [
  ['authentication.test', {}, { name: expect.any(String) }],
  [
    'creates.send_message.operation.perform',
    { channel: '7', template: '42', to: phone, variables: { '1': 'PX-1' } },
    { id: expect.stringMatching(/^\d+$/), to: phone },
  ],
  [
    'creates.create_contact.operation.perform',
    { phone: '+12025550177', first_name: 'Noor' },
    { phone: '+12025550177', first_name: 'Noor', id: expect.stringMatching(/^\d+$/) },
  ],
  [
    'creates.update_contact.operation.perform',
    { contact: '897', attributes: { city: 'Delft' } },
    { attributes: { city: 'Delft', street: 'Quay' } },
  ],
  ['searches.find_contact.operation.perform', { phone }, [{ id: '897', first_name: 'Noor 3', phone }]],
  ['searches.find_contact.operation.perform', { phone: '+12025550199' }, []],
  [
    'searches.find_conversation_history.operation.perform',
    { conversation: '497' },
    [{ id: '497', assignee: 'Sam Okafor', channel: 'whatsapp', transcript: expect.not.stringContaining('SECRET') }],
  ],
];
