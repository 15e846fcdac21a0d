/** Finds the reply that ends a wait, and the message that it answers. */
import type { ZObject } from 'zapier-platform-core';
import { readE164 } from '../api/e164';
import { endpoints } from '../api/endpoints';
import type { Message } from '../api/resources';
import { call } from '../call/call';
import { personOf, samePerson } from '../contact/person';
import { untilFound } from '../step/deadline';
import { halt } from '../step/errors';
import { type Answer, findAnswer, isFromRecipient, judgeLine, type Thread, timeOf } from './answer';
import { maxMessages, readThread } from './thread';

export type Answered = Answer & { sent: Message };

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
const isSettled = ({ isComplete, messages }: Thread): boolean => isComplete || messages.length >= maxMessages;

/** Returns what was written since a message, once the list has the message. */
export const readSettled = (z: ZObject, sent: Message): Promise<Thread> =>
  readUntil(z, () => readThread(z, sent), isSettled);

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
): Promise<Answered | undefined> => {
  const known = (await complete(z, accepted).catch(() => undefined)) ?? accepted;
  const sent = { ...known, to: readE164(known.to) ?? recipient };
  const read = async () => {
    const thread = await readThread(z, sent);
    const listed = thread.messages.find((each) => each.id === id);
    const answer = findAnswer(thread);
    const isDone = answer?.verdict === 'certain' || (isSettled(thread) && (!id || Boolean(listed)));
    return { thread, answer, isDone, named: listed ?? (id && !isDone ? await fetchMessage(z, id) : undefined) };
  };
  const { thread, answer, named } = await readUntil(z, read, ({ isDone }) => isDone);
  const found = answer ?? (named && judgeLine(named, thread));
  if (!found && named?.reply_to && isFromRecipient(sent, named)) throw halt(quotedAnother);
  return found && { ...found, sent };
};
