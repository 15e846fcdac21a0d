import * as z from 'zod/mini';
import type { ErrorCode } from './errors';
import { closedEnum, field, nullish, openEnum, optional } from './fields';
import type { FieldLabels } from './labels';
import {
  type Basis,
  campaign,
  campaignRun,
  channel,
  contact,
  conversation,
  message,
  type Plan,
  personFields,
  type Scope,
  type Template,
  template,
  vocabulary,
  webhook,
  webhookFields,
  webhookFilters,
  workspace,
} from './resources';
import type { EndpointName, Method } from './transport';

/** The names of headers in requests and responses. */
export const headers = {
  requestId: 'x-request-id',
  retryAfter: 'retry-after',
  idempotencyKey: 'idempotency-key',
  idempotentReplayed: 'idempotent-replayed',
} as const;

/** The range of `limit` in a list call, and its value when it's left out. */
export const pageSize = { min: 1, max: 100, default: 20 } as const;

/** The start of every path. */
export const pathPrefix = '/v1';

/** The minimum number of days before a webhook expires. */
export const webhookDays = 30;

/** The number of characters in an idempotency key. */
export const idempotencyKeyLength = { min: 1, max: 255 } as const;

/** The size of the largest request body. */
export const maxBodyBytes = 1024 * 1024;

/** The lowest plan with access to the API. A call that needs a higher one has `plan`. */
export const apiPlan: Plan = 'growth';

interface Definition {
  scope: Scope | null;
  plan?: Plan;
  /** The status of a success, 200 when left out. Reading accepts any other 2xx. */
  status?: number;
  /** Assumed when left out. */
  basis?: Basis;
  /** The section of the specification that fixes the call, or the capability behind it. */
  section?: string;
  query?: z.ZodMiniObject;
  body?: z.ZodMiniType;
  /** Fields of the body, at least one of which has a value. */
  needsOneOf?: readonly string[];
  /** The body of a success. */
  response: z.ZodMiniType;
  /** Fields that every response has, although reading also works without them. */
  guarantees?: readonly string[];
  /** Whether the service does the call only once for each idempotency key. When left out, it does so for a POST. */
  keepsKeys?: boolean;
  /** Error codes that only some calls return. */
  errors?: readonly ErrorCode[];
}

const endpoint = <const M extends Method, const P extends string, const D extends Definition>(
  method: M,
  path: P,
  definition: D,
) => ({
  method,
  path: `${pathPrefix}${path}` as const,
  basis: 'assumed' satisfies Basis as Basis,
  status: 200,
  ...definition,
});

/** A response with a list: records newest first, and the cursor of the next page or null. */
export const list = <S extends z.ZodMiniType>(item: S) =>
  z.looseObject({ data: z.array(item), next_cursor: nullish.cursor });

/** A filter with one value or several. */
const several = <S extends z.ZodMiniType>(item: S) => z.optional(z.array(item));

/** The query of a list: its filters, and the page. */
const listQuery = <F extends z.core.$ZodLooseShape>(filters: F) =>
  z.object({
    ...filters,
    // Within `pageSize`. A check in the schema would add a tenth of zod to the app.
    limit: optional.number,
    after: optional.text,
  });

const sendErrors = [
  'template_not_found',
  'template_variables_missing',
  'template_not_approved',
  'recipient_opted_out',
  'recipient_unreachable',
] as const;

const contactFields = {
  ...personFields,
  consent: z.optional(closedEnum(vocabulary.consent)),
  tags: optional.texts,
  attributes: optional.textByName,
};

/** A webhook in a list. Only the response to its creation has the secret. */
const listedWebhook = z.looseObject(webhookFields);
export type ListedWebhook = z.output<typeof listedWebhook>;

