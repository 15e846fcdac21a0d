/** What starts a Zap, as the catalogue says. */
import { saysNothing } from './answers';
import { listOf } from './fields';
import type { ServiceEvent } from './records';
import type { Zap } from './zapier';

/** Returns the event for which a Zap takes one: a message that was read without a delivery has been delivered. */
const meaningOf = ({ trigger, input }: Zap, { type, data }: Pick<ServiceEvent, 'type' | 'data'>): string => {
  const statuses = listOf(input.statuses);
  const isDelivery =
    trigger === 'message_status_updated' && statuses.includes('delivered') && !statuses.includes('read');
  return isDelivery && type === 'message.read' && !data.delivered_at ? 'message.delivered' : type;
};

/** Returns what a Zap starts for once: a message is sent, delivered and read once, and anything else may happen again. */
export const occasionOf = (zap: Zap, event: ServiceEvent): string =>
  event.type.startsWith('message.') ? `${meaningOf(zap, event)} ${event.data.id}` : event.id;

/** Returns the senders by which a Zap filters, also where its form is empty; none when it lets every sender through. */
export const sendersOf = ({ trigger, input }: Zap): unknown[] => {
  const byDefault: Record<string, string[]> = {
    message_sent: ['colleague', 'automation'],
    message_status_updated: ['colleague', 'ai', 'automation', 'api'],
  };
  return listOf(input.sources ?? byDefault[trigger]);
};

/** What the catalogue says that a trigger lets through. */
export const wants = (zap: Zap, event: ServiceEvent): boolean => {
  const { trigger, input } = zap;
  const { data } = event;
  if (trigger.startsWith('message') && data.direction !== (trigger === 'message_received' ? 'inbound' : 'outbound'))
    return false;
  if (trigger === 'message_received' && saysNothing(data)) return false;
  const statuses = listOf(input.statuses ?? ['delivered', 'read', 'failed']);
  const types = trigger === 'message_status_updated' ? statuses.map((each) => `message.${each}`) : undefined;
  if (!(types ?? [trigger.replace('_', '.')]).includes(meaningOf(zap, event))) return false;
  if (input.channel && data.channel !== input.channel) return false;
  const sources = sendersOf(zap);
  // Without a source nobody can know, so the message passes.
  if (data.source !== undefined && sources.length > 0 && !sources.some((each) => each === data.source)) return false;
  const words =
    String(data.text ?? '')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const wanted = listOf(input.contains);
  return wanted.length === 0 || wanted.some((word) => words.some((each) => each === word));
};
