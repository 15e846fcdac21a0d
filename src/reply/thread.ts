/** Reads what was written to and by a person since a message. */
import type { ZObject } from 'zapier-platform-core';
import { endpoints, pageSize } from '../api/endpoints';
import type { Message } from '../api/resources';
import { call } from '../call/call';
import { pages } from '../call/pages';
import { type Thread, unreadQuotes } from './answer';

/** The number of newer messages to read. */
export const maxMessages = 500;

const maxQuoted = 5;

/** What a list has, newest first. */
interface Newest {
  /** The messages down to the one that was looked for. */
  messages: Message[];
  /** Some that are older. */
  older: Message[];
  /** Whether the list has the message, and every newer one can be read. */
  isComplete: boolean;
  /** Whether the list goes on after what was read. */
  hasMore: boolean;
}

/** Reads the newest messages down to `sent`. No time tells where to stop, since clocks differ. */
const readDownTo = async (z: ZObject, sent: Message, filters: object = {}): Promise<Newest> => {
  const list = (page: object) => call(z, endpoints.listMessages, { query: { ...page, ...filters } });
  const read = new Map<string, Message>();
  let hasMore = false;
  for await (const page of pages(list, { maxPages: maxMessages / pageSize.max })) {
    const place = page.records.findIndex(({ id }) => id === sent.id);
    const end = place === -1 ? page.records.length : place + 1;
    const isReadable = page.unread === undefined || page.unread >= end;
    for (const each of page.records.slice(0, end)) read.set(each.id, each);
    hasMore = page.hasMore;
    // An answer is certain only if nothing is hidden between it and the message.
    if (!isReadable) return { messages: [], older: [], isComplete: false, hasMore: false };
    if (place !== -1) {
      return { messages: [...read.values()], older: page.records.slice(end), isComplete: true, hasMore };
    }
  }
  return { messages: [...read.values()], older: [], isComplete: false, hasMore };
};

/** Returns a filter for all conversations in which the contact wrote or got a message; undefined when unknown. */
const conversationsOf = async (z: ZObject, sent: Message): Promise<{ conversation_id: string[] } | undefined> => {
  const { contact, conversation_id } = sent;
  if (!contact) return undefined;
  // The token may lack the scope, since no other part of the step needs it.
  const query = { contact_id: contact.id, limit: pageSize.max };
  const page = await call(z, endpoints.listConversations, { query }, { unless: 'denied' });
  const ids = [conversation_id, ...(page?.data ?? []).map(({ id }) => id)].filter((id) => typeof id === 'string');
  return page && !page.next_cursor && ids.length > 0 ? { conversation_id: [...new Set(ids)] } : undefined;
};

const readQuoted = async (z: ZObject, ids: readonly string[]): Promise<Message[]> => {
  const found = await Promise.all(
    ids.slice(0, maxQuoted).map((id) => call(z, endpoints.getMessage, { id }, { unless: 'gone' })),
  );
  return found.filter((each) => each !== undefined);
};

/**
 * Returns what was written since a message, on any channel, with others' messages as well. Where more than 500 are newer, it's
 * the conversations of the contact that are known, which may lack one: enough for a reply, and not to say that there is
 * none.
 */
export const readThread = async (z: ZObject, sent: Message): Promise<Thread> => {
  const newest = await readDownTo(z, sent);
  const filters = newest.isComplete || !newest.hasMore ? undefined : await conversationsOf(z, sent);
  const known = filters && (await readDownTo(z, sent, filters));
  const recent = new Set(newest.messages.map(({ id }) => id));
  const messages = [...newest.messages, ...(known?.messages ?? []).filter(({ id }) => !recent.has(id))];
  const older = [...newest.older, ...(known?.older ?? [])];
  const quoted = await readQuoted(z, unreadQuotes(sent, messages, older));
  return { sent, messages, quoted: [...older, ...quoted], isComplete: newest.isComplete };
};
