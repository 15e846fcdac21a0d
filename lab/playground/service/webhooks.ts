import type { Subscription } from '../../zapier/zap/zap';
import type { Service } from './service';

/**
 * Removes the webhooks that a renewal before this one created without a response: Zapier can't verify their payloads.
 */
export const removeUnknown = async (
  service: Service,
  { id: own, targetUrl }: Subscription,
  isRenewal: boolean,
): Promise<void> => {
  if (!isRenewal) return;
  for (const { id, url } of await service.listWebhooks().catch(() => [])) {
    if (id !== own && url?.startsWith(targetUrl)) await service.unsubscribe(id).catch(() => undefined);
  }
};
