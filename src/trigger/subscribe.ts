import type { ZObject } from 'zapier-platform-core';
import type { EventName } from '../api/events';
import type { FieldLabels } from '../api/labels';
import type { Webhook } from '../api/resources';
import { fail } from '../step/errors';
import { type SubscriptionFilters, toLists } from './receive';
import { hasSigningKey } from './signature';
import { createOwnWebhook, discardWebhook, readRenewal } from './webhook';

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
