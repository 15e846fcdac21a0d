/** Reads what was written to and by a person since a message. */
import type { ZObject } from 'zapier-platform-core';
import { endpoints, pageSize } from '../api/endpoints';
import type { Message } from '../api/resources';
import { call } from '../call/call';
import { readList } from '../call/pages';
import { clockMs, type Thread, timeOf, unreadQuotes } from './answer';

const maxMessages = 500;

const maxQuoted = 5;

/** Returns the newest messages, back to shortly before `sent`. `reachesBack` is false when some may be missing. */
const readBackTo = async (z: ZObject, sent: Message, limit: number, filters: object = {}) => {
  const start = timeOf(sent) - clockMs;
  const { records, seen, gaps } = await readList(
    (page) => call(z, endpoints.listMessages, { query: { ...page, ...filters } }),
    { limit, since: Number.isNaN(start) ? undefined : new Date(start) },
  );
  const isBack = gaps.length === 0 || seen.some((each) => each.id === sent.id || timeOf(each) <= start);
  const reachesBack = isBack && !gaps.includes('unreadable');
  return { records, reachesBack };
};

/** Returns a filter for all conversations in which the contact wrote or got a message since `sent`; undefined when unknown. */
const conversationsSince = async (z: ZObject, sent: Message): Promise<{ conversation_id: string[] } | undefined> => {
  const { contact, conversation_id } = sent;
  if (!contact) return undefined;
  // The token may lack the scope, since no other part of the step needs it.
  const query = { contact_id: contact.id, limit: pageSize.max };
  const page = await call(z, endpoints.listConversations, { query }, { unless: 'denied' });
  // The contact has at least one conversation.
  if (!page?.data.length || page.next_cursor) return undefined;
  const isOlder = (time: string | null | undefined): boolean => Date.parse(time ?? '') < timeOf(sent) - clockMs;
  const since = page.data.filter((each) => !isOlder(each.last_message_at)).map(({ id }) => id);
  return { conversation_id: [...new Set([...(conversation_id ? [conversation_id] : []), ...since])] };
};

const messagesSince = async (z: ZObject, sent: Message): Promise<Message[] | undefined> => {
  const newest = await readBackTo(z, sent, pageSize.max);
  if (newest.reachesBack) return newest.records;
  const older = await readBackTo(z, sent, maxMessages, await conversationsSince(z, sent));
  if (!older.reachesBack) return undefined;
  // A conversation that isn't listed yet shows among the newest messages.
  const known = new Set(newest.records.map(({ id }) => id));
  return [...newest.records, ...older.records.filter(({ id }) => !known.has(id))];
};

const readQuoted = async (z: ZObject, ids: readonly string[]): Promise<Message[]> => {
  const found = await Promise.all(
    ids.slice(0, maxQuoted).map((id) => call(z, endpoints.getMessage, { id }, { unless: 'gone' })),
  );
  return found.filter((each) => each !== undefined);
};

/**
 * Returns what was written since a message to a person, on any channel. It may have others' messages as well. Undefined
 * when the service doesn't tell all: more than 500 messages are newer.
 */
export const readThread = async (z: ZObject, sent: Message): Promise<Thread | undefined> => {
  const messages = await messagesSince(z, sent);
  return messages && { sent, messages, quoted: await readQuoted(z, unreadQuotes(sent, messages)) };
};
