/** Reads what was written since a message of ours. `judge.ts` decides which line of it is the reply. */
import type { ZObject } from 'zapier-platform-core';
import { readE164 } from '../api/e164';
import { endpoints, pageSize } from '../api/endpoints';
import type { Message } from '../api/resources';
import { call } from '../call/call';
import { pages } from '../call/pages';
import { personOf, samePerson } from '../contact/person';
import { halt } from '../step/errors';
import { untilFound } from '../step/run';
import { isFromRecipient, type JudgedReply, judgeLine, judgeThread, type Thread, timeOf, unreadQuotes } from './judge';

/** The number of newer messages to read. */
const maxMessages = 500;

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
const readThread = async (z: ZObject, sent: Message): Promise<Thread> => {
  const newest = await readDownTo(z, sent);
  const filters = newest.isComplete || !newest.hasMore ? undefined : await conversationsOf(z, sent);
  const known = filters && (await readDownTo(z, sent, filters));
  const recent = new Set(newest.messages.map(({ id }) => id));
  const messages = [...newest.messages, ...(known?.messages ?? []).filter(({ id }) => !recent.has(id))];
  const older = [...newest.older, ...(known?.older ?? [])];
  const quoted = await readQuoted(z, unreadQuotes(sent, messages, older));
  return { sent, messages, quoted: [...older, ...quoted], isComplete: newest.isComplete };
};

export type FoundReply = JudgedReply & { sent: Message };

const fetchMessage = async (z: ZObject, id: string): Promise<Message | undefined> => {
  const found = await call(z, endpoints.getMessage, { id }, { unless: 'gone' });
  return found?.id === id ? found : undefined;
};

/** Whether nothing says that an outbound message is to somebody else. A person may hide their number. */
const mayBeTo = (sent: Message, recipient: string): boolean =>
  sent.direction === 'outbound' && samePerson(personOf(sent), { phone: recipient }) !== 'no';

/** Returns the message with that id, unless it's one to somebody else than `recipient` (E.164). */
export const readSent = async (z: ZObject, id: string, recipient: string): Promise<Message | undefined> => {
  const sent = await untilFound(z, () => fetchMessage(z, id));
  return sent && mayBeTo(sent, recipient) ? sent : undefined;
};

/** Whether a message names its contact. */
export const namesContact = ({ contact }: Message): boolean => Boolean(contact);

/** Whether a message says with whom it is. */
const namesPerson = (sent: Message): boolean => namesContact(sent) && Boolean(sent.conversation_id);

const isTimed = (sent: Message): boolean => !Number.isNaN(timeOf(sent));

/** Adds what the response to a send may lack. Undefined when the service doesn't know the message. */
export const complete = async (z: ZObject, sent: Message): Promise<Message | undefined> => {
  if (isTimed(sent) && namesPerson(sent)) return sent;
  const known = await fetchMessage(z, sent.id);
  const { contact, conversation_id, created_at } = sent;
  return (
    known && {
      ...sent,
      ...known,
      contact: contact ?? known.contact,
      conversation_id: conversation_id ?? known.conversation_id,
      created_at: isTimed(sent) ? created_at : known.created_at,
    }
  );
};

/** Reads until it's enough, since a list may lag. Gives the last reading when none is, or when the next one fails. */
const readUntil = async <T>(z: ZObject, read: () => Promise<T>, isEnough: (found: T) => boolean): Promise<T> => {
  let last = await untilFound(z, read);
  const readAgain = async (): Promise<true | undefined> => {
    if (!isEnough(last)) last = await read();
    return isEnough(last) || undefined;
  };
  await untilFound(z, readAgain).catch(() => undefined);
  return last;
};

/** Whether reading again tells no more: the list has the message, or too many newer ones. */
const isFinal = ({ isComplete, messages }: Thread): boolean => isComplete || messages.length >= maxMessages;

/** Returns what was written since a message, once the list has the message. */
export const readListedThread = (z: ZObject, sent: Message): Promise<Thread> =>
  readUntil(z, () => readThread(z, sent), isFinal);

const quotedAnother =
  'The contact replied to another message by quoting it, so the Zap stopped waiting. Check the conversation in the messaging service.';

/**
 * Returns the reply of `recipient` (E.164) to a message: from the list of messages, or else the message with the id that
 * the callback names. Undefined when there is none. Throws a halt when the person only quoted other messages. Believes
 * only what the API has. Checking the signature of the callback instead would put the secret into the Zap's history.
 */
export const readReply = async (
  z: ZObject,
  accepted: Message,
  recipient: string,
  id: string | undefined,
): Promise<FoundReply | undefined> => {
  const known = (await complete(z, accepted).catch(() => undefined)) ?? accepted;
  const sent = { ...known, to: readE164(known.to) ?? recipient };
  const read = async () => {
    const thread = await readThread(z, sent);
    const listed = thread.messages.find((each) => each.id === id);
    const reply = judgeThread(thread);
    const isDone = reply?.verdict === 'certain' || (isFinal(thread) && (!id || Boolean(listed)));
    return { thread, reply, isDone, fromCallback: listed ?? (id && !isDone ? await fetchMessage(z, id) : undefined) };
  };
  const { thread, reply, fromCallback } = await readUntil(z, read, ({ isDone }) => isDone);
  const found = reply ?? (fromCallback && judgeLine(fromCallback, thread));
  if (!found && fromCallback?.reply_to && isFromRecipient(sent, fromCallback)) throw halt(quotedAnother);
  return found && { ...found, sent };
};
