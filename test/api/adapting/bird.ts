/**
 * A part of Bird's API for one workspace, from its public documentation (https://docs.bird.com/api): contacts, channels and
 * sending a template. Its messages are listed by channel, and a webhook subscription is for one event, so they aren't here.
 */
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import type { FieldChanges } from './adapt';
import type { Edit } from './copy';

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

const resources = 'src/api/resources.ts';
const endpoints = 'src/api/endpoints.ts';
const errors = 'src/api/errors.ts';
const transport = 'src/api/service.ts';

/** What differs from the contract, by whole lines. */
export const edits: Edit[] = [
  {
    file: endpoints,
    from: "export const pathPrefix = '/v1';",
    to: "export const pathPrefix = '/workspaces/ws_1';",
  },
  {
    file: endpoints,
    from: 'export const keepsIdempotencyKeys: boolean = true;',
    to: 'export const keepsIdempotencyKeys: boolean = false;',
  },
  {
    file: endpoints,
    from: 'export const missing: readonly Fact[] = [];',
    to: `export const missing: readonly Fact[] = [
  ...(['getWorkspace', 'listMessages', 'getMessage', 'listTemplates', 'listConversations'] as const),
  ...(['getConversation', 'listConversationMessages', 'listCampaigns', 'getCampaign', 'triggerCampaign'] as const),
  ...(['createWebhook', 'listWebhooks', 'deleteWebhook', 'contact_exists', 'x-request-id'] as const),
];`,
  },
  {
    file: endpoints,
    from: '  z.looseObject({ data: z.array(item), next_cursor: nullish.cursor });',
    to: `  z.looseObject({
    data: wire.renamed('results', z.array(item)),
    next_cursor: wire.renamed('nextPageToken', nullish.cursor),
  });`,
  },
  { file: endpoints, from: '    after: optional.text,', to: "    after: wire.renamed('pageToken', optional.text)," },
  {
    file: resources,
    from: '{ key: field.text, name: nullish.text }',
    to: "{ key: wire.renamed('id', field.text), name: nullish.text }",
  },
  {
    file: resources,
    from: 'export type Scope =',
    to: `wire.mapNames((name) => name.replace(/_[a-z]/g, (letter) => letter.charAt(1).toUpperCase()));
wire.mapValues(vocabulary.direction, { inbound: 'incoming', outbound: 'outgoing' });
export type Scope =`,
  },
  // A contact has its phone number and email as identifiers, and its names as attributes.
  {
    file: resources,
    from: `export const contact = resource(
  'Contact',
  z.looseObject({`,
    to: `const identifiers = z.array(z.object({ key: z.string(), value: z.string() }));
const valueOf = (all: z.output<typeof identifiers>, wanted: string) => all.find(({ key }) => key === wanted)?.value;

/** Writes a contact as Bird takes it. */
export const toContact = ({ phone, email, firstName, lastName, attributes, ...others }: Record<string, unknown>) => ({
  ...others,
  identifiers: [
    ...(phone ? [{ key: 'phonenumber', value: phone }] : []),
    ...(email ? [{ key: 'emailaddress', value: email }] : []),
  ],
  attributes: { ...Object(attributes), firstName, lastName },
});

const contactForm = {
  theirs: z.looseObject({ featuredIdentifiers: identifiers, attributes: z.looseObject({}) }),
  fromWire: ({ featuredIdentifiers: all, attributes: { firstName, lastName, ...attributes }, ...others }: {
    featuredIdentifiers: z.output<typeof identifiers>;
    attributes: Record<string, unknown>;
  }) => ({
    ...others,
    phone: valueOf(all, 'phonenumber'),
    email: valueOf(all, 'emailaddress'),
    firstName,
    lastName,
    attributes,
  }),
  toWire: (ours: object) => {
    const { identifiers: featuredIdentifiers, ...others } = toContact({ ...ours });
    return { ...others, featuredIdentifiers };
  },
};

export const contact = resource(
  'Contact',
  wire.shaped(z.looseObject({`,
  },
  {
    file: resources,
    from: `    updated_at: nullish.time,
  }),
  {
    id: 'con_7Hq2Zr',`,
    to: `    updated_at: nullish.time,
  }), contactForm),
  {
    id: 'con_7Hq2Zr',`,
  },
  {
    file: endpoints,
    from: '    body: z.strictObject(contactFields),',
    to: `    body: wire.shaped(z.strictObject(contactFields), {
      theirs: z.unknown(),
      fromWire: (body) => body,
      toWire: (ours) => toContact({ ...ours }),
    }),`,
  },
  {
    file: endpoints,
    from: '    body: z.strictObject({ ...contactFields, add_tags: optional.texts, remove_tags: optional.texts }),',
    to: `    body: wire.shaped(
      z.strictObject({
        ...contactFields,
        add_tags: wire.missing(optional.texts),
        remove_tags: wire.missing(optional.texts),
      }),
      { theirs: z.unknown(), fromWire: (body) => body, toWire: (ours) => toContact({ ...ours }) },
    ),`,
  },
  { file: endpoints, from: '  template,\n  vocabulary,', to: '  template,\n  toContact,\n  vocabulary,' },
  // Contacts are searched by an identifier, and messages are sent to a channel. Errors have a message alone.
  {
    file: transport,
    from: 'export const request = (call: Call): Call => call;',
    to: `export const request = (call: Call): Call => {
  const { phone, email, ...query } = call.query;
  const identifier = phone
    ? { key: 'phonenumber', value: String(phone) }
    : { key: 'emailaddress', value: email && String(email) };
  if (identifier.value) return { ...call, method: 'POST', path: \`\${call.path}/search\`, query: {}, body: { identifier } };
  if (call.method !== 'POST' || !call.path.endsWith('/messages')) return { ...call, query };
  const { to, template, variables } = Object(call.body);
  const receiver = { contacts: [{ identifierKey: 'phonenumber', identifierValue: to }] };
  const path = '/workspaces/ws_1/channels/{channel}/messages';
  return { ...call, path, body: { receiver, template: { projectId: template, version: 'latest', variables } } };
};`,
  },
  {
    file: transport,
    from: 'export const response = (answer: Answer, _call: Call): Answer => answer;',
    to: `const codes = new Map([[401, 'invalid_token'], [404, 'not_found'], [422, 'validation_failed'], [429, 'rate_limited']]);

export const response = (answer: Answer, _call: Call): Answer => {
  if (answer.status < 400) return answer;
  const code = codes.get(answer.status) ?? 'refused';
  return { ...answer, body: { error: { code, message: Object(answer.body).message } } };
};`,
  },
];

