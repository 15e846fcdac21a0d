import type * as z from 'zod/mini';
import type { Endpoint, EndpointName, endpoints, Input } from '../../src/api/endpoints';
import { triggerCampaign } from '../domain/campaigns';
import { listChannels } from '../domain/channels';
import { createContact, deleteContact, listContacts, updateContact } from '../domain/contacts';
import { sendMessage } from '../domain/messages';
import type { Caller } from '../domain/workspaces';
import type { WorkspaceContext } from '../engine/context';
import { containsAll, isOneOf, type ListQuery, selectPage } from '../store/pages';
import { type ResourceType, readResource, resourceTypes } from '../store/records';
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

/** Returns a handler that reads one resource of the caller's workspace. */
const readById =
  <S extends z.ZodMiniType>(type: ResourceType<S>) =>
  (context: WorkspaceContext, { id }: { id: string }) =>
    readResource(context, type, id);

/** Returns a handler that creates a resource in the caller's workspace. `create` returns its id. */
const createBy =
  <S extends z.ZodMiniType, Body>(type: ResourceType<S>, create: (context: WorkspaceContext, body: Body) => string) =>
  (context: WorkspaceContext, { body }: { body: Body }) =>
    readResource(context, type, create(context, body));

/** Returns a handler that lists resources of the caller's workspace, filtered by columns and by `query` in a text. */
const listBy =
  <S extends z.ZodMiniType, Column extends string>(type: ResourceType<S>, columns: readonly Column[], text = "''") =>
  (context: WorkspaceContext, { page }: { page: ListQuery<Column | 'query'> }) =>
    selectPage(context, type, page, [
      ...columns.map((column) => isOneOf(column, page.filters[column])),
      containsAll(text, page.filters.query),
    ]);

/** The handler of each endpoint. */
export const handlers = {
  sendMessage: createBy(resourceTypes.message, sendMessage),

  listMessages: listBy(resourceTypes.message, ['direction', 'status', 'channel', 'conversation_id']),

  getMessage: readById(resourceTypes.message),

  getWorkspace: (_, { caller }) => ({
    id: caller.workspaceId,
    name: caller.workspaceName,
    plan: caller.plan,
    scopes: caller.scopes,
  }),

  listChannels: (_, { page }) => listChannels(page),

  listTemplates: listBy(resourceTypes.template, ['channel'], "name || ' ' || body"),

  getTemplate: (context, { name }) => readResource(context, resourceTypes.template, name),

  listContacts: (context, { page }) => listContacts(context, page),

  createContact: createBy(resourceTypes.contact, createContact),

  getContact: readById(resourceTypes.contact),

  updateContact: (context, { id, body }) => updateContact(context, id, body),

  deleteContact: (context, { id }) => deleteContact(context, id),

  listConversations: listBy(resourceTypes.conversation, ['contact_id', 'status', 'channel']),

  getConversation: readById(resourceTypes.conversation),

  listConversationMessages: (context, { id, page }) => {
    const conversation = readResource(context, resourceTypes.conversation, id);
    return selectPage(context, resourceTypes.message, page, [isOneOf('conversation_id', [conversation.id])]);
  },

  listCampaigns: listBy(resourceTypes.campaign, ['status'], 'name'),

  getCampaign: readById(resourceTypes.campaign),

  triggerCampaign: (context, { id, body }) => triggerCampaign(context, id, body),

  createWebhook: (context, { body }) => createWebhook(context, body),

  listWebhooks: listBy(resourceTypes.webhook, []),

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
