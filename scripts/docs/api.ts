import * as z from 'zod/mini';
import { decodeDelivery } from '../../src/api/decode';
import { encode, encodeDelivery } from '../../src/api/encode';
import {
  apiPlan,
  calls,
  type Endpoint,
  type EndpointName,
  endpoints,
  headers,
  keepsIdempotencyKeys,
  pageSize,
  pathPrefix,
  webhookDays,
} from '../../src/api/endpoints';
import { errorCodes, errorResponse, type Outcome } from '../../src/api/errors';
import { delivery, deliveryHeaders, events, signing } from '../../src/api/events';
import { toLabel } from '../../src/api/labels';
import * as resources from '../../src/api/resources';
import { itemOf } from '../../src/api/schema';
import { toWire } from '../../src/api/translate';
import { nameOnWire, openEnum, wordsOnWire } from '../../src/api/wire';
import { namedResources } from '../openapi/named-schemas';
import { requestsOf } from '../openapi/requests';
import { usesStandardWebhooks } from '../openapi/webhooks';
import { type Access, nameSteps } from './access';
import { blocks, bullets, code, codes, linkTo, page, table } from './markdown';

const { sendMessage, listContacts, getContact, updateContact, createWebhook } = endpoints;
const { contact, message, webhook, webhookFilters } = resources;

/** Returns the service's name for a field. */
const nameOf = (schema: z.ZodMiniObject, key: string): string => {
  const field = schema.def.shape[key];
  if (!field) throw new Error(`The contract has no field ${key}.`);
  return code(nameOnWire(key, field));
};

/** Returns a value as the service sends it. */
const exampleOf = (schema: z.ZodMiniType, ours: unknown): string => code(JSON.stringify(toWire(schema, ours)));

const queryFor = (query: object): string => {
  const given = Object.entries(encode(listContacts, { query }).query).filter(([, value]) => value);
  return code(given.map(([name, value]) => `${name}=${value}`).join('&'));
};

const { id, created_at } = contact.sample;

const specified: string[][] = [
  [
    'Address',
    `Each account has its own base address. Every path begins with ${code(pathPrefix)}. The interface is in beta.`,
  ],
  [
    'Token',
    'Each request has the header `Authorization: Bearer <token>`. A token belongs to a workspace, is limited by scopes, and can be rotated at any time.',
  ],
  [
    'Sending',
    `${code(`${sendMessage.method} ${sendMessage.path}`)} takes JSON with \`channel\`, \`to\`, \`template\` and \`variables\`. \`to\` is a phone number in international format with a leading plus. \`variables\` maps names to strings. A time of day is \`HH:MM\`.`,
  ],
  [
    'Channels',
    "A messaging app is one channel. The specification doesn't give its value: the samples and the sandbox use `whatsapp`, and `sms` for a second one.",
  ],
  [
    'Capabilities',
    'The API manages contacts, sends messages, starts campaigns and reads the history of conversations.',
  ],
  ['Events', 'Webhooks report events of messages, conversations and campaigns.'],
  ['Plans', 'The API needs the Growth plan or above. Webhooks need the Advanced plan or above.'],
];

