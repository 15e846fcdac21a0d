/** The webhook by which a step waits for one person's reply, and the callback by which it goes on. */

import type { Bundle, ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { decode, decodeDelivery } from '../api/decode';
import { readE164 } from '../api/e164';
import { endpoints, type ListedWebhook, webhookDays } from '../api/endpoints';
import { asRecord } from '../api/json';
import { type Message, message, type Webhook } from '../api/resources';
import { call } from '../call/call';
import { recipientField } from '../message/recipient';
import { untilFound } from '../step/deadline';
import { fail, halt } from '../step/errors';
import { digitsOf } from '../text/fold';
import { createOwnWebhook, discardWebhook, listToDelete, readExpiry } from '../trigger/webhook';

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
export const addQuery = (address: string, query: CallbackQuery): string => {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
};

const queryIn = (address: string | null | undefined): CallbackQuery | undefined =>
  callbackQuery.safeParse(Object.fromEntries(new URLSearchParams((address ?? '').replace(/^[^?]*\?/, '')))).data;

/** Returns the query of a callback; undefined when Zapier didn't pass it on. */
export const readQuery = ({ cleanedRequest, rawRequest }: Bundle): CallbackQuery | undefined =>
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

/** Whether a webhook is limited to this person. Without the filter, anyone's message would end the wait. */
const isLimitedTo = ({ filters }: Webhook, person: PersonFilter): boolean =>
  Object.entries(person).every(([name, wanted]) => {
    const values = [filters?.[name] ?? []].flat().map(String);
    // This repeats our own filter, so the digits of a number suffice.
    const normalize = name === 'from' ? digitsOf : String;
    const wantedValues = wanted.map(normalize);
    return values.length > 0 && values.every((value) => wantedValues.includes(normalize(value)));
  });

/** Deletes the webhooks of this step. Ignores a failure. */
export const stopWatching = async (z: ZObject, { wait }: CallbackQuery): Promise<void> => {
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
export const startWatching = async (z: ZObject, url: string, sent: Message, recipient: string): Promise<string> => {
  const labels = { contact_id: recipientField.label, from: recipientField.label, after: undefined };
  for (const person of filtersOf(sent, recipient)) {
    const body = { url, events: ['message.received'], filters: { ...person, after: sent.id } };
    const webhook = await untilFound(z, () => createOwnWebhook(z, body, labels));
    const created_at = webhook.created_at ?? new Date().toISOString();
    const isLimited = isLimitedTo(webhook, person);
    const isShort = endsEarly({ ...webhook, created_at });
    if (isLimited && !isShort) return webhook.id;
    await discardWebhook(z, webhook.id);
    if (isLimited) throw cannotWait(`can't watch for ${waitDays} days`);
  }
  throw cannotWait("can't watch for one person's messages");
};
