/** Sends a message and waits for the reply, by a webhook that calls Zapier back. */
import type { ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints, type Input } from '../api/endpoints';
import { message } from '../api/resources';
import { callOnce } from '../http/client';
import { ensureTimeLeft, startFinishing } from '../http/deadline';
import { isUnsafeToRepeat } from '../http/failure';
import { fail, halt, isHalt } from '../platform/errors';
import { type Answered, lookForReply, readAnswered, readEarlyReply, readReply } from './awaited-reply';
import { readOwnFacts, resumeWith } from './callback';
import { checkWaiting, startWatching, stopWatching, stopWatchingPerson } from './reply-webhook';
import { discardWebhook } from './webhook';

type SendInput = Input<typeof endpoints.sendMessage>;

/** What a step keeps while it waits. `recipient` is in E.164. */
const waiting = zod.object({
  webhook_id: zod.string(),
  recipient: zod.string(),
  already_sent: zod._default(zod.boolean(), false),
  sent: message.schema,
});
type Waiting = zod.output<typeof waiting>;

/** Reads what Zapier has kept of a step; undefined while that isn't kept yet. */
export const readWaiting = (kept: unknown): Waiting | undefined => waiting.safeParse(kept).data;

/** The reply that ended a wait, and whether an earlier step had sent the message. */
export type Answer = Answered & { already_sent: boolean };

const callbackUrl = (z: ZObject): string => {
  const url: unknown = z.generateCallbackUrl();
  if (typeof url === 'string' && url) return url;
  throw halt(
    "This step can wait for a reply only in a Zap that's turned on, so nothing was sent. Turn on the Zap, or use Send Template Message.",
  );
};

const noWebhook =
  "The message was sent, but the Zap can't wait for the reply, because the messaging service didn't create a webhook. Look for the reply there, or use Find Reply.";

const watchForReply = (z: ZObject, url: string, input: SendInput): Promise<string> => {
  ensureTimeLeft(z);
  return startWatching(z, url, input.body.to).catch((error: unknown) => {
    if (isHalt(error)) throw error;
    // With the person's key, Zapier can repeat the step, and nothing is sent twice.
    throw isUnsafeToRepeat(endpoints.sendMessage, input) ? halt(noWebhook) : fail(noWebhook, 'no_webhook');
  });
};

/**
 * Sends a message, and then watches for the reply, so that nothing that the person wrote before ends the wait. Throws
 * before the send when the service can't watch, and after it when the webhook can't be created.
 */
export const sendAndWait = async (z: ZObject, input: SendInput): Promise<Waiting> => {
  const url = callbackUrl(z);
  await checkWaiting(z);
  const { already_sent, ...accepted } = await callOnce(z, endpoints.sendMessage, input);
  const webhook_id = await watchForReply(z, url, input);
  // The sooner the step ends, the less likely a callback comes before that.
  if (!already_sent) startFinishing(z);
  const { sent, reply } = await lookForReply(z, accepted, already_sent).catch(async (error: unknown) => {
    if (!already_sent) return { sent: accepted, reply: undefined };
    // The person may have answered long ago, and then nothing would end the wait.
    await discardWebhook(z, webhook_id);
    throw error;
  });
  // The webhook stays, in case Zapier drops a callback that comes before this step has ended.
  if (reply) await resumeWith(z, url, reply, { sent_id: sent.id, webhook_id, already_sent });
  return { sent, recipient: input.body.to, webhook_id, already_sent };
};

const endWait = async (z: ZObject, kept: Waiting, callback: unknown): Promise<Answer | undefined> => {
  const { sent, recipient, webhook_id, already_sent } = kept;
  const answered = await readReply(z, sent, recipient, callback).finally(() => discardWebhook(z, webhook_id));
  return answered && { ...answered, already_sent };
};

/** What the form says about a message, for a callback that comes before Zapier has kept what the step returned. */
interface Form {
  template: string;
  /** E.164. */
  recipient: string;
}

const endWaitEarly = async (
  z: ZObject,
  { template, recipient }: Form,
  callback: unknown,
): Promise<Answer | undefined> => {
  const own = readOwnFacts(callback);
  if (own) {
    const { sent_id, webhook_id, already_sent } = own;
    const answered = await readAnswered(z, sent_id, recipient, callback).finally(() =>
      stopWatching(z, webhook_id, recipient),
    );
    return answered && { ...answered, already_sent };
  }
  const early = await readEarlyReply(z, template, recipient, callback);
  if (!early) return undefined;
  const { sent, reply, named } = early;
  await stopWatchingPerson(z, recipient, sent, named);
  return { sent, reply, already_sent: false };
};

/**
 * Returns the reply that ends a wait, and deletes the webhook. `kept` is what `sendAndWait` returned, and `readForm` is
 * for a callback that comes before Zapier has kept it. Undefined when it isn't certain that the person has replied.
 */
export const readAnswer = async (
  z: ZObject,
  kept: Waiting | undefined,
  callback: unknown,
  readForm: () => Promise<Form>,
): Promise<Answer | undefined> => (kept ? endWait(z, kept, callback) : endWaitEarly(z, await readForm(), callback));