const transport: string[][] = [
  [
    'Names, ids and times',
    `They look like ${exampleOf(contact.schema, { id, created_at })}. Ids are opaque. Times are in UTC.`,
    'Most APIs of this kind do the same. A prefix tells people what an id is. A numeric id is read as a string.',
  ],
  [
    'Single records',
    `A response looks like ${exampleOf(getContact.response, { id })}.`,
    'An envelope would hold nothing else, because the request id is in a header.',
  ],
  [
    'Lists',
    `The newest records come first. The last page looks like ${exampleOf(listContacts.response, { data: [{ id }], next_cursor: null })}.`,
    'Zapier needs the newest records first. A cursor neither skips nor repeats records when new ones arrive.',
  ],
  [
    'Pages',
    `A page has at most ${pageSize.max} records, and ${pageSize.default} by default. ${queryFor({ limit: pageSize.max })} asks for the first page, and ${queryFor({ limit: pageSize.max, after: 'CURSOR' })} for the page at a cursor.`,
    'These are the usual names and limits. Steps that need one page ask for the largest.',
  ],
  [
    'Filters',
    'A filter takes one value, or several separated by commas.',
    'One request then covers what would take several. The app filters again, in case the service ignores a filter.',
  ],
  [
    'Request id',
    `Every response has the header \`${headers.requestId}\`.`,
    'Unexpected errors show it, so that support can find the request. The app works without it.',
  ],
  [
    'Rate limit',
    `The status is 429, with \`${headers.retryAfter}\` in seconds or as an HTTP date.`,
    'HTTP defines both. Zapier retries the step after that time.',
  ],
  ...(keepsIdempotencyKeys
    ? [
        [
          'Idempotency',
          `Every POST has \`${headers.idempotencyKey}\`: the value of Send Only Once Per with the recipient and the template, as a hash, or a random one for this run. For 24 hours, the same key and body return the first response with \`${headers.idempotentReplayed}: true\` and do nothing. While the first request runs, a repeat is an error. So is the same key with another body.`,
          'A response can get lost after the work is done, and Zapier replays runs. With a key, the app can ask for the response again. Without one, customers would get messages twice.',
        ],
      ]
    : []),
  [
    'Life of a webhook',
    `A webhook lives for at least ${webhookDays} days.`,
    'Send Message and Wait for Reply waits for up to 30 days, but never longer than its webhook lives.',
  ],
  [
    'Success',
    'Each endpoint has one status, but any 2xx counts.',
    'The specification names no status, and the app needs only the body.',
  ],
];

const fieldNames = (schema: z.ZodMiniObject): string =>
  Object.entries(schema.def.shape)
    .map(([name, field]) => {
      const inner = itemOf(field);
      const hasFields = inner instanceof z.ZodMiniObject && Object.keys(inner.def.shape).length > 0;
      return code(nameOnWire(name, field)) + (hasFields ? ` (${fieldNames(inner)})` : '');
    })
    .join(', ');

const resourceLines = (): string =>
  bullets(namedResources.map(({ noun, schema }) => `**${noun}**: ${fieldNames(schema)}`).toSorted());

interface Area {
  title: string;
  names: RegExp;
  /** What the table of endpoints can't say. */
  notes: string[];
}

/** The endpoints by what they are about. */
const areas: Area[] = [
  {
    title: 'Messages',
    names: /^[a-z]+Messages?$/,
    notes: [
      '`sendMessage` takes the four specified fields and no other. Every variable is a string. Empty `variables` are left out.',
    ],
  },
  {
    title: 'Workspace, channels and templates',
    names: /Workspace|Channel|Template/,
    notes: ['`getWorkspace` tests the connection. It needs no scope, so every valid token passes.'],
  },
  {
    title: 'Contacts',
    names: /Contact/,
    notes: [
      `\`createContact\` refuses a phone number or email that another contact has, with that contact's id as ${nameOf(errorResponse.shape.error, 'existing_id')}.`,
      `\`updateContact\` changes the fields that it gets. ${nameOf(updateContact.body, 'add_tags')} and ${nameOf(updateContact.body, 'remove_tags')} keep a contact's other tags.`,
    ],
  },
  { title: 'Conversations', names: /Conversation/, notes: [] },
  {
    title: 'Campaigns',
    names: /Campaign/,
    notes: [
      '`triggerCampaign` with an empty body messages the saved audience. With `to` and `variables`, it messages one recipient.',
      'A campaign skips people who opted out. If the one recipient did, the call still succeeds.',
    ],
  },
  {
    title: 'Webhooks',
    names: /Webhook/,
    notes: [
      `\`createWebhook\` takes ${nameOf(createWebhook.body, 'filters')}: ${fieldNames(webhookFilters)}. A filter that is left out lets everything through.`,
      `\`createWebhook\` returns ${nameOf(webhook.schema, 'secret')} once. Several webhooks can watch the same event, and deleting one leaves the others. Zapier renews a webhook before ${nameOf(webhook.schema, 'expires_at')}. If that is neither null nor one certain moment in the future, the trigger deletes the webhook and isn't turned on.`,
      `Send Message and Wait for Reply deletes its webhook when the reply comes. Without a reply, the webhook stays until ${nameOf(webhook.schema, 'expires_at')}.`,
      '`deleteWebhook` may return 404 for a webhook that is gone. The app takes that as success.',
    ],
  },
];

