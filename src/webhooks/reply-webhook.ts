/** The webhook by which a step waits for one person's reply. */
import type { ZObject } from 'zapier-platform-core';
import { readE164 } from '../api/e164';
import { endpoints, exists, type ListedWebhook, webhookDays, webhookFilter } from '../api/endpoints';
import type { Message, Webhook } from '../api/resources';
import { isMissing } from '../api/wire';
import { digitsOf } from '../formats/phone-text';
import { recipientField } from '../forms/recipient';
import { call } from '../http/client';
import { untilFound } from '../http/deadline';
import { fail, halt } from '../platform/errors';
import { type CallbackQuery, queryIn } from './callback';
import { readExpiry } from './renewal';
import { createOwnWebhook, discardWebhook, listToDelete } from './webhook';

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
  if (!exists('listWebhooks')) return;
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
  const byContact = contact && !isMissing(webhookFilter('contact_id')) ? [{ contact_id: [contact.id] }] : [];
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
 * Creates a webhook for what the recipient of `sent` (E.164) writes after it. `url` belongs to this step alone. `isGapless`
 * is false when the webhook doesn't report what came before it. On failure, it deletes the webhook and throws.
 */
export const startWatching = async (
  z: ZObject,
  url: string,
  sent: Message,
  recipient: string,
): Promise<{ id: string; isGapless: boolean }> => {
  const labels = { contact_id: recipientField.label, from: recipientField.label, after: undefined };
  for (const person of filtersOf(sent, recipient)) {
    const body = { url, events: ['message.received'], filters: { ...person, after: sent.id } };
    const webhook = await untilFound(z, () => createOwnWebhook(z, body, labels));
    const created_at = webhook.created_at ?? new Date().toISOString();
    const isLimited = isLimitedTo(webhook, person);
    const isShort = endsEarly({ ...webhook, created_at });
    if (isLimited && !isShort) return { id: webhook.id, isGapless: String(webhook.filters?.after) === sent.id };
    await discardWebhook(z, webhook.id);
    if (isLimited) throw cannotWait(`can't watch for ${waitDays} days`);
  }
  throw cannotWait("can't watch for one person's messages");
};
