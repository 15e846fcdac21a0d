import * as z from 'zod/mini';
import type { Conversation } from '../../src/api/resources';
import { at, type Service } from '../engine/context';
import { type Job, readDue } from '../engine/scheduler';
import { refuseFields } from '../refusal';
import { kinds, read } from '../store/records';
import { publish } from '../webhooks/events';
import { ownNumber } from './channels';
import { contactByPhone } from './contacts';
import { requireE164 } from './phone-numbers';

/** A conversation closes by itself when nobody has written in it for a day. */
const idle = 24 * 60 * 60 * 1000;

const agents = ['Sam Okafor', 'Mila de Groot', 'Jonas Keller'] as const;

const row = z.object({ id: z.string(), status: z.string() });

type Opening = 'conversation.opened' | 'conversation.reopened' | undefined;

/**
 * The contact's conversation on the channel, open; made or opened again when need be. `opening` is the event to
 * publish once the message that caused it is in.
 */
export const openConversation = (
  service: Service,
  workspaceId: string,
  contactId: string,
  channel: string,
): { id: string; opening: Opening } => {
  const { database, clock, random } = service;
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

/** Opens the conversation with this number on the channel, without a message; 422 when it is open already. */
export const startConversation = (
  service: Service,
  workspaceId: string,
  from: string,
  channel: string,
): Conversation => {
  ownNumber(channel);
  requireE164('from', from);
  const contact = contactByPhone(service, workspaceId, from);
  const { id, opening } = openConversation(service, workspaceId, contact.id, channel);
  if (!opening) throw refuseFields([{ field: 'from', message: 'has an open conversation on this channel already' }]);
  publish(service, workspaceId, opening, id);
  return read(service.database, kinds.conversation, workspaceId, id);
};

/** Closes or reopens the conversation; 422 when it is so already. */
export const setConversationStatus = (
  service: Service,
  workspaceId: string,
  id: string,
  status: 'open' | 'closed',
): Conversation => {
  if (read(service.database, kinds.conversation, workspaceId, id).status === status) {
    throw refuseFields([{ field: 'status', message: `is ${status} already` }]);
  }
  const now = service.clock.now();
  service.database.update(
    'conversations',
    id,
    status === 'closed' ? { status, closed_at: now } : { status, closed_at: null, last_message_at: now },
  );
  publish(service, workspaceId, status === 'closed' ? 'conversation.closed' : 'conversation.reopened', id);
  return read(service.database, kinds.conversation, workspaceId, id);
};

const idleRow = z.object({ id: z.string(), workspace_id: z.string(), last_message_at: z.number() });

/** Closes conversations that have been idle for a day. */
export const idleConversations = (service: Service): Job => ({
  nextDue: () => {
    const sql = "SELECT min(last_message_at) AS due_at FROM conversations WHERE status = 'open'";
    const last = readDue(service.database, sql);
    return last === undefined ? undefined : last + idle;
  },
  run: (until) =>
    service.database.transaction(() => {
      const sql = `SELECT id, workspace_id, last_message_at FROM conversations
        WHERE status = 'open' AND last_message_at <= ? ORDER BY last_message_at LIMIT 100`;
      for (const { id, workspace_id, last_message_at } of service.database.all(idleRow, sql, until - idle)) {
        setConversationStatus(at(service, last_message_at + idle), workspace_id, id, 'closed');
      }
    }),
});
