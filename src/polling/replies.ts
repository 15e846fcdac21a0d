/** Finds the reply to a message in the lists of the service. */
import type { ZObject } from 'zapier-platform-core';
import { endpoints, exists, pageSize } from '../api/endpoints';
import type { Message } from '../api/resources';
import { call, callIfAllowed } from '../http/client';
import { isAfter, isFrom, timeOf } from '../messages/reply';
import { readHistory } from './history';
import { firstRecords } from './paginate';

/** The maximum number of messages to read. */
const maxMessages = 500;

/** Whether a message comes from the recipient of `sent`. */
const isFromRecipient = (sent: Message, each: Message): boolean => {
  if (each.direction !== 'inbound') return false;
  // Several people may share a conversation.
  if (each.contact && sent.contact && each.contact.id !== sent.contact.id) return false;
  if (each.conversation_id && each.conversation_id === sent.conversation_id) return true;
  const person = sent.to ?? sent.contact?.phone;
  return typeof person === 'string' && isFrom(each, person);
};

/** What a list of messages tells about the reply to one of them. */
export interface Found {
  /** The first reply; undefined when there is none. */
  reply: Message | undefined;
  /** The messages that were read, newest first. */
  records: Message[];
}

/** Undefined when the list doesn't reach back to `sent`, since an earlier reply may be missing. */
const firstReplyIn = async (z: ZObject, sent: Message, filters: object): Promise<Found | undefined> => {
  const time = timeOf(sent);
  // Times may be whole seconds, so messages of the same second count. Without a time, only the place tells.
  const range = Number.isNaN(time) ? { limit: pageSize.max } : { limit: maxMessages, since: new Date(time - 1_000) };
  const { records, seen, isComplete } = await readHistory(
    (page) => call(z, endpoints.listMessages, { query: { ...page, ...filters } }),
    range,
  );
  const reachesBack = isComplete || seen.some((each) => each.id === sent.id || timeOf(each) <= time - 1_000);
  if (!reachesBack) return undefined;
  return { records, reply: records.findLast((each) => isFromRecipient(sent, each) && isAfter(each, sent, records)) };
};

/**
 * Returns the first reply to a message in its conversation, and in others when given. Undefined when no list tells: the
 * service has none, the message has neither a time nor a conversation, or more than 500 messages are newer.
 */
export const replyInConversation = async (
  z: ZObject,
  sent: Message,
  others: readonly string[] = [],
): Promise<Found | undefined> => {
  const { conversation_id } = sent;
  if (!exists('listMessages') || (!conversation_id && Number.isNaN(timeOf(sent)))) return undefined;
  // The list has the message itself as well, which tells its place.
  const filters = conversation_id ? { conversation_id: [conversation_id, ...others] } : { direction: 'inbound' };
  return firstReplyIn(z, sent, filters);
};

/** Returns the first reply to a message that was just sent, on any channel. Undefined when no list tells. */
export const replyOnAnyChannel = async (z: ZObject, sent: Message): Promise<Found | undefined> =>
  exists('listMessages') && !Number.isNaN(timeOf(sent)) ? firstReplyIn(z, sent, {}) : undefined;

/** Returns the ids of the contact's conversations that are newer than a message; none when the service doesn't tell. */
const newerConversations = async (z: ZObject, sent: Message): Promise<string[]> => {
  const { contact, conversation_id } = sent;
  if (!contact || !conversation_id || !exists('listConversations')) return [];
  const query = { contact_id: contact.id };
  // The token may lack the scope, since no other part of the step needs it.
  const found = await firstRecords((page) =>
    callIfAllowed(z, endpoints.listConversations, { query: { ...query, ...page } }),
  );
  const isNewer = (time: string | null | undefined): boolean => Date.parse(time ?? '') >= timeOf(sent);
  return found.filter((each) => each.id !== conversation_id && isNewer(each.last_message_at)).map(({ id }) => id);
};

/**
 * Returns the first reply to a message, also in a newer conversation with the contact. Undefined when no list tells, as
 * in `replyInConversation`.
 */
export const firstReply = async (z: ZObject, sent: Message): Promise<Found | undefined> => {
  const found = await replyInConversation(z, sent);
  if (!found || found.reply) return found;
  const others = await newerConversations(z, sent);
  return others.length > 0 ? replyInConversation(z, sent, others) : found;
};
