import type * as z from 'zod/mini';
import type { Endpoint, endpoints, Input } from '../../../src/api/endpoints';
import type { EndpointName } from '../../../src/api/transport';
import { triggerCampaign } from '../domain/campaigns';
import { listChannels } from '../domain/channels';
import { createContact, deleteContact, listContacts, updateContact } from '../domain/contacts';
import { sendMessage } from '../domain/messages';
import type { Caller } from '../domain/workspaces';
import type { WorkspaceContext } from '../store/context';
import { containsAll, inDocument, isOneOf, type ListQuery, selectPage } from '../store/pages';
import { type Kind, readRecord } from '../store/records';
import { createWebhook, deleteWebhook } from '../webhooks/webhooks';

type FilterName<E> = E extends { query: z.ZodMiniObject<infer Shape> }
  ? Exclude<keyof Shape & string, 'limit' | 'after'>
  : never;

/** A request whose token, path, query and body are valid. */
type Call<E extends Endpoint> = Omit<Input<E>, 'query' | 'idempotencyKey'> & {
  caller: Caller;
  page: ListQuery<FilterName<E>>;
};

/** Does the work of an endpoint and returns its response. Throws an `ApiError` when it refuses. */
type Handler<E extends Endpoint> = (context: WorkspaceContext, call: Call<E>) => z.output<E['response']>;

/** Returns a handler that reads one record of the caller's workspace. */
const readById =
  <K extends Kind>(kind: K) =>
  (context: WorkspaceContext, { id }: { id: string }) =>
    readRecord(context, kind, id);

/** Returns a handler that creates a record in the caller's workspace. `create` returns its id. */
const createBy =
  <K extends Kind, Body>(kind: K, create: (context: WorkspaceContext, body: Body) => string) =>
  (context: WorkspaceContext, { body }: { body: Body }) =>
    readRecord(context, kind, create(context, body));

/** Returns a handler that lists records of the caller's workspace, filtered by fields and by `query` in some of them. */
const listBy =
  <K extends Kind, Field extends string>(kind: K, fields: readonly Field[], searched: readonly string[] = []) =>
  (context: WorkspaceContext, { page }: { page: ListQuery<Field | 'query'> }) =>
    selectPage(context, kind, page, [
      ...fields.map((field) => isOneOf(inDocument(field), page.filters[field])),
      containsAll(searched, page.filters.query),
    ]);

/** The handler of each endpoint. */
export const handlers = {
  sendMessage: createBy('message', sendMessage),

  listMessages: listBy('message', ['direction', 'status', 'channel', 'conversation_id', 'campaign_id']),

  getMessage: readById('message'),

  getWorkspace: (_, { caller }) => ({
    id: caller.workspaceId,
    name: caller.workspaceName,
    plan: caller.plan,
    scopes: caller.scopes,
  }),

  listChannels: (_, { page }) => listChannels(page),

  listTemplates: listBy('template', ['channel', 'name'], ['name', 'body']),

  listContacts: (context, { page }) => listContacts(context, page),

  createContact: createBy('contact', createContact),

  getContact: readById('contact'),

  updateContact: (context, { id, body }) => updateContact(context, id, body),

  deleteContact: (context, { id }) => deleteContact(context, id),

  listConversations: listBy('conversation', ['contact_id', 'status', 'channel']),

  getConversation: readById('conversation'),

  listConversationMessages: (context, { id, page }) => {
    const conversation = readRecord(context, 'conversation', id);
    return selectPage(context, 'message', page, [isOneOf(inDocument('conversation_id'), [conversation.id])]);
  },

  listCampaigns: listBy('campaign', ['status'], ['name']),

  getCampaign: readById('campaign'),

  triggerCampaign: (context, { id, body }) => triggerCampaign(context, id, body),

  createWebhook: (context, { body }) => createWebhook(context, body),

  listWebhooks: listBy('webhook', []),

  deleteWebhook: (context, { id }) => deleteWebhook(context, id),
} satisfies { [Name in EndpointName]: Handler<(typeof endpoints)[Name]> };

/** Runs the endpoint's handler on a call whose body its schema has parsed. */
export const handle = (
  name: EndpointName,
  context: WorkspaceContext,
  call: { caller: Caller; page: ListQuery; body: unknown },
): unknown => {
  // The compiler can't connect the name to the call, but both come from the same entry of `endpoints`.
  const handler = handlers[name] as (context: WorkspaceContext, call: unknown) => unknown;
  return handler(context, call);
};
