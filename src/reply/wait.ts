/** Sends a message and waits for the reply, by a webhook that calls Zapier back. */

import { randomUUID } from 'node:crypto';
import type { Bundle, ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints, type Input } from '../api/endpoints';
import { message } from '../api/resources';
import { isUnsafeToRepeat } from '../call/outcome';
import { sendMessage } from '../message/form';
import { ensureTimeLeft, untilFound } from '../step/deadline';
import { fail, halt, isHalt } from '../step/errors';
import { isKeyKept } from '../step/once';
import { discardWebhook } from '../trigger/webhook';
import { timeOf } from './answer';
import { addQuery, checkWaiting, readCallback, readQuery, startWatching, stopWatching } from './reply-webhook';
import { type Answered, complete, namesContact, readReply, readSent } from './resume';

type SendInput = Input<typeof endpoints.sendMessage>;

/** What a step keeps while it waits. `recipient` is in E.164. */
const waiting = zod.object({
  webhook_id: zod.string(),
  recipient: zod.string(),
  already_sent: zod._default(zod.boolean(), false),
  sent: message.schema,
});
type Waiting = zod.output<typeof waiting>;

/** Reads what Zapier has stored of a step; undefined while that isn't stored yet. */
export const readWaiting = (stored: unknown): Waiting | undefined => waiting.safeParse(stored).data;

/** The reply that ended a wait, and whether an earlier step had sent the message. */
export type EndedWait = Answered & { already_sent: boolean };

const callbackUrl = (z: ZObject): string => {
  const url: unknown = z.generateCallbackUrl();
  if (typeof url === 'string' && url) return url;
  throw halt(
    "This step can wait for a reply only in a Zap that's turned on, so nothing was sent. Turn on the Zap, or use Send Template Message.",
  );
};

const noWebhook =
  "The message was sent, but the Zap can't wait for the reply, because the messaging service can't watch for it. Look for the reply there, or use Find Reply.";

const notSure =
  "The message was sent, but the Zap can't wait for the reply, because it can't be sure to see every message of the contact. Look for the reply in the messaging service, or use Find Reply.";

/**
 * Returns the error after a send, at `sentAt` in milliseconds since 1970. As long as the service keeps the person's key,
 * Zapier can repeat the step, and nothing is sent twice.
 */
const failAfterSend = (input: SendInput, sentAt: number, text: string, code: string): Error =>
  isUnsafeToRepeat(endpoints.sendMessage, input) || !isKeyKept(sentAt) ? halt(text) : fail(text, code);

/**
 * Sends a message, and then watches for the reply, so that nothing that the person wrote before ends the wait. Throws
 * before the send when the service can't watch, and after it when the Zap can't be sure to see the reply.
 */
export const sendAndWait = async (z: ZObject, input: SendInput): Promise<Waiting> => {
  const address = callbackUrl(z);
  await checkWaiting(z);
  const startedAt = Date.now();
  const { already_sent, ...accepted } = await sendMessage(z, input);
  const completed = await untilFound(z, () => complete(z, accepted)).catch(() => undefined);
  const sent = completed ?? accepted;
  // Not every service says that it had the key before.
  const sentAt = already_sent || timeOf(sent) < startedAt ? timeOf(sent) : startedAt;
  // Only the contact's id tells a webhook who writes without a number.
  if (!completed && !namesContact(accepted)) throw failAfterSend(input, sentAt, notSure, 'no_contact');
  const query = { sent: sent.id, sent_at: String(sentAt), already_sent: String(already_sent), wait: randomUUID() };
  const url = addQuery(address, query);
  ensureTimeLeft(z);
  const webhook_id = await startWatching(z, url, sent, input.body.to).catch((error: unknown) => {
    throw isHalt(error) ? error : failAfterSend(input, sentAt, noWebhook, 'no_webhook');
  });
  // It stays also after the callback, in case Zapier drops one that comes before this step has ended.
  return { sent, recipient: input.body.to, webhook_id, already_sent };
};

/**
 * Returns when the message of a wait was sent, in milliseconds since 1970; NaN when nobody knows. `stored` is what
 * `sendAndWait` returned.
 */
export const sentAtOf = (stored: Waiting | undefined, bundle: Bundle): number =>
  stored ? timeOf(stored.sent) : Number(readQuery(bundle)?.sent_at);

/**
 * Ends a wait of which Zapier has stored nothing yet, by what its address tells. Without that, the message may be any, and so
 * may the webhook.
 */
const endWaitEarly = async (
  z: ZObject,
  bundle: Bundle,
  readRecipient: () => Promise<string>,
): Promise<EndedWait | undefined> => {
  const query = readQuery(bundle);
  if (!query) return undefined;
  const read = async (): Promise<Answered | undefined> => {
    const recipient = await readRecipient();
    const sent = await readSent(z, query.sent, recipient);
    return sent && readReply(z, sent, recipient, readCallback(bundle.cleanedRequest));
  };
  const answered = await read().finally(() => stopWatching(z, query));
  return answered && { ...answered, already_sent: query.already_sent === 'true' };
};

/**
 * Returns the reply that ends a wait, and deletes the webhook. `stored` is what `sendAndWait` returned, and `readRecipient`
 * (E.164) is for a callback that comes before Zapier has stored it. Undefined when it isn't certain that the person has
 * replied. Throws a halt when the person only quoted other messages.
 */
export const endWait = async (
  z: ZObject,
  stored: Waiting | undefined,
  bundle: Bundle,
  readRecipient: () => Promise<string>,
): Promise<EndedWait | undefined> => {
  if (!stored) return endWaitEarly(z, bundle, readRecipient);
  const { sent, recipient, webhook_id, already_sent } = stored;
  const id = readCallback(bundle.cleanedRequest);
  const answered = await readReply(z, sent, recipient, id).finally(() => discardWebhook(z, webhook_id));
  return answered && { ...answered, already_sent };
};
