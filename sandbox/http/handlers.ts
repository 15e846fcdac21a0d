import type * as z from 'zod/mini';
import type { Endpoint, EndpointName, endpoints, Input } from '../../src/api/endpoints';
import { triggerCampaign } from '../domain/campaigns';
import { listChannels } from '../domain/channels';
import { createContact, deleteContact, listContacts, updateContact } from '../domain/contacts';
import { sendMessage } from '../domain/messages';
import type { Caller } from '../domain/workspaces';
import type { SandboxContext } from '../engine/context';
import { containsAll, isOneOf, type ListQuery, listPage } from '../store/pages';
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

/** Does the work of an endpoint and returns its response. Throws a `Refusal` otherwise. */
type Handler<E extends Endpoint> = (context: SandboxContext, call: Call<E>) => z.output<E['response']>;

/** A handler that returns one resource of the caller's workspace. */
const readById =
  <S extends z.ZodMiniType>(type: ResourceType<S>) =>
  ({ database }: SandboxContext, { caller, id }: { caller: Caller; id: string }) =>
    readResource(database, type, caller.workspaceId, id);

/** A handler that creates a resource in the caller's workspace and returns it. `create` returns its id. */
const createBy =
  <S extends z.ZodMiniType, Body>(
    type: ResourceType<S>,
    create: (context: SandboxContext, workspaceId: string, body: Body) => string,
  ) =>
  (context: SandboxContext, { caller, body }: { caller: Caller; body: Body }) =>
    readResource(context.database, type, caller.workspaceId, create(context, caller.workspaceId, body));

/** A handler that lists resources of the caller's workspace, filtered by columns. */
const listBy =
  <S extends z.ZodMiniType, Column extends string>(type: ResourceType<S>, columns: readonly Column[]) =>
  ({ database }: SandboxContext, { caller, page }: { caller: Caller; page: ListQuery<Column> }) => {
    const filters = columns.map((column) => isOneOf(column, page.filters[column]));
    return listPage(database, type, caller.workspaceId, page, filters);
  };

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

  listChannels: () => ({ data: listChannels(), next_cursor: null }),

  listTemplates: ({ database }, { caller, page }) =>
    listPage(database, resourceTypes.template, caller.workspaceId, page, [
      isOneOf('channel', page.filters.channel),
      containsAll(
        "name || ' ' || body",
        page.filters.query?.map((query) => query.trim()),
      ),
    ]),

  getTemplate: ({ database }, { caller, name }) =>
    readResource(database, resourceTypes.template, caller.workspaceId, name),

  listContacts: ({ database }, { caller, page }) => listContacts(database, caller.workspaceId, page),

  createContact: createBy(resourceTypes.contact, createContact),

  getContact: readById(resourceTypes.contact),

  updateContact: (context, { caller, id, body }) => updateContact(context, caller.workspaceId, id, body),

  deleteContact: (context, { caller, id }) => deleteContact(context, caller.workspaceId, id),

  listConversations: listBy(resourceTypes.conversation, ['contact_id', 'status', 'channel']),

  getConversation: readById(resourceTypes.conversation),

  listConversationMessages: ({ database }, { caller, id, page }) => {
    const conversation = readResource(database, resourceTypes.conversation, caller.workspaceId, id);
    return listPage(database, resourceTypes.message, caller.workspaceId, page, [
      isOneOf('conversation_id', [conversation.id]),
    ]);
  },

  listCampaigns: ({ database }, { caller, page }) =>
    listPage(database, resourceTypes.campaign, caller.workspaceId, page, [
      isOneOf('status', page.filters.status),
      containsAll(
        'name',
        page.filters.query?.map((query) => query.trim()),
      ),
    ]),

  getCampaign: readById(resourceTypes.campaign),

  triggerCampaign: (context, { caller, id, body }) => triggerCampaign(context, caller.workspaceId, id, body),

  createWebhook: (context, { caller, body }) => createWebhook(context, caller.workspaceId, body),

  listWebhooks: listBy(resourceTypes.webhook, []),

  deleteWebhook: (context, { caller, id }) => deleteWebhook(context, caller.workspaceId, id),
} satisfies { [Name in EndpointName]: Handler<(typeof endpoints)[Name]> };

/** Runs the endpoint's handler on a call whose body its schema has parsed. */
export const handle = (
  name: EndpointName,
  context: SandboxContext,
  call: { caller: Caller; page: ListQuery; body: unknown },
): unknown => {
  // The compiler can't connect the name to the call, but both come from the same entry of `endpoints`.
  const handler = handlers[name] as (context: SandboxContext, call: unknown) => unknown;
  return handler(context, call);
};
