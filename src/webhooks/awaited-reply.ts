/** Finds the reply that ends a wait, and the message that it answers. */
import type { ZObject } from 'zapier-platform-core';
import { endpoints } from '../api/endpoints';
import type { Message } from '../api/resources';
import { lookUp } from '../http/client';
import { untilFound } from '../http/until-found';
import { isAfter, isFrom, isTo, timeOf } from '../messages/reply';
import { recentMessages } from '../polling/recent';
import { type Found, firstReply, replyInConversation, replyOnAnyChannel } from '../polling/replies';
import { readCallback } from './callback';

/** A message of ours, and the reply to it. */
export interface Answered {
  sent: Message;
  reply: Message;
}

const fetchMessage = async (z: ZObject, id: string): Promise<Message | undefined> => {
  const found = await lookUp(z, endpoints.getMessage, { id });
  return found?.id === id ? found : undefined;
};

/** Adds what the response to a send may lack. Undefined when the service doesn't have the message yet. */
const complete = async (z: ZObject, sent: Message): Promise<Message | undefined> => {
  if (!Number.isNaN(timeOf(sent))) return sent;
  const known = await fetchMessage(z, sent.id);
  return known && { ...sent, ...known };
};

const has = ({ records }: Pick<Found, 'records'>, { id }: Message): boolean => records.some((each) => each.id === id);

/**
 * Looks for a reply that came before the webhook, which reports only later ones. When an earlier step sent the message,
 * the person may have answered long ago, also in a newer conversation.
 */
export const lookForReply = async (
  z: ZObject,
  accepted: Message,
  alreadySent: boolean,
): Promise<{ sent: Message; reply: Message | undefined }> => {
  let sent: Message | undefined;
  const found = await untilFound(z, async () => {
    sent ??= await complete(z, accepted);
    if (!sent) return undefined;
    if (alreadySent) return { reply: (await firstReply(z, sent))?.reply };
    const latest = await replyOnAnyChannel(z, sent);
    // A list that lacks the message may lack a reply as well.
    const isBehind = latest && !latest.reply && sent.conversation_id && !has(latest, sent);
    return isBehind ? undefined : { reply: latest?.reply };
  });
  return { sent: sent ?? accepted, reply: found?.reply };
};

/** The conversation of a reply, unless it's that of the message. */
const otherConversation = (sent: Message, reply: Message | undefined): string[] =>
  reply?.conversation_id && reply.conversation_id !== sent.conversation_id ? [reply.conversation_id] : [];

/**
 * Returns the first reply of `recipient` (E.164) to a message, which the list of messages or the callback names; undefined
 * when there is none. Believes only what the API has. Checking the signature of the callback instead would put the secret
 * into the Zap's history.
 */
export const readReply = async (
  z: ZObject,
  accepted: Message,
  recipient: string,
  callback: unknown,
): Promise<Answered | undefined> => {
  const id = readCallback(callback);
  let sent = accepted;
  let named: Message | undefined;
  let later: Message | undefined;
  const read = async () => {
    sent = (await complete(z, sent)) ?? sent;
    const latest = await replyInConversation(z, sent, otherConversation(sent, named));
    if (latest?.reply || !id) return { reply: latest?.reply };
    named ??= await fetchMessage(z, id);
    if (!named) return undefined;
    const order = isAfter(named, sent, latest?.records);
    if (!isFrom(named, recipient) || order === false) return { reply: undefined };
    // Without a list, only the callback tells.
    later = order || !latest ? named : undefined;
    // A list that lacks the reply may lack an earlier one as well.
    const isBehind = latest && !has(latest, named) && !(sent.conversation_id && !named.conversation_id);
    return isBehind ? undefined : { reply: named };
  };
  const found = await untilFound(z, read).catch((error: unknown) => {
    if (!later) throw error;
  });
  const reply = found ? found.reply : later;
  return reply && { sent, reply };
};

/** Returns the message with that id when it's one to `recipient` (E.164), and the first reply to it. */
export const readAnswered = async (
  z: ZObject,
  sentId: string,
  recipient: string,
  callback: unknown,
): Promise<Answered | undefined> => {
  const sent = await untilFound(z, () => fetchMessage(z, sentId));
  if (!sent || !isTo(sent, recipient)) return undefined;
  return readReply(z, sent, recipient, callback);
};

/** How long a step takes at most, in milliseconds. A reply that overtakes it comes sooner after the message. */
const maxStepMs = 30_000;

/**
 * Returns the message that a callback names, with what it answers when that isn't known yet: the only message to
 * `recipient` with the template, shortly before. With several, it may answer another run's. `reply` is the first after it.
 */
export const readEarlyReply = async (
  z: ZObject,
  template: string,
  recipient: string,
  callback: unknown,
): Promise<(Answered & { named: Message }) | undefined> => {
  const id = readCallback(callback);
  const named = id && (await untilFound(z, () => fetchMessage(z, id)));
  if (!named || !isFrom(named, recipient)) return undefined;
  const isCandidate = (each: Message): boolean =>
    each.template === template && isTo(each, recipient) && !(timeOf(named) - timeOf(each) > maxStepMs);
  const list = (conversation_id?: string) =>
    untilFound(z, async () => {
      const records = await recentMessages(z, { conversation_id });
      // A list that lacks the reply may lack a message before it as well.
      return has({ records }, named) ? records : undefined;
    });
  const inConversation = named.conversation_id ? await list(named.conversation_id) : undefined;
  // The person may have replied on another channel.
  const recent = inConversation?.some(isCandidate) ? inConversation : await list();
  const [sent, ...others] = recent?.filter(isCandidate) ?? [];
  if (!sent || others.length > 0 || !isAfter(named, sent, recent)) return undefined;
  const reply = recent?.findLast((each) => isFrom(each, recipient) && isAfter(each, sent, recent));
  return reply && { sent, named, reply };
};
