/** Finds the reply that ends a wait, and the message that it answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ZObject } from 'zapier-platform-core';
import { readE164 } from '../api/e164';
import { endpoints } from '../api/endpoints';
import type { Message } from '../api/resources';
import { call } from '../call/call';
import { personOf, samePerson } from '../contact/person';
import { timeLeft, untilFound } from '../step/deadline';
import { halt } from '../step/errors';
import { type Answer, findAnswer, isFromRecipient, judgeLine, type Thread, timeOf } from './answer';
import { readThread } from './thread';

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

/** Adds what the response to a send may lack, as far as it can be read. Undefined when nothing says when it was sent. */
const completeTimed = async (z: ZObject, sent: Message): Promise<Message | undefined> => {
  const known = await complete(z, sent).catch((error: unknown) => {
    if (!isTimed(sent)) throw error;
  });
  return known ?? (isTimed(sent) ? sent : undefined);
};

const has = ({ messages }: Thread, id: string): boolean => messages.some((each) => each.id === id);

type Found = { reply: Message | undefined } | undefined;

const findListed = (z: ZObject, accepted: Message): Promise<Found> =>
  untilFound(z, async () => {
    const sent = await completeTimed(z, accepted);
    const thread = sent && (await readThread(z, sent));
    // A list that lacks the message may lack a reply as well.
    return thread && has(thread, accepted.id) ? { reply: findAnswer(thread)?.reply } : undefined;
  });

/** The time that a step keeps for a second look at the list, in milliseconds. */
const secondLookMs = 5_000;

/**
 * Looks for a reply that came before the webhook, which reports only later ones. `gapMs` is the time between the send and
 * the webhook. Returns undefined when the list can't be read. A second look, as far as the step has time for it, sees what
 * a list that lags hides: it shows the message up to `gapMs` before the last reply that the webhook doesn't report.
 */
export const lookForReply = async (z: ZObject, accepted: Message, gapMs: number): Promise<Found> => {
  const found = await findListed(z, accepted);
  const pauseMs = Math.min(gapMs, timeLeft(z) - secondLookMs);
  if (!found || found.reply || pauseMs < 0) return found;
  await sleep(pauseMs);
  return (await findListed(z, accepted).catch(() => undefined)) ?? found;
};

const quotedAnother =
  'The contact replied to another message by quoting it, so the Zap stopped waiting. Check the conversation in the messaging service.';

/** What was written since the message; `isWhole` is false, and there are no messages, when the service doesn't list all. */
type ListedThread = Thread & { isWhole: boolean };

const emptyList = (sent: Message): ListedThread => ({ sent, messages: [], quoted: [], isWhole: false });

const listSince = async (z: ZObject, accepted: Message, recipient: string): Promise<ListedThread> => {
  const known = (await completeTimed(z, accepted)) ?? accepted;
  const sent = { ...known, to: readE164(known.to) ?? recipient };
  const thread = await readThread(z, sent);
  return thread ? { ...thread, isWhole: true } : emptyList(sent);
};

/** Whether the list still says that the message waits to be sent, as one that lags does. */
const isQueued = ({ sent, messages }: Thread): boolean =>
  messages.some(({ id, status, sent_at }) => id === sent.id && status === 'queued' && !sent_at);

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
  const list = (): Promise<ListedThread> => listSince(z, accepted, recipient);
  /** Lists again until it's enough; undefined when it never is, or when the list can't be read any more. */
  const listUntil = (isEnough: (listed: ListedThread) => boolean): Promise<ListedThread | undefined> =>
    untilFound(z, async () => [await list()].find(isEnough)).catch(() => undefined);
  /** Returns a list that says whether the person had the message, if the answer depends on it. */
  const settle = async (listed: ListedThread): Promise<ListedThread> => {
    if (!isQueued(listed) || findAnswer(listed)?.verdict !== 'doubtful') return listed;
    return (await listUntil((each) => !isQueued(each))) ?? listed;
  };

  const first = await settle(await untilFound(z, list));
  const early = findAnswer(first);
  if (!id || early?.verdict === 'certain') return early && { ...early, sent: first.sent };
  const named = first.messages.find((each) => each.id === id) ?? (await untilFound(z, () => fetchMessage(z, id)));
  if (!named) return undefined;
  const lags = !has(first, id) && judgeLine(named, first) !== undefined;
  const latest = lags
    ? await settle((await listUntil((each) => !each.isWhole || has(each, id))) ?? emptyList(first.sent))
    : first;
  const answer = findAnswer(latest) ?? judgeLine(named, latest);
  if (!answer && named.reply_to && isFromRecipient(latest.sent, named)) throw halt(quotedAnother);
  return answer && { ...answer, sent: latest.sent };
};