const maxNamedUsers = 8;

/** Lists the steps that call an endpoint. API Request can call any of them. */
const usersOf = (name: EndpointName, accesses: Access[]): string => {
  if (name === 'getWorkspace') return 'the connection test';
  const isUser = ({ step, endpoints: called }: Access): boolean => step.key !== 'api_request' && called.has(name);
  const names = nameSteps(accesses, isUser);
  if (names.split(', ').length <= maxNamedUsers) return names || 'conformance checks only';
  return `the ${name.replace(/^list/, '').toLowerCase()} dropdown of ${accesses.filter(isUser).length} steps`;
};

const callRows = (name: EndpointName, endpoint: Endpoint, accesses: Access[]): string[][] =>
  requestsOf(name, endpoint).map(({ operationId, method, path, inQuery, inBody }) => [
    operationId,
    code(`${method} ${path}`),
    codes([...inQuery, ...inBody]),
    endpoint.scope ? code(endpoint.scope) : 'none',
    String(endpoint.status),
    usersOf(name, accesses),
  ]);

const areaSection = ({ title, names, notes }: Area, accesses: Access[]): string => {
  const found = calls.filter(([name]) => names.test(name));
  const rows = found.flatMap(([name, endpoint]) => callRows(name, endpoint, accesses));
  return blocks(
    `### ${title}`,
    table(['Call', 'Request', 'Parameters', 'Scope', 'Status', 'Used by'], rows),
    bullets(notes),
  );
};

const areaSections = (accesses: Access[]): string[] => {
  const missing = calls.map(([name]) => name).filter((name) => areas.every(({ names }) => !names.test(name)));
  if (missing.length > 0) throw new Error(`No area in scripts/docs/api.ts has ${missing.join(', ')}.`);
  return areas.map((area) => areaSection(area, accesses));
};

const vocabularyRows = (): string[][] =>
  Object.entries(resources.vocabulary).map(([name, words]) => [
    name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    codes(wordsOnWire(openEnum(words)) ?? []),
  ]);

const eventRows = (): string[][] =>
  Object.entries(events).map(([name, { noun }]) => [code(String(toWire(delivery.shape.type, name))), noun]);

const outcomes: Record<Outcome, string> = {
  halt: 'stops this run; the Zap stays on',
  reconnect: 'asks to reconnect the account',
  refuse: 'fails, and says which scope or plan is missing',
  wait: 'retries the step later',
  fail: 'fails, and says that the service failed',
};

const errorRows = (): string[][] =>
  Object.entries(errorCodes).map(([name, { status, outcome }]) => [
    String(status),
    code(String(toWire(errorResponse.shape.error.shape.code, name))),
    outcomes[outcome],
  ]);

/** The assumptions that change what customers get when they are wrong. */
const critical: string[] = [
  '**Idempotency.** If the service ignores the key, Send Only Once Per has no effect, and a retry or a replay sends a second message. Then set `keepsIdempotencyKeys` in `src/api/endpoints.ts` to false, so that the app repeats no POST.',
  `**Filters of webhooks.** The app filters again, so a trigger stays right without them. The exception is Sent By: a message without ${nameOf(message.schema, 'source')} passes if \`createWebhook\` returned the filter ${nameOf(webhookFilters, 'source')}, so the service must apply what it returns. Send Message and Wait for Reply needs ${nameOf(webhookFilters, 'from')}: without it, the step refuses to send.`,
  "**Signatures.** The app refuses a delivery that it can't verify. With another signing method, no trigger starts.",
  '**Order of lists.** If lists are oldest first, New Contact misses contacts, and searches find the wrong conversation.',
  `**Error codes.** With other codes, the app goes by the status. The run still stops, with more general advice. But Create or Update Contact can't find an existing contact without ${code(String(toWire(errorResponse.shape.error.shape.code, 'contact_exists')))} and ${nameOf(errorResponse.shape.error, 'existing_id')}.`,
  '**Opt-outs.** The app sends what it is told to send. It relies on the service to refuse people who opted out.',
];

