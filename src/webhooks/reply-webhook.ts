/** The webhook by which a step waits for one person's reply. */
import type { ZObject } from 'zapier-platform-core';
import { endpoints } from '../api/endpoints';
import type { Webhook } from '../api/resources';
import { isSameNumber } from '../formats/reply';
import { call, extendDeadlineForCleanup } from '../http/client';
import { fail } from '../platform/errors';
import { readHistory } from '../polling/history';
import { createWebhook, discardWebhook } from './webhook';

/** Whether the webhook is limited to this person. Without the filter, anyone's message would end the wait. */
const watchesOnly = ({ filters }: Pick<Webhook, 'filters'>, recipient: string): boolean => {
  const from = [filters?.from ?? []].flat();
  return from.length > 0 && from.every((number) => isSameNumber(String(number), recipient));
};

/**
 * Creates a webhook for messages from one person (E.164) to `url` and returns its id. On failure, it deletes the webhook
 * and throws.
 */
export const startWatching = async (z: ZObject, url: string, recipient: string): Promise<string> => {
  const filters = { from: [recipient] };
  const webhook = await createWebhook(z, { url, events: ['message.received'], filters });
  if (watchesOnly(webhook, recipient)) return webhook.id;
  await discardWebhook(z, webhook.id);
  throw fail(
    "The messaging service can't wait for replies from one person, so nothing was sent. Use Send Template Message, then Find Reply after a delay.",
    'filters_not_supported',
  );
};

/** The time in which a step certainly ends, in milliseconds. A webhook that is older belongs to another step. */
const maxAgeMs = 60_000;

/** The number of new webhooks to look through. */
const maxWebhooks = 1_000;

/** Returns the webhooks of the last minute, and those without a time, newest first. */
const listNewWebhooks = async (z: ZObject) => {
  // Without a query in the contract, the list of webhooks has no pages.
  const fetchPage = (query: object) =>
    call(z, endpoints.listWebhooks, 'query' in endpoints.listWebhooks ? { query } : {});
  const since = new Date(Date.now() - maxAgeMs);
  return (await readHistory(fetchPage, { limit: maxWebhooks, since })).records;
};

const isNew = ({ created_at }: Pick<Webhook, 'created_at'>): boolean =>
  Date.parse(created_at ?? '') > Date.now() - maxAgeMs;

/**
 * Deletes the new webhook for a person's replies when its id isn't known. Leaves several alone, since another step may
 * wait for the same person. Ignores a failure.
 */
export const stopWatchingPerson = async (z: ZObject, recipient: string): Promise<void> => {
  extendDeadlineForCleanup(z);
  const webhooks = await listNewWebhooks(z).catch(() => []);
  const found = webhooks.filter((webhook) => watchesOnly(webhook, recipient) && isNew(webhook));
  const [own, ...others] = found;
  if (own && others.length === 0) await discardWebhook(z, own.id);
};
