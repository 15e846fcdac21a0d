import * as z from 'zod/mini';
import type { Webhook } from '../../../src/api/resources';
import type { Subscription } from '../../zapier/zap/zap';
import type { Service } from './service';

const filters = z.record(z.string(), z.array(z.string()));

/** Returns the events and filters of a webhook as short texts. Without filters, everything passes. */
const describeWebhook = (webhook: Webhook): string[] => [
  ...(webhook.events ?? []),
  ...Object.entries(filters.safeParse(webhook.filters).data ?? {})
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}: ${values.join(', ')}`),
];

/**
 * Asks the service what it sends to a Zap. After a renewal, removes the webhooks that an earlier one created without a
 * response: Zapier can't verify their payloads.
 */
export const checkWebhooks = async (
  service: Service,
  subscription: Subscription,
  isRenewal: boolean,
): Promise<void> => {
  const webhooks = await service.listWebhooks().catch(() => []);
  subscription.watches = webhooks.filter(({ id }) => id === subscription.id).flatMap(describeWebhook);
  if (!isRenewal) return;
  for (const { id, url } of webhooks) {
    const isUnknown = id !== subscription.id && url?.startsWith(subscription.targetUrl);
    if (isUnknown) await service.unsubscribe(id).catch(() => undefined);
  }
};
