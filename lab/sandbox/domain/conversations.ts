import * as z from 'zod/mini';
import { linkTo } from '../../../src/api/addresses';
import type { Conversation } from '../../../src/api/resources';
import { day, toIso } from '../../zapier/clock';
import { validationError } from '../engine/api-error';
import type { WorkspaceContext } from '../store/context';
import { workOn } from '../store/due-records';
import { addRecord, changeRecord, readDocument, readRecord } from '../store/records';
import { publish } from '../webhooks/events';
import { ownNumber } from './channels';
import { type Customer, contactOf } from './contacts';

/** Conversations close after this time without messages. */
const idleMs = day;

/** What an open conversation has after something happened in it. */
const active = (now: number) => ({
  status: 'open',
  closed_at: null,
  last_message_at: toIso(now),
  due_at: now + idleMs,
});

const agents = ['Sam Okafor', 'Mila de Groot', 'Jonas Keller'];

const row = z.object({ id: z.string(), status: z.string(), message_count: z.number() });
const ofContact = `SELECT id, document ->> 'status' AS status, document ->> 'message_count' AS message_count FROM records
  WHERE kind = 'conversation' AND workspace = ?
  AND document ->> 'contact_id' = ? AND document ->> 'channel' = ? ORDER BY seq DESC`;

type Opening = 'conversation.opened' | 'conversation.reopened' | undefined;

/**
 * Finds, reopens or creates the contact's conversation on the channel, to which the caller adds this number of messages.
 * `opening` is the event that the caller then publishes, if any.
 */
export const openConversation = (
  context: WorkspaceContext,
  contactId: string,
  channel: string,
  messages: 0 | 1,
): { id: string; opening: Opening } => {
  const { database, clock, random, workspaceId } = context;
  const known = database.first(row, ofContact, workspaceId, contactId, channel);
  const change = { ...active(clock.now()), message_count: (known?.message_count ?? 0) + messages };
  if (known) {
    changeRecord(context, 'conversation', known.id, change);
    return { id: known.id, opening: known.status === 'open' ? undefined : 'conversation.reopened' };
  }
  const id = random.id('cnv');
  addRecord(context, 'conversation', id, {
    ...change,
    id,
    channel,
    contact_id: contactId,
    assignee: random.pick([...agents, null]),
    url: linkTo(`conversations/${id}`),
    created_at: toIso(clock.now()),
  });
  return { id, opening: 'conversation.opened' };
};

/**
 * Opens a conversation without a message with the customer who has this number, or else this username. Throws a 422 when
 * it is already open.
 */
export const startConversation = (context: WorkspaceContext, customer: Customer, channel: string): Conversation => {
  ownNumber(channel);
  const { id, opening } = openConversation(context, contactOf(context, customer), channel, 0);
  if (!opening) throw validationError([{ field: 'from', message: 'already has an open conversation on this channel' }]);
  publish(context, opening, id);
  return readRecord(context, 'conversation', id);
};

type Status = 'open' | 'closed';

const changeStatus = (context: WorkspaceContext, id: string, status: Status): void => {
  const now = context.clock.now();
  const isClosed = status === 'closed';
  changeRecord(context, 'conversation', id, isClosed ? { status, closed_at: toIso(now), due_at: null } : active(now));
  publish(context, isClosed ? 'conversation.closed' : 'conversation.reopened', id);
};

const withStatus = z.object({ status: z.string() });

/** Closes or reopens the conversation. Throws a 422 when it already has this status. */
export const setConversationStatus = (context: WorkspaceContext, id: string, status: Status): Conversation => {
  const before = readDocument(context, 'conversation', id, withStatus);
  if (before.status === status) throw validationError([{ field: 'status', message: `is ${status} already` }]);
  changeStatus(context, id, status);
  return readRecord(context, 'conversation', id);
};

/** Closes a conversation that has had no message for a day. */
export const closeIdle = workOn(z.object({ id: z.string() }), (context, { id }) => changeStatus(context, id, 'closed'));
