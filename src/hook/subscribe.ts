import type { ZObject } from 'zapier-platform-core';
import type { EventName } from '../api/events';
import type { FieldLabels } from '../api/labels';
import type { Webhook } from '../api/resources';
import { signatureInUse } from '../api/service';
import { fail } from '../step/errors';
import { addSecret, hasSigningKey } from './genuine';
import { confirmSources, type SubscriptionFilters, toLists } from './receive';
import { createOwnWebhook, discardWebhook, readRenewal } from './webhook';

const readSecret = ({ secret }: Webhook): string => {
  if (secret && hasSigningKey(secret)) return secret;
  throw fail(
    "The messaging service sent no signing secret, so the Zap can't be turned on. Contact the messaging service's support.",
    'no_secret',
  );
};

/**
 * Creates a webhook for a Zap. Returns its id and secret, the senders to which the service limits it, and when Zapier
 * must renew it. When that can't work, or the response is lost, deletes the webhook and throws.
 */
export const subscribe = async (
  z: ZObject,
  targetUrl: string,
  events: readonly EventName[],
  filters: SubscriptionFilters,
  labels: FieldLabels,
) => {
  const signature = signatureInUse();
  const own = signature ? undefined : addSecret(targetUrl);
  const url = own?.url ?? targetUrl;
  const requested = toLists(filters);
  const webhook = await createOwnWebhook(z, { url, events: [...events], filters: requested }, labels);
  try {
    const sources = confirmSources(webhook, requested.source ?? []);
    const expiresAt = webhook.expires_at ?? undefined;
    return {
      id: webhook.id,
      secret: own?.secret ?? readSecret(webhook),
      ...(signature?.usesUrl && { url }),
      ...(sources.length > 0 && { confirmed_sources: sources }),
      ...(expiresAt !== undefined && { expiration_date: readRenewal(expiresAt) }),
    };
  } catch (error) {
    await discardWebhook(z, webhook.id);
    throw error;
  }
};
