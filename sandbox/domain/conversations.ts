import * as z from 'zod/mini';
import type { Conversation } from '../../src/api/resources';
import { validationError } from '../api-error';
import { day } from '../engine/clock';
import { inWorkspace, type SandboxContext, type WorkspaceContext } from '../engine/context';
import type { Job } from '../engine/scheduler';
import { readResource, resourceTypes } from '../store/records';
import { publish } from '../webhooks/events';
import { ownNumber } from './channels';
import { contactByPhone } from './contacts';
import { requireE164 } from './phone-numbers';

/** Conversations close after this time without messages. */
const idleMs = day;

const agents = ['Sam Okafor', 'Mila de Groot', 'Jonas Keller'];

const row = z.object({ id: z.string(), status: z.string() });

type Opening = 'conversation.opened' | 'conversation.reopened' | undefined;

/**
 * Finds, reopens or creates the contact's conversation on the channel. `opening` is the event that the caller publishes
 * after it has added the message, if any.
 */
export const openConversation = (
  { database, clock, random, workspaceId }: WorkspaceContext,
  contactId: string,
  channel: string,
): { id: string; opening: Opening } => {
  const sql =
    'SELECT id, status FROM conversations WHERE workspace_id = ? AND contact_id = ? AND channel = ? ORDER BY seq DESC';
  const known = database.first(row, sql, workspaceId, contactId, channel);
  if (known?.status === 'open') return { id: known.id, opening: undefined };
  if (known) {
    database.update('conversations', known.id, { status: 'open', closed_at: null, last_message_at: clock.now() });
    return { id: known.id, opening: 'conversation.reopened' };
  }
  const id = random.id('cnv');
  database.insert('conversations', {
    id,
    workspace_id: workspaceId,
    channel,
    status: 'open',
    contact_id: contactId,
    assignee: random.pick([...agents, null]),
    last_message_at: clock.now(),
    created_at: clock.now(),
  });
  return { id, opening: 'conversation.opened' };
};

/** Opens a conversation with this number without a message. Throws a 422 when it is already open. */
export const startConversation = (context: WorkspaceContext, from: string, channel: string): Conversation => {
  ownNumber(channel);
  requireE164('from', from);
  const contact = contactByPhone(context, from);
  const { id, opening } = openConversation(context, contact.id, channel);
  if (!opening) throw validationError([{ field: 'from', message: 'already has an open conversation on this channel' }]);
  publish(context, opening, id);
  return readResource(context, resourceTypes.conversation, id);
};

type Status = 'open' | 'closed';

const changeStatus = (context: WorkspaceContext, id: string, status: Status): void => {
  const now = context.clock.now();
  const isClosed = status === 'closed';
  const times = { closed_at: isClosed ? now : null, ...(!isClosed && { last_message_at: now }) };
  context.database.update('conversations', id, { status, ...times });
  publish(context, isClosed ? 'conversation.closed' : 'conversation.reopened', id);
};

/** Closes or reopens the conversation. Throws a 422 when it already has this status. */
export const setConversationStatus = (context: WorkspaceContext, id: string, status: Status): Conversation => {
  const read = () => readResource(context, resourceTypes.conversation, id);
  if (read().status === status) throw validationError([{ field: 'status', message: `is ${status} already` }]);
  changeStatus(context, id, status);
  return read();
};

const idleRow = z.object({ id: z.string(), workspace_id: z.string(), last_message_at: z.number() });

/** Closes conversations that have had no message for a day. */
export const idleConversations = (context: SandboxContext): Job => ({
  nextDue: () => {
    const last = context.database.number("SELECT min(last_message_at) FROM conversations WHERE status = 'open'");
    return last === undefined ? undefined : last + idleMs;
  },
  run: (until) =>
    context.database.transaction(() => {
      const sql = `SELECT id, workspace_id, last_message_at FROM conversations
        WHERE status = 'open' AND last_message_at <= ? ORDER BY last_message_at LIMIT 100`;
      for (const { id, workspace_id, last_message_at } of context.database.all(idleRow, sql, until - idleMs)) {
        changeStatus(inWorkspace(context, workspace_id, last_message_at + idleMs), id, 'closed');
      }
    }),
});
