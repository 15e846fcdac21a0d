/**
 * A part of Trengo's API, from its public documentation (https://developers.trengo.com): contacts, tickets, their messages
 * and WhatsApp templates. Its webhooks have one address for each event, so they aren't here.
 */

import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { changeFields, type FieldChanges } from './adapt';
import { type Edit, makeEdit } from './copy';

const pageSize = 25;

interface Contact {
  id: number;
  name: string;
  identifier: string;
  email: string;
  phone: string;
  created_at: string;
}

const timeOf = (minute: number): string => new Date(Date.UTC(2026, 5, 11, 9, minute)).toISOString();

const contacts: Contact[] = Array.from({ length: 60 }, (_, index) => {
  const phone = `+120255501${String(index).padStart(2, '0')}`;
  return {
    id: 900 - index,
    name: `Noor ${index}`,
    identifier: phone,
    email: `noor${index}@example.com`,
    phone,
    created_at: timeOf(-index),
  };
});

const channel = { id: 7, name: 'WhatsApp', type: 'WA_BUSINESS' };
const states = ['OPEN', 'ASSIGNED', 'CLOSED'];

let nextId = 901 + contacts.length;

const tickets = contacts.slice(0, 30).map((contact, index) => ({
  id: 500 - index,
  subject: 'Parcel',
  status: states[index % 3],
  contact,
  channel,
  assignee: { id: 3, name: 'Sam Okafor', email: 'sam@example.com', is_admin: false },
  created_at: timeOf(-index),
  updated_at: timeOf(-index),
}));

const messagesOf = (ticket: number) =>
  Array.from({ length: 30 }, (_, index) => ({
    id: ticket * 100 - index,
    ticket_id: ticket,
    body: `Hello ${index}`,
    type: index % 2 === 0 ? 'INBOUND' : 'OUTBOUND',
    attachments: [],
    created_at: timeOf(-index),
  }));

interface Answer {
  status: number;
  body?: unknown;
}

const refuse = (status: number, message: string): Answer => ({ status, body: { message } });

const paged = (all: readonly unknown[], page: string): Answer => {
  if (!/^[1-9]\d{0,5}$/.test(page)) return refuse(422, 'The page must be an integer.');
  const current = Number(page);
  const meta = {
    current_page: current,
    last_page: Math.max(1, Math.ceil(all.length / pageSize)),
    per_page: pageSize,
    total: all.length,
  };
  return { status: 200, body: { data: all.slice((current - 1) * pageSize, current * pageSize), meta } };
};

const matches = (contact: Contact, term: string): boolean =>
  [contact.name, contact.email, contact.phone].some((value) => value.toLowerCase().includes(term.toLowerCase()));

const requireFields = (body: Record<string, unknown>, names: string[]): Answer | undefined => {
  const missing = names.find((name) => body[name] === undefined);
  return missing ? refuse(422, `The ${missing} field is required.`) : undefined;
};

const create = (body: Record<string, unknown>): Answer => {
  const refused = requireFields(body, ['name', 'identifier', 'channel_id']);
  if (refused) return refused;
  if (contacts.some(({ identifier }) => identifier === body.identifier))
    return refuse(422, 'The identifier has already been taken.');
  const contact = {
    id: nextId++,
    name: '',
    identifier: '',
    email: '',
    phone: '',
    created_at: timeOf(1),
    ...body,
  };
  contacts.unshift(contact);
  return { status: 201, body: contact };
};

const send = (body: Record<string, unknown>): Answer =>
  requireFields(body, ['recipient_phone_number', 'hsm_id', 'channel_id']) ?? {
    status: 201,
    body: {
      id: 4711,
      ticket_id: 500,
      body: 'Your parcel arrives.',
      type: 'OUTBOUND',
      attachments: [],
      created_at: timeOf(2),
    },
  };

