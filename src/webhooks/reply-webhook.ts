/** The webhook by which a step waits for one person's reply. */
import { randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';
import { endpoints, exists, type ListedWebhook, webhookDays } from '../api/endpoints';
import type { Message } from '../api/resources';
import { recipientField } from '../forms/recipient';
import { call } from '../http/client';
import { startFinishing } from '../http/deadline';
import { untilFound } from '../http/until-found';
import { isSameNumber } from '../messages/reply';
import { fail, halt } from '../platform/errors';
import { readHistory } from '../polling/history';
import { readExpiry } from './renewal';
import { createWebhook, discardWebhook } from './webhook';

/** Zapier ends a wait after this many days, and a webhook may end it sooner. */
export const waitDays = Math.min(30, webhookDays);

/** The number of webhooks to look through. */
const maxWebhooks = 1_000;

/** Lists webhooks for a clean-up, newest first. Empty after a failure, which would hide the reply or the reason. */
const listToDelete = async (z: ZObject, since?: Date): Promise<ListedWebhook[]> => {
  startFinishing(z);
  const fetchPage = (query: object) => call(z, endpoints.listWebhooks, { query });
  const list = () => readHistory(fetchPage, { limit: maxWebhooks, since });
  return (await untilFound(z, list).catch(() => undefined))?.records ?? [];
};

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

/** Whether the webhook is limited to this person. Without the filter, anyone's message would end the wait. */
const watchesOnly = ({ filters }: Pick<ListedWebhook, 'filters'>, recipient: string): boolean => {
  const from = [filters?.from ?? []].flat();
  return from.length > 0 && from.every((number) => isSameNumber(String(number), recipient));
};

/** Returns why a new webhook can't report the reply, whenever it comes; undefined when it can. */
const problemOf = (webhook: ListedWebhook, recipient: string): string | undefined => {
  if (!watchesOnly(webhook, recipient)) return "can't watch for one person's messages";
  const created_at = webhook.created_at ?? new Date().toISOString();
  return endsEarly({ ...webhook, created_at }) ? `can't watch for ${waitDays} days` : undefined;
};

/** Deletes the webhooks to an address, when the response that would tell their id was lost. Ignores a failure. */
const discardWebhooksTo = async (z: ZObject, url: string): Promise<void> => {
  const webhooks = await listToDelete(z);
  for (const { id } of webhooks.filter((each) => each.url === url)) await discardWebhook(z, id);
};

/**
 * Creates a webhook for messages from one person (E.164) to `url`, which belongs to this step alone. Returns its id. On
 * failure, it deletes the webhook and throws.
 */
export const startWatching = async (z: ZObject, url: string, recipient: string): Promise<string> => {
  const body = { url, events: ['message.received'], filters: { from: [recipient] } };
  const labels = { from: recipientField.label };
  const key = randomUUID();
  const webhook = await untilFound(z, () => createWebhook(z, body, labels, key)).catch(async (error: unknown) => {
    await discardWebhooksTo(z, url);
    throw error;
  });
  const problem = problemOf(webhook, recipient);
  if (!problem) return webhook.id;
  await discardWebhook(z, webhook.id);
  throw halt(
    `The message was sent, but the Zap can't wait for the reply, because the messaging service ${problem}. Use Send Template Message, then Find Reply after a delay.`,
  );
};

const secondOf = (time: string | null | undefined): number => Math.floor(Date.parse(time ?? '') / 1000);

/**
 * Deletes the webhook that reported a message when its id isn't known: the only one for the person that was created
 * between the send and that message. Another step's webhook of that time has reported it too. Ignores a failure.
 */
export const stopWatchingPerson = async (
  z: ZObject,
  recipient: string,
  sent: Message,
  reported: Message,
): Promise<void> => {
  const [start, end] = [secondOf(sent.created_at), secondOf(reported.created_at)];
  const isBetween = ({ created_at }: ListedWebhook): boolean =>
    secondOf(created_at) >= start && secondOf(created_at) <= end;
  const webhooks = await listToDelete(z, new Date((start - 1) * 1000));
  const [own, ...others] = webhooks.filter((each) => watchesOnly(each, recipient) && isBetween(each));
  if (own && others.length === 0) await discardWebhook(z, own.id);
};

/** Deletes a webhook that a callback names, if it's for this person's messages. Ignores a failure. */
export const stopWatching = async (z: ZObject, id: string, recipient: string): Promise<void> => {
  const webhooks = await listToDelete(z);
  const isOwn = webhooks.some((each) => each.id === id && watchesOnly(each, recipient));
  if (isOwn) await discardWebhook(z, id);
};
