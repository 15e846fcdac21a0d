/** Reads what was written to and by a person since a message. */
import type { ZObject } from 'zapier-platform-core';
import { endpoints, exists, pageSize } from '../api/endpoints';
import type { Message } from '../api/resources';
import { call, callIfAllowed } from '../http/client';
import { timeOf } from '../messages/reply';
import { readHistory } from './history';

/** The maximum number of messages to read. */
const maxMessages = 500;

/** Times may be whole seconds, so messages of the same second count. */
const precisionMs = 1_000;

/** Returns the newest messages, back to shortly before `sent`. `reachesBack` is false when some may be missing. */
const readBackTo = async (z: ZObject, sent: Message, limit: number, filters: object = {}) => {
  const start = timeOf(sent) - precisionMs;
  const { records, seen, isComplete, isPartial } = await readHistory(
    (page) => call(z, endpoints.listMessages, { query: { ...page, ...filters } }),
    { limit, since: Number.isNaN(start) ? undefined : new Date(start) },
  );
  const reachesBack = isComplete || (!isPartial && seen.some((each) => each.id === sent.id || timeOf(each) <= start));
  return { records, reachesBack };
};

/** Returns a filter for all conversations in which the contact wrote or got a message since `sent`; undefined when unknown. */
const conversationsSince = async (z: ZObject, sent: Message): Promise<{ conversation_id: string[] } | undefined> => {
  const { contact, conversation_id } = sent;
  if (!contact || !exists('listConversations')) return undefined;
  // The token may lack the scope, since no other part of the step needs it.
  const query = { contact_id: contact.id, limit: pageSize.max };
  const page = await callIfAllowed(z, endpoints.listConversations, { query });
  if (!page || page.next_cursor) return undefined;
  const isOlder = (time: string | null | undefined): boolean => Date.parse(time ?? '') < timeOf(sent) - precisionMs;
  const since = page.data.filter((each) => !isOlder(each.last_message_at)).map(({ id }) => id);
  return { conversation_id: [...new Set([...(conversation_id ? [conversation_id] : []), ...since])] };
};

/**
 * Returns the messages with a person since one to them, newest first, on any channel. The list may have others' messages
 * as well. Undefined when the service doesn't tell them all: more than 500 are newer.
 */
export const messagesSince = async (z: ZObject, sent: Message): Promise<Message[] | undefined> => {
  const newest = await readBackTo(z, sent, pageSize.max);
  if (newest.reachesBack) return newest.records;
  const older = await readBackTo(z, sent, maxMessages, await conversationsSince(z, sent));
  if (!older.reachesBack) return undefined;
  // A conversation that isn't listed yet shows among the newest messages.
  const known = new Set(newest.records.map(({ id }) => id));
  return [...newest.records, ...older.records.filter(({ id }) => !known.has(id))];
};