const respond = (method: string, { pathname, searchParams }: URL, body: Record<string, unknown>): Answer => {
  const page = searchParams.get('page') ?? '1';
  const [, resource, id, inner] = /^\/api\/v2\/([a-z]+)(?:\/(\w+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
  const byId = <T extends { id: number }>(all: readonly T[]): T | undefined =>
    all.find((each) => String(each.id) === id);
  const known = [...searchParams.keys()].every((name) =>
    ['page', 'term', 'contact_id', 'status', 'sort'].includes(name),
  );
  if (!known) return refuse(422, 'This parameter is unknown.');
  const call = `${method} ${[resource, id && ':id', inner].filter(Boolean).join('/')}`;
  if (call === 'GET contacts')
    return paged(
      contacts.filter((each) => matches(each, searchParams.get('term') ?? '')),
      page,
    );
  if (call === 'POST contacts') return create(body);
  if (call === 'POST whatsapp/:id') return send(body);
  if (call === 'GET tickets') {
    const contact = searchParams.get('contact_id');
    return paged(
      tickets.filter((each) => contact === null || String(each.contact.id) === contact),
      page,
    );
  }
  const found = resource === 'tickets' ? byId(tickets) : byId(contacts);
  if (!found) return refuse(404, 'Not found.');
  if (call === 'GET contacts/:id') return { status: 200, body: found };
  if (call === 'GET tickets/:id/messages') return paged(messagesOf(found.id), page);
  if (call === 'DELETE contacts/:id') {
    contacts.splice(
      contacts.findIndex((each) => each.id === found.id),
      1,
    );
    return { status: 204 };
  }
  return refuse(404, 'Not found.');
};

/** The service. */
export const service: RequestListener = async (request, response) => {
  const content = await text(request);
  const { status, body } =
    request.headers.authorization === 'Bearer tok_trengo'
      ? respond(
          request.method ?? '',
          new URL(request.url ?? '', 'http://localhost'),
          content ? JSON.parse(content) : {},
        )
      : refuse(401, 'Unauthenticated.');
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(body === undefined ? '' : JSON.stringify(body));
};

/** The path of its address. */
export const path = '/api/v2';

const resources = 'src/api/resources.ts';
const endpoints = 'src/api/endpoints.ts';
const transport = 'src/api/service.ts';

/** What differs from the contract, by whole lines. */
const edits: Edit[] = [
  { file: endpoints, from: "export const pathPrefix = '/v1';", to: "export const pathPrefix = '';" },
  {
    file: endpoints,
    from: "export const keepsIdempotencyKeys: boolean | 'unproven' = 'unproven';",
    to: 'export const keepsIdempotencyKeys: boolean = false;',
  },
  {
    file: endpoints,
    from: 'export const missing: readonly Fact[] = [];',
    to: `export const missing: readonly Fact[] = [
  ...(['getWorkspace', 'listMessages', 'getMessage', 'listChannels', 'listTemplates'] as const),
  ...(['getConversation', 'updateContact', 'listCampaigns', 'getCampaign', 'triggerCampaign'] as const),
  ...(['createWebhook', 'listWebhooks', 'deleteWebhook', 'contact_exists', 'x-request-id'] as const),
];`,
  },
  // Pages have numbers and a fixed size.
  {
    file: endpoints,
    from: '    limit: optional.number,\n    after: optional.text,',
    to: "    limit: wire.missing(optional.number),\n    after: wire.renamed('page', optional.text),",
  },
  {
    file: endpoints,
    from: '  z.looseObject({ data: z.array(item), next_cursor: nullish.cursor });',
    to: `  wire.shaped(z.looseObject({ data: z.array(item), next_cursor: nullish.cursor }), {
    theirs: z.object({ data: z.array(z.unknown()), meta: z.object({ current_page: z.number(), last_page: z.number() }) }),
    fromWire: ({ data, meta: { current_page: page, last_page: last } }) => ({
      data,
      next_cursor: page < last ? String(page + 1) : null,
    }),
    toWire: ({ data }, { query }) => ({ data, meta: { current_page: Number(query.page ?? 1), last_page: 1 } }),
  });`,
  },
  {
    file: endpoints,
    from: "listConversations: endpoint('GET', '/conversations'",
    to: "listConversations: endpoint('GET', '/tickets'",
  },
  {
    file: endpoints,
    from: "listConversationMessages: endpoint('GET', '/conversations/",
    to: "listConversationMessages: endpoint('GET', '/tickets/",
  },
  {
    file: endpoints,
    from: "sendMessage: endpoint('POST', '/messages'",
    to: "sendMessage: endpoint('POST', '/whatsapp/messages'",
  },
  {
    file: resources,
    from: 'export type Plan =',
    to: `wire.mapValues(vocabulary.conversationStatus, { open: ['OPEN', 'ASSIGNED'], closed: 'CLOSED' });
wire.mapValues(vocabulary.direction, { inbound: 'INBOUND', outbound: 'OUTBOUND' });
export type Plan =`,
  },
  // Contacts are searched by one term, and created on a channel. Errors have a message alone.
  {
    file: transport,
    from: 'export const request = (call: Call): Call => call;',
    to: `export const request = (call: Call): Call => {
  const { phone, email, query: text, ...query } = call.query;
  const term = phone ?? email ?? text;
  if (call.method !== 'POST' || call.path !== '/contacts') return { ...call, query: { ...query, ...(term ? { term } : {}) } };
  const { name, ...body } = Object(call.body);
  const identifier = body.phone ?? body.email;
  return { ...call, body: { ...body, identifier, name: name ?? identifier, channel_id: 7 } };
};`,
  },
  {
    file: transport,
    from: 'export const response = (answer: Answer, _call: Call): Answer => answer;',
    to: `const codes = new Map([[401, 'invalid_token'], [404, 'not_found'], [422, 'validation_failed'], [429, 'rate_limited']]);

export const response = (answer: Answer, _call: Call): Answer => {
  const code = codes.get(answer.status);
  return code ? { ...answer, body: { error: { code, message: Object(answer.body).message } } } : answer;
};`,
  },
];

/** What differs in fields, by their declaration. */
const fields: FieldChanges[] = [
  [resources, 'export const personFields', { first_name: { name: 'name' }, last_name: 'missing', language: 'missing' }],
  [endpoints, 'const contactFields', { consent: 'missing', tags: 'missing', attributes: 'missing' }],
  [endpoints, '  listContacts:', { tag: 'missing' }],
  [endpoints, '  listConversations:', { status: 'missing', channel: 'missing' }],
  [
    endpoints,
    '  sendMessage:',
    {
      channel: { schema: "wire.renamed('channel_id', field.id)" },
      to: { name: 'recipient_phone_number' },
      template: { name: 'hsm_id' },
      variables: {
        schema:
          "wire.renamed('params', wire.shaped(optional.variables, { theirs: z.array(z.object({ key: z.string(), value: z.string() })), fromWire: (all) => Object.fromEntries(all.map(({ key, value }) => [key, value])), toWire: (all) => Object.entries(all ?? {}).map(([key, value]) => ({ type: 'body', key, value })) }))",
      },
    },
  ],
  [endpoints.replace('endpoints', 'errors'), 'export const errorResponse', { request_id: 'missing' }],
  [
    resources,
    'export const contact ',
    {
      username: 'missing',
      tags: 'missing',
      attributes: 'missing',
      consent: 'missing',
      url: 'missing',
      updated_at: 'missing',
    },
  ],
  [resources, 'const person ', { username: 'missing' }],
  [
    resources,
    'export const conversation ',
    {
      channel: {
        schema:
          'wire.shaped(nullish.text, { theirs: z.looseObject({ type: z.string() }), fromWire: ({ type }) => type, toWire: (type) => ({ type }) })',
      },
      assignee: {
        schema:
          'wire.shaped(nullish.text, { theirs: z.looseObject({ name: z.string() }), fromWire: ({ name }) => name, toWire: (name) => ({ name }) })',
      },
      message_count: 'missing',
      url: 'missing',
      last_message_at: { name: 'updated_at' },
      closed_at: 'missing',
    },
  ],
  [
    resources,
    'export const message ',
    {
      conversation_id: { name: 'ticket_id' },
      contact: 'missing',
      campaign_id: 'missing',
      reply_to: 'missing',
      channel: 'missing',
      direction: { name: 'type' },
      from: 'missing',
      to: 'missing',
      template: 'missing',
      variables: 'missing',
      text: { name: 'body' },
      status: 'missing',
      error: 'missing',
      source: 'missing',
      sent_at: 'missing',
      delivered_at: 'missing',
      read_at: 'missing',
      failed_at: 'missing',
    },
  ],
];

/** What people enter besides the address and the token. */
export const connection = {};

/** Makes all edits in a copy of the project. */
export const adapt = (copy: string): void => {
  for (const edit of edits) makeEdit(copy, edit);
  for (const change of fields) changeFields(copy, change);
};

/** What conformance can't choose by itself. */
export const message = ['--template', '42', '--channel', '7', '--variables', '{"1":"PX-1"}'];

/** The steps of the app. */
export const steps = [
  'new_contact',
  ...['send_message', 'create_contact', 'delete_contact', 'call_api'],
  ...['find_contact', 'find_conversation_history', 'find_conversations'],
];

const phone = '+12025550103';

/** Runs of steps in order, with what they return. */
export const runs: [path: string, inputData: object, expected: unknown][] = [
  ['authentication.test', {}, { name: expect.any(String) }],
  [
    'creates.send_message.operation.perform',
    { channel: '7', template: '42', to: phone, variables: { '1': 'PX-1' } },
    { id: '4711', text: 'Your parcel arrives.', direction: 'outbound' },
  ],
  [
    'creates.create_contact.operation.perform',
    { phone: '+12025550177', first_name: 'Sanne' },
    { phone: '+12025550177', first_name: 'Sanne', id: expect.stringMatching(/^\d+$/) },
  ],
  [
    'creates.create_contact.operation.perform',
    { phone: '+12025550177' },
    expect.stringContaining('The identifier has already been taken.'),
  ],
  ['searches.find_contact.operation.perform', { phone }, [{ id: '897', first_name: 'Noor 3', phone }]],
  ['searches.find_contact.operation.perform', { email: 'NOOR7@example.com' }, [{ id: '893' }]],
  ['searches.find_contact.operation.perform', { phone: '+12025550199' }, []],
  [
    'searches.find_conversation_history.operation.perform',
    { phone, message_limit: '30' },
    [
      {
        id: '497',
        assignee: 'Sam Okafor',
        channel: 'WA_BUSINESS',
        status: 'open',
        awaiting_reply: true,
        complete: true,
      },
    ],
  ],
  [
    'searches.find_conversation_history.operation.perform',
    { conversation: '497' },
    [{ id: '497', last_inbound_text: 'Hello 0' }],
  ],
  ['creates.delete_contact.operation.perform', { contact: '890' }, { id: '890' }],
];
