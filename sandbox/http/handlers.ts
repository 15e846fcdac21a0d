import type * as z from 'zod/mini';
import type { Endpoint, EndpointName, endpoints, Input } from '../../src/api/endpoints';
import { triggerCampaign } from '../domain/campaigns';
import { listChannels } from '../domain/channels';
import { createContact, deleteContact, listContacts, updateContact } from '../domain/contacts';
import { sendMessage } from '../domain/messages';
import type { Caller } from '../domain/workspaces';
import type { Service } from '../engine/context';
import { containsAll, isOneOf, listPage, type Page } from '../store/pages';
import { kinds, read } from '../store/records';
import { createWebhook, deleteWebhook } from '../webhooks/webhooks';

type FilterName<E> = E extends { query: z.ZodMiniObject<infer Shape> }
  ? Exclude<keyof Shape & string, 'limit' | 'after'>
  : never;

/** A request that has passed every check of the endpoint table. */
type Call<E extends Endpoint> = Omit<Input<E>, 'query' | 'idempotencyKey'> & {
  caller: Caller;
  page: Page<FilterName<E>>;
};

/** Does what the endpoint is for, or throws a Refusal. */
type Handler<E extends Endpoint> = (service: Service, call: Call<E>) => z.output<E['answer']>;

/** What each endpoint of the contract does. */
export const handlers = {
  sendMessage: (service, { caller, body }) => sendMessage(service, caller.workspaceId, body),

  listMessages: ({ database }, { caller, page }) =>
    listPage(database, kinds.message, caller.workspaceId, page, [
      isOneOf('direction', page.filters.direction),
      isOneOf('status', page.filters.status),
      isOneOf('channel', page.filters.channel),
      isOneOf('conversation_id', page.filters.conversation_id),
    ]),

  getMessage: ({ database }, { caller, id }) => read(database, kinds.message, caller.workspaceId, id),

  getWorkspace: (_, { caller }) => ({
    id: caller.workspaceId,
    name: caller.workspaceName,
    plan: caller.plan,
    scopes: caller.scopes,
  }),

  listChannels: () => ({ data: listChannels(), next_cursor: null }),

  listTemplates: ({ database }, { caller, page }) =>
    listPage(database, kinds.template, caller.workspaceId, page, [
      isOneOf('channel', page.filters.channel),
      containsAll(
        "name || ' ' || body",
        page.filters.query?.map((query) => query.trim()),
      ),
    ]),

  getTemplate: ({ database }, { caller, name }) => read(database, kinds.template, caller.workspaceId, name),

  listContacts: ({ database }, { caller, page }) => listContacts(database, caller.workspaceId, page),

  createContact: (service, { caller, body }) => createContact(service, caller.workspaceId, body),

  getContact: ({ database }, { caller, id }) => read(database, kinds.contact, caller.workspaceId, id),

  updateContact: (service, { caller, id, body }) => updateContact(service, caller.workspaceId, id, body),

  deleteContact: (service, { caller, id }) => deleteContact(service, caller.workspaceId, id),

  listConversations: ({ database }, { caller, page }) =>
    listPage(database, kinds.conversation, caller.workspaceId, page, [
      isOneOf('contact_id', page.filters.contact_id),
      isOneOf('status', page.filters.status),
      isOneOf('channel', page.filters.channel),
    ]),

  getConversation: ({ database }, { caller, id }) => read(database, kinds.conversation, caller.workspaceId, id),

  listConversationMessages: ({ database }, { caller, id, page }) => {
    const conversation = read(database, kinds.conversation, caller.workspaceId, id);
    return listPage(database, kinds.message, caller.workspaceId, page, [isOneOf('conversation_id', [conversation.id])]);
  },

  listCampaigns: ({ database }, { caller, page }) =>
    listPage(database, kinds.campaign, caller.workspaceId, page, [
      isOneOf('status', page.filters.status),
      containsAll(
        'name',
        page.filters.query?.map((query) => query.trim()),
      ),
    ]),

  getCampaign: ({ database }, { caller, id }) => read(database, kinds.campaign, caller.workspaceId, id),

  triggerCampaign: (service, { caller, id, body }) => triggerCampaign(service, caller.workspaceId, id, body),

  createWebhook: (service, { caller, body }) => createWebhook(service, caller.workspaceId, body),

  listWebhooks: ({ database }, { caller, page }) => listPage(database, kinds.webhook, caller.workspaceId, page),

  deleteWebhook: (service, { caller, id }) => deleteWebhook(service, caller.workspaceId, id),
} satisfies { [Name in EndpointName]: Handler<(typeof endpoints)[Name]> };

/** What the endpoint answers to a call whose body has been parsed by the endpoint's schema. */
export const handle = (
  name: EndpointName,
  service: Service,
  call: { caller: Caller; page: Page; body: unknown },
): unknown => {
  // The one place where the types lose sight of which endpoint it is: path and body were parsed by this very entry.
  const handler = handlers[name] as (service: Service, call: unknown) => unknown;
  return handler(service, call);
};
