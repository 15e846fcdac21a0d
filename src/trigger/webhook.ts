/** The webhooks of a step: created once, renewed in time, and deleted when the step gives them up. */
import type { ZObject } from 'zapier-platform-core';
import { type BodyOf, endpoints, type ListedWebhook } from '../api/endpoints';
import type { EventName } from '../api/events';
import type { FieldLabels } from '../api/labels';
import type { Webhook } from '../api/resources';
import { call } from '../call/call';
import { readList } from '../call/pages';
import { parseDateAndTime, readDateTime } from '../message/dates';
import { fail } from '../step/errors';
import { startFinishing, untilFound } from '../step/run';
import { hasSigningKey } from './delivery';
import { type SubscriptionFilters, toLists } from './receive';

const maxWebhooks = 1_000;

/** Throws an error that says what to do when the plan or the token doesn't allow webhooks. Makes one request. */
export const requireWebhooks = async (z: ZObject): Promise<void> => {
  await call(z, endpoints.listWebhooks, { query: { limit: 1 } });
};

/**
 * Deletes a webhook that a step gives up, with retries after any refusal, since nobody else would delete it. Ignores a
 * failure, which would hide the reply or the reason.
 */
export const discardWebhook = async (z: ZObject, id: string): Promise<void> => {
  startFinishing(z);
  const remove = () =>
    call(z, endpoints.deleteWebhook, { id }, { unless: 'gone' }).then(
      () => true,
      () => undefined,
    );
  await untilFound(z, remove);
};

/** Lists webhooks for a clean-up, newest first. Empty after a failure, which would hide the reply or the reason. */
export const listToDelete = async (z: ZObject): Promise<ListedWebhook[]> => {
  startFinishing(z);
  const fetchPage = (query: { limit: number; after: string | undefined }) => call(z, endpoints.listWebhooks, { query });
  const list = () => readList(fetchPage, { limit: maxWebhooks });
  return (await untilFound(z, list).catch(() => undefined))?.records ?? [];
};

/** Longer than a step takes, with its retries and a clock that differs. */
const stepMs = 10 * 60_000;

/** Whether this step may have created a webhook. The one that a renewal replaces has the same address, and is older. */
const mayBeNew = ({ created_at }: ListedWebhook): boolean => !(Date.parse(created_at ?? '') < Date.now() - stepMs);

/**
 * Deletes the new webhooks to an address, besides the one with `exceptId`, when the response that would tell their id was
 * lost. Ignores a failure.
 */
const discardWebhooksTo = async (z: ZObject, url: string, exceptId?: string): Promise<void> => {
  const webhooks = await listToDelete(z);
  const lost = webhooks.filter((each) => each.url === url && each.id !== exceptId && mayBeNew(each));
  for (const { id } of lost) await discardWebhook(z, id);
};

/**
 * Creates a webhook to an address that no other one has, and returns it with its secret. When a response is lost, deletes
 * what the service may have created besides.
 */
export const createOwnWebhook = (z: ZObject, body: BodyOf<'createWebhook'>, labels: FieldLabels): Promise<Webhook> =>
  call(z, endpoints.createWebhook, { body, labels }, { undo: (record) => discardWebhooksTo(z, body.url, record?.id) });

/** Returns when a webhook expires; undefined unless that is one certain moment. */
export const readExpiry = (expiresAt: string): Date | undefined => {
  const text = expiresAt.trim();
  // A time without an offset is another moment in each zone.
  return parseDateAndTime(text)?.offset ? readDateTime(text, 'UTC') : undefined;
};

/** Returns when a webhook expires, in ISO 8601 with Z. Throws unless that is one certain moment in the future. */
export const readRenewal = (expiresAt: string): string => {
  const moment = readExpiry(expiresAt);
  if (moment && moment.getTime() > Date.now()) return moment.toISOString();
  throw fail(
    "The messaging service didn't say how long this Zap stays connected, so the Zap can't be turned on. Contact the messaging service's support.",
    'unclear_expiry',
  );
};

const readSecret = ({ secret }: Webhook): string => {
  if (secret && hasSigningKey(secret)) return secret;
  throw fail(
    "The messaging service sent no signing secret, so the Zap can't be turned on. Contact the messaging service's support.",
    'no_secret',
  );
};

/**
 * Creates a webhook for a Zap. Returns its id and secret, and when Zapier must renew it. When that can't work, or the
 * response is lost, deletes the webhook and throws.
 */
export const subscribe = async (
  z: ZObject,
  url: string,
  events: readonly EventName[],
  filters: SubscriptionFilters,
  labels: FieldLabels,
) => {
  const webhook = await createOwnWebhook(z, { url, events: [...events], filters: toLists(filters) }, labels);
  try {
    const expiresAt = webhook.expires_at ?? undefined;
    return {
      id: webhook.id,
      secret: readSecret(webhook),
      ...(expiresAt !== undefined && { expiration_date: readRenewal(expiresAt) }),
    };
  } catch (error) {
    await discardWebhook(z, webhook.id);
    throw error;
  }
};