export const endpoints = {
  sendMessage: endpoint('POST', '/messages', {
    scope: 'messages:write',
    // The specification allows no other field.
    body: z.strictObject({
      channel: field.text,
      to: field.phone,
      template: field.text,
      variables: field.variables,
    }),
    errors: sendErrors,
    response: message.schema,
    status: 202,
    basis: 'specified',
    section: '§4',
  }),
  listMessages: endpoint('GET', '/messages', {
    scope: 'messages:read',
    query: listQuery({
      direction: several(closedEnum(vocabulary.direction)),
      status: several(closedEnum(vocabulary.messageStatus)),
      channel: optional.texts,
      conversation_id: optional.texts,
      campaign_id: optional.texts,
    }),
    response: list(message.schema),
  }),
  getMessage: endpoint('GET', '/messages/{id}', {
    scope: 'messages:read',
    response: message.schema,
  }),
  getWorkspace: endpoint('GET', '/workspace', {
    scope: null,
    response: workspace.schema,
  }),
  listChannels: endpoint('GET', '/channels', {
    scope: 'messages:read',
    query: listQuery({}),
    response: list(channel.schema),
  }),
  listTemplates: endpoint('GET', '/templates', {
    scope: 'messages:read',
    query: listQuery({ channel: optional.texts, name: optional.texts, query: optional.text }),
    response: list(template.schema),
  }),
  listContacts: endpoint('GET', '/contacts', {
    scope: 'contacts:read',
    query: listQuery({
      phone: several(field.phone),
      email: optional.texts,
      query: optional.text,
      tag: optional.texts,
      consent: several(closedEnum(vocabulary.consent)),
    }),
    response: list(contact.schema),
    section: '§1',
  }),
  createContact: endpoint('POST', '/contacts', {
    scope: 'contacts:write',
    body: z.strictObject(contactFields),
    needsOneOf: ['phone', 'email'],
    errors: ['contact_exists'],
    response: contact.schema,
    status: 201,
    section: '§1',
  }),
  getContact: endpoint('GET', '/contacts/{id}', {
    scope: 'contacts:read',
    response: contact.schema,
    section: '§1',
  }),
  updateContact: endpoint('PATCH', '/contacts/{id}', {
    scope: 'contacts:write',
    body: z.strictObject({ ...contactFields, add_tags: optional.texts, remove_tags: optional.texts }),
    errors: ['contact_exists'],
    response: contact.schema,
    section: '§1',
  }),
  deleteContact: endpoint('DELETE', '/contacts/{id}', {
    scope: 'contacts:write',
    response: z.unknown(),
    status: 204,
    section: '§1',
  }),
  listConversations: endpoint('GET', '/conversations', {
    scope: 'conversations:read',
    query: listQuery({
      contact_id: optional.texts,
      status: several(closedEnum(vocabulary.conversationStatus)),
      channel: optional.texts,
    }),
    response: list(conversation.schema),
    section: '§1',
  }),
  getConversation: endpoint('GET', '/conversations/{id}', {
    scope: 'conversations:read',
    response: conversation.schema,
    section: '§1',
  }),
  listConversationMessages: endpoint('GET', '/conversations/{id}/messages', {
    scope: 'conversations:read',
    query: listQuery({}),
    response: list(message.schema),
    section: '§1',
  }),
  listCampaigns: endpoint('GET', '/campaigns', {
    scope: 'campaigns:read',
    query: listQuery({
      status: several(closedEnum(vocabulary.campaignStatus)),
      query: optional.text,
    }),
    response: list(campaign.schema),
    section: '§1',
  }),
  getCampaign: endpoint('GET', '/campaigns/{id}', {
    scope: 'campaigns:read',
    response: campaign.schema,
    section: '§1',
  }),
  triggerCampaign: endpoint('POST', '/campaigns/{id}/trigger', {
    scope: 'campaigns:write',
    // Empty for the saved audience, or one recipient.
    body: z.strictObject({ to: optional.phone, variables: optional.variables }),
    errors: sendErrors,
    response: campaignRun.schema,
    status: 202,
    section: '§1',
  }),
  createWebhook: endpoint('POST', '/webhooks', {
    scope: 'webhooks:write',
    plan: 'advanced',
    body: z.strictObject({
      url: field.text,
      events: z.array(openEnum(vocabulary.event)),
      filters: z.optional(webhookFilters),
    }),
    response: webhook.schema,
    guarantees: ['secret'],
    status: 201,
    section: '§6',
  }),
  listWebhooks: endpoint('GET', '/webhooks', {
    scope: 'webhooks:write',
    plan: 'advanced',
    query: listQuery({}),
    response: list(listedWebhook),
    section: '§6',
  }),
  deleteWebhook: endpoint('DELETE', '/webhooks/{id}', {
    scope: 'webhooks:write',
    plan: 'advanced',
    response: z.unknown(),
    status: 204,
    section: '§6',
  }),
} satisfies Record<EndpointName, unknown>;

