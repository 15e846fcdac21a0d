/** Sends a message and waits for the reply, by a webhook that calls Zapier back. */

import { randomUUID } from 'node:crypto';
import type { Bundle, ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { decode, decodeDelivery } from '../api/decode';
import { readE164 } from '../api/e164';
import { endpoints, type Input, type ListedWebhook, webhookDays } from '../api/endpoints';
import { asRecord } from '../api/json';
import { type Message, message, type Webhook } from '../api/resources';
import { call } from '../call/call';
import { isUnsafeToRepeat } from '../call/outcome';
import { sendMessage } from '../message/form';
import { recipientField } from '../message/recipient';
import { fail, halt, isHalt } from '../step/errors';
import { isKeyKept } from '../step/once';
import { ensureTimeLeft, untilFound } from '../step/run';
import { digitsOf } from '../text/fold';
import { createOwnWebhook, discardWebhook, listToDelete, readExpiry } from '../trigger/webhook';
import { timeOf } from './judge';
import { complete, type FoundReply, namesContact, readReply, readSent } from './thread';

/** The query of a callback's address, in case it's called before Zapier has stored the step's result. */
const callbackQuery = zod.object({
  /** The id of the message. */
  sent: zod.string(),
  /** When it was sent, in milliseconds since 1970; `NaN` when nobody knows. */
  sent_at: zod.catch(zod.string(), 'NaN'),
  /** Whether an earlier step sent it: `true` or `false`. */
  already_sent: zod.string(),
  /** Random, so that a step finds its own webhook by its address, and nobody else's. */
  wait: zod.string(),
});
type CallbackQuery = zod.output<typeof callbackQuery>;

/** Returns a callback address with the query. */
const addQuery = (address: string, query: CallbackQuery): string => {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
};

const queryIn = (address: string | null | undefined): CallbackQuery | undefined =>
  callbackQuery.safeParse(Object.fromEntries(new URLSearchParams((address ?? '').replace(/^[^?]*\?/, '')))).data;

/** Returns the query of a callback; undefined when Zapier didn't pass it on. */
const readQuery = ({ cleanedRequest, rawRequest }: Bundle): CallbackQuery | undefined =>
  callbackQuery.safeParse(asRecord(cleanedRequest).querystring).data ?? queryIn(`?${rawRequest?.querystring}`);

/** Returns the id of the message that a callback names; undefined when it names none. */
export const readCallback = (body: unknown): string | undefined => {
  const event = decodeDelivery(body);
  return event?.type === 'message.received' ? decode(message.schema, event.data).data?.id : undefined;
};

/** Zapier ends a wait after this many days, and a webhook may end it sooner. */
export const waitDays = Math.min(30, webhookDays);

const minuteMs = 60_000;

/** Whether a webhook may end before a wait that began with it. */
const endsEarly = ({ created_at, expires_at }: ListedWebhook): boolean => {
  if (expires_at === null || expires_at === undefined) return false;
  const end = readExpiry(expires_at);
  const life = Number(end) - Date.parse(created_at ?? '');
  return !end || life < waitDays * 24 * 60 * minuteMs - minuteMs;
};

/** Throws an error when the plan, the token or the webhooks of the service don't allow a wait. Sends nothing. */
export const checkWaiting = async (z: ZObject): Promise<void> => {
  const { data } = await call(z, endpoints.listWebhooks, { query: { limit: 100 } });
  if (data.some(endsEarly)) {
    throw fail(
      `The messaging service can't watch for a reply for ${waitDays} days, so nothing was sent. Use Send Template Message, then Find Reply after a delay.`,
      'webhook_expires',
    );
  }
};

type PersonFilter = { contact_id: string[] } | { from: string[] };

/**
 * Returns the filters for one person, best first. Numbers will do only where messages name no contact, or for a contact
 * with a number: others write without one.
 */
const filtersOf = ({ contact }: Message, recipient: string): PersonFilter[] => {
  const byContact = contact ? [{ contact_id: [contact.id] }] : [];
  const number = contact ? readE164(contact.phone) : recipient;
  const byNumber = number ? [{ from: [...new Set([recipient, number])] }] : [];
  return [...byContact, ...byNumber];
};

/**
 * Whether a webhook has these filters. Without one for the person, anyone's message would end the wait, and without `after`, a
 * reply from before the webhook would be missing.
 */
const isLimitedTo = ({ filters }: Webhook, limits: PersonFilter & { after: string[] }): boolean =>
  Object.entries(limits).every(([name, wanted]) => {
    const values = [filters?.[name] ?? []].flat().map(String);
    // This repeats our own filter, so the digits of a number suffice.
    const normalize = name === 'from' ? digitsOf : String;
    const wantedValues = wanted.map(normalize);
    return values.length > 0 && values.every((value) => wantedValues.includes(normalize(value)));
  });

/** Deletes the webhooks of this step. Ignores a failure. */
const stopWatching = async (z: ZObject, { wait }: CallbackQuery): Promise<void> => {
  const webhooks = await listToDelete(z);
  const own = webhooks.filter(({ url }) => queryIn(url)?.wait === wait);
  for (const { id } of own) await discardWebhook(z, id);
};

const cannotWait = (why: string): Error =>
  halt(
    `The message was sent, but the Zap can't wait for the reply, because the messaging service ${why}. Use Send Template Message, then Find Reply after a delay.`,
  );

/**
 * Creates a webhook for what the recipient of `sent` (E.164) writes after it, also before the webhook was created, and
 * returns its id. `url` belongs to this step alone. On failure, it deletes the webhook and throws.
 */
const startWatching = async (z: ZObject, url: string, sent: Message, recipient: string): Promise<string> => {
  const labels = { contact_id: recipientField.label, from: recipientField.label, after: undefined };
  for (const person of filtersOf(sent, recipient)) {
    const body = { url, events: ['message.received'], filters: { ...person, after: sent.id } };
    const webhook = await untilFound(z, () => createOwnWebhook(z, body, labels));
    const created_at = webhook.created_at ?? new Date().toISOString();
    const isLimited = isLimitedTo(webhook, { ...person, after: [sent.id] });
    const isShort = endsEarly({ ...webhook, created_at });
    if (isLimited && !isShort) return webhook.id;
    await discardWebhook(z, webhook.id);
    if (isLimited) throw cannotWait(`can't watch for ${waitDays} days`);
  }
  throw cannotWait("can't watch for one person's messages");
};

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
export type EndedWait = FoundReply & { already_sent: boolean };

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
  const read = async (): Promise<FoundReply | undefined> => {
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