const describeDelivery = (): string => {
  const event = {
    id: 'evt_8Yw3Pk',
    type: 'message.read',
    created_at,
    workspace_id: resources.workspace.sample.id,
  } as const;
  const delivered = encodeDelivery({ ...event, data: { id: message.sample.id, status: 'read' } });
  const isWhole = decodeDelivery(delivered)?.some(({ data }) => 'status' in data);
  return [
    `Each event is a POST to the webhook, such as ${code(JSON.stringify(delivered))}.`,
    isWhole
      ? 'Its record has every field, as a GET returns it, so a Zap needs no further request.'
      : 'It has only the id of its record, so a trigger gets the record with one request.',
  ].join(' ');
};

const describeSignature = (): string => {
  if (!signing) {
    const weaker = linkTo("If the service doesn't sign payloads", '../SECURITY.md');
    return `The service doesn't sign events. The app adds a secret to the address of each webhook: see ${weaker}.`;
  }
  const { parts, encoding, prefix } = signing;
  const named = parts.flatMap((part) => (part === 'body' ? [] : deliveryHeaders[part]));
  return [
    usesStandardWebhooks
      ? 'The service signs events by [Standard Webhooks](https://www.standardwebhooks.com), because libraries for it exist in most languages.'
      : 'The service signs events.',
    `The headers are ${codes([...named, deliveryHeaders.signature])}.`,
    `The signature is ${code(prefix)} and the ${encoding} HMAC-SHA256 of ${code(parts.join('.'))}.`,
    'While a secret is rotated, there are several, separated by spaces.',
  ].join(' ');
};

/** Renders what the app takes the API to be: what is specified, what is assumed, and why. */
export const renderApi = (accesses: Access[]): string =>
  page(
    '<!-- Made from src/api by `npm run docs`. Edit scripts/docs/api.ts. -->',
    '# The API: what is specified, what is assumed',
    'The specification of the service is short. An app needs more than it says, so `src/api` adds assumptions: the most common choice among comparable APIs. Each fact is in one place of `src/api`, and is marked `specified` or `assumed` there.',
    'To check the assumptions against your service, run `npm run conformance`. Where one differs, [adapting.md](adapting.md) shows the edit. [openapi.json](openapi.json) has every schema with examples; `x-basis` marks its assumptions.',
    "The app reads tolerantly: it accepts unknown fields, unknown statuses and missing optional fields, because a service adds to its API over time. An optional field of the wrong type becomes null and changes no other. Among tags, custom details and template variables, numbers and booleans become text. It writes strictly: it sends no field that isn't described here.",
    '## Confirm these first',
    'If one of these assumptions is wrong, customers get too many messages or none, or a step uses the wrong record.',
    bullets(critical),
    '## Specified',
    table(['Subject', 'Fact'], specified),
    '## Transport',
    'All of this is assumed.',
    table(['Subject', 'Assumption', 'Why'], transport),
    '## Endpoints',
    `Specified: the request of \`sendMessage\`, and that the API covers contacts, conversations, campaigns and webhooks. Assumed: everything else here. Every call needs the ${toLabel(apiPlan)} plan, and webhooks need ${toLabel(endpoints.createWebhook.plan)}. Scopes are specified, but their names are assumed. API Request can make any call. [openapi.json](openapi.json) has the body of each request.`,
    ...areaSections(accesses),
    '## Resources',
    'Only the four fields of a send are specified. The others are what comparable services have and Zaps use. Only what identifies a record is required.',
    resourceLines(),
    'Known values. The service may add others, but the app sends only these:',
    table(['Field', 'Values'], vocabularyRows()),
    '## Events',
    describeDelivery(),
    table(['Event', 'Carries'], eventRows()),
    describeSignature(),
    'An event can be delivered more than once and in any order. Any 2xx is a success, and 410 deletes the webhook. After any other response, or 10 seconds without one, the service tries again after growing pauses, up to 8 times in total. The app accepts deliveries of any age, because Zapier holds and replays them.',
    '## Errors',
    `The plans are specified. The format and codes are assumed: ${fieldNames(errorResponse)}. The app also reads other formats, such as RFC 9457, and accepts HTML and empty bodies.`,
    table(['Status', 'Code', 'The Zap'], errorRows()),
    "Any 5xx, 408 and 425, and a success that isn't JSON, count as failures of the service. A search treats 404 as no result.",
  );