const isEndpointName = (name: string): name is EndpointName => Object.hasOwn(endpoints, name);

export const endpointNames = Object.keys(endpoints).filter(isEndpointName);

/** Returns the name of a call; undefined for one that isn't of the contract. */
export const nameOf = (endpoint: Endpoint): EndpointName | undefined =>
  endpointNames.find((name) => endpoints[name] === endpoint);

/** The calls of the contract, by name. */
export const calls = endpointNames.map((name): [EndpointName, Endpoint] => [name, endpoints[name]]);

export type BodyOf<N extends EndpointName> = (typeof endpoints)[N] extends { body: infer S extends z.ZodMiniType }
  ? z.output<S>
  : never;

export type Endpoint = Definition & { method: Method; path: string; basis: Basis; status: number };

type PathParameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & PathParameters<Rest>
  : unknown;
/** A parameter may be null, and one that takes several values may have one of them. */
type QueryValue<T> = T extends readonly (infer Item)[] ? T | readonly Item[] | Item | null : T | null;
type Query<E> = E extends { query: infer S extends z.ZodMiniObject }
  ? { query?: { [K in keyof z.output<S>]?: QueryValue<z.output<S>[K]> | undefined } }
  : unknown;
type Body<E> = E extends { body: infer S extends z.ZodMiniType } ? { body: z.input<S> } : unknown;

/** The input of any call. */
export interface AnyInput {
  id?: string;
  query?: object;
  body?: unknown;
  /** The person's. */
  idempotencyKey?: string | undefined;
  /** In place of a random key, for an agent that may call again. Zapier's replays don't know it. */
  repeatKey?: string | undefined;
  /** The versions of the template, for a service that wants more of it than its name. */
  versions?: readonly Template[] | undefined;
  /** What the form calls fields of the request, for error messages: `variables.eta` is "Arrival Time". */
  labels?: FieldLabels;
}

/** The input of a call: path parameters by name, `query`, `body`, `labels` and `idempotencyKey`. */
export type Input<E extends Endpoint> = AnyInput & PathParameters<E['path']> & Query<E> & Body<E>;

/** A filter of a list, such as `listContacts.query`, or of a webhook, such as `webhook.after`. */
type FilterName =
  | {
      [N in EndpointName]: (typeof endpoints)[N] extends { query: z.ZodMiniObject<infer Shape> }
        ? `${N}.${Exclude<keyof Shape & string, 'limit' | 'after'>}`
        : never;
    }[EndpointName]
  | `webhook.${keyof typeof webhookFilters.shape}`;

interface Records {
  template: typeof template;
  contact: typeof contact;
  conversation: typeof conversation;
  message: typeof message;
  campaign: typeof campaign;
}

/** A field of a record, such as `contact.consent`. */
type FieldName = {
  [N in keyof Records]: `${N}.${Exclude<keyof Records[N]['schema']['shape'] & string, 'id'>}`;
}[keyof Records];

/** What a service may lack, by name. */
export interface Missing {
  calls: readonly EndpointName[];
  events: readonly (typeof vocabulary.event)[number][];
  filters: readonly FilterName[];
  fields: readonly FieldName[];
}

/** Anything that a service may lack. */
export type Part = Missing[keyof Missing][number];
