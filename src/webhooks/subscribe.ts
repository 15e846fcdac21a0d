import type { ZObject } from 'zapier-platform-core';
import { type EventName, signing } from '../api/events';
import type { WebhookFilters } from '../api/resources';
import { isDate } from '../formats/local-time';
import { fail } from '../platform/errors';
import { addSecret, hasSigningKey } from './signature';
import { createWebhook, discardWebhook } from './webhook';

/** The values that each filter of a subscription lets through. Undefined or an empty list lets every value through. */
export type SubscriptionFilters = { [K in keyof WebhookFilters]: string | readonly string[] | undefined };

const toLists = (filters: SubscriptionFilters): Record<string, string[]> =>
  Object.fromEntries(Object.entries(filters).map(([name, wanted]) => [name, [wanted ?? []].flat()]));

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Whether Zapier can renew the subscription at that time: in ISO 8601, and in the future. A past one renews endlessly. */
const isRenewalTime = (time: string): boolean =>
  isoTime.test(time) && isDate(time.slice(0, 10)) && Date.parse(time) > Date.now();

/**
 * Creates a webhook for a Zap. Returns its id and secret, and when Zapier must renew it. Throws an error when the service
 * gives no secret that can prove who sent a payload.
 */
export const subscribe = async (
  z: ZObject,
  targetUrl: string,
  events: readonly EventName[],
  filters: SubscriptionFilters,
) => {
  const own = signing ? undefined : addSecret(targetUrl);
  const url = own?.url ?? targetUrl;
  const webhook = await createWebhook(z, { url, events: [...events], filters: toLists(filters) });
  if (!own && !hasSigningKey(webhook.secret)) {
    await discardWebhook(z, webhook.id);
    throw fail(
      "The messaging service gave no usable signing secret for this Zap, so the Zap can't tell real payloads from forged ones. Contact its support.",
      'no_secret',
    );
  }
  return {
    id: webhook.id,
    secret: own?.secret ?? webhook.secret,
    ...(isRenewalTime(webhook.expires_at ?? '') && { expiration_date: webhook.expires_at }),
  };
};