/** What differs in fields, by their declaration. */
export const fields: FieldChanges[] = [
  [resources, 'export const personFields', { language: 'missing' }],
  [endpoints, 'const contactFields', { consent: 'missing', tags: 'missing' }],
  [endpoints, '  listContacts:', { query: 'missing', tag: 'missing' }],
  [errors, 'export const errorResponse', { request_id: 'missing' }],
  [resources, 'export const contact ', { username: 'missing', tags: 'missing', consent: 'missing', url: 'missing' }],
  [
    resources,
    'export const message ',
    {
      conversation_id: 'missing',
      contact: 'missing',
      campaign_id: 'missing',
      reply_to: 'missing',
      channel: 'missing',
      from: 'missing',
      to: {
        schema:
          "wire.renamed('receiver', wire.shaped(nullish.phone, { theirs: z.looseObject({ contacts: z.array(z.looseObject({ identifierValue: z.string() })) }), fromWire: ({ contacts }) => contacts[0]?.identifierValue, toWire: (to) => ({ contacts: [{ identifierKey: 'phonenumber', identifierValue: to }] }) }))",
      },
      template: 'missing',
      variables: 'missing',
      text: {
        schema:
          "wire.renamed('body', wire.shaped(nullish.text, { theirs: z.looseObject({ text: z.looseObject({ text: z.string() }) }), fromWire: ({ text }) => text.text, toWire: (text) => ({ type: 'text', text: { text } }) }))",
      },
      status: { schema: 'nullish.text' },
      error: 'missing',
      source: 'missing',
      sent_at: 'missing',
      delivered_at: 'missing',
      read_at: 'missing',
      failed_at: 'missing',
    },
  ],
];

/** What conformance can't choose by itself. */
export const message = ['--template', 'project_1', '--channel', 'ch_1', '--variables', '{"parcel":"PX-1"}'];

/** The steps of the app. */
export const steps = [
  'new_contact',
  ...['send_message', 'create_contact', 'upsert_contact', 'update_contact', 'delete_contact', 'api_request'],
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
    'creates.upsert_contact.operation.perform',
    { phone: '+12025550177', last_name: 'Bos' },
    { phone: '+12025550177', first_name: 'Sanne', last_name: 'Bos' },
  ],
  ['creates.update_contact.operation.perform', { contact: id, first_name: 'Nora' }, { id, first_name: 'Nora', phone }],
  ['creates.delete_contact.operation.perform', { contact: id }, { id }],
  ['searches.find_contact.operation.perform', { phone }, []],
];
